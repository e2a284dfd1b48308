"""`mnk query`: show the value of a position and of its moves, list openings, or compare rules."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from functools import reduce
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import click

from solver.cli.options import count_option, game_argument, mnk_command, position_argument, value_options
from solver.cli.output import align_columns, echo_json, format_board
from solver.cli.running import open_answers
from solver.errors import InputError, MissingExtra, PositionError, RulesError, Unsettled
from solver.game.descriptions import describe_labels, describe_rules, describe_value
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import OTHER, Rules
from solver.game.value import Value
from solver.support.english import join_names, plural

if TYPE_CHECKING:
    from solver.search.truth import Truth
    from solver.study.answers import PositionAnswer
    from solver.study.openings import Opening

_LINE_SECONDS: Final = 5.0  # for the moves of a main line, at least


@mnk_command(
    "query",
    "mnk query 3,3,3 XO./.X./...      the rows of the board",
    "mnk query 3,3,3 b2 a1            the moves played, X first",
    "mnk query 6,7,4,gravity ddde     with gravity, their columns; or 4445",
    "mnk query 3,3,3                  the empty board",
    "mnk query 3,3,3 hash:88 --json   a base-3 hash, answered as JSON",
    "mnk query 3,3,3 start --replies  how many replies hold after each move",
    "mnk query 4,4,4 --openings 4 --kept",
    "mnk query 3,3,3 b2 --variants    the same board with other rules",
    "mnk query 3,3,3 --from FILE      the positions in the lines of a file",
)
@game_argument
@position_argument(required=False)
@click.option("--replies", "show", flag_value="replies", help="Show how many replies to each move keep its value.")
@count_option(
    "--openings",
    "List the positions of the next N plies up to symmetry, with their values and the replies that keep them.",
)
@click.option("--kept", is_flag=True, help="With --openings: follow only moves that keep the value.")
@click.option("--variants", "show", flag_value="variants", help="Compare the normal, misere, torus and gravity games.")
@click.option(
    "--from",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Answer the position in each line of FILE, as a table or, with --json, lines of JSON.",
)
@value_options
def command(
    rules: Rules,
    position: str,
    show: str | None,
    openings: int | None,
    kept: bool,
    file: Path | None,
    seconds: float,
    data: Path,
    as_json: bool,
) -> None:
    """Show the value of POSITION (by default the empty board) in GAME, and the value of each move from it."""
    if openings and show:
        raise click.UsageError(f"--openings and --{show} exclude each other.")
    if kept and not openings:
        raise click.UsageError("--kept needs --openings.")
    if file and (position or show or openings):
        raise click.UsageError(
            "--from FILE names the positions; leave out POSITION, --openings, --replies and --variants."
        )
    if file:
        with open_answers(data, rules, seconds) as truth:
            _show_file(truth, file, as_json)
        return
    parsed = Position.parse(rules, position)
    if show == "variants":
        _show_variants(parsed, data, seconds, as_json)
        return
    with open_answers(data, rules, seconds) as truth:
        if openings:
            _show_openings(truth, parsed, openings, kept, as_json)
        elif as_json:
            from solver.study.answers import position_answer, replies_answer

            echo_json((replies_answer if show else position_answer)(truth, parsed))
        else:
            click.echo("\n".join(_format_position(truth, parsed)))
            if show and not parsed.is_over:
                rows = []
                for square, value, (holding, total) in truth.moves_by_traps(parsed):
                    replies = _count_replies(holding, total, value.after_move()) if total else "the game is over"
                    rows.append((square_name(rules, square), value.label, replies))
                click.echo("\n" + align_columns(rows, left=[0, 1, 2]))


def _format_position(truth: "Truth", position: Position) -> Iterator[str]:
    value, found, source = truth.evaluate(position)
    moves = [(square, one) for square, one in found if one is not None]
    holder = truth.holder(position) if value is None else None
    if value is None and not moves and not holder:
        raise truth.unsettled(position)
    yield f"{position.rules}: {describe_rules(position.rules)}"
    yield ""
    yield format_board(position, moves)
    yield ""
    if position.is_over:
        yield position.result
        return
    if moves:
        yield describe_labels((value.label for _, value in moves), draws=position.rules.can_draw)
        yield ""
    if len(moves) < len(found):
        yield from _format_partly(truth, position, value, found, source)
        return
    assert value is not None  # all its moves are settled
    yield f"{position.to_move} to move {describe_value(value)}."
    best = moves[0][1]
    quick = truth.empty is None  # elsewhere, a search takes too long for all replies
    traps = [move for move in truth.moves_by_traps(position) if move[1].rank == best.rank] if quick else []
    hardest = [square for square, _, replies in traps if replies.mistakes == traps[0][2].mistakes]
    equal = [move[0] for move in traps] or [square for square, value in moves if value.rank == best.rank]
    names = [square_name(position.rules, square) for square in equal]
    if len(names) == len(moves) > 1:
        yield f"Best moves: all are as good, each {describe_value(best)}."
    else:
        yield f"Best move{'s' if len(names) > 1 else ''}: {', '.join(names)}"
    if traps and len(hardest) < len(names):
        holding, total = traps[0][2]
        one = total - holding == 1
        fail = ("lose", "loses")[one] if best.wdl == 0 else ("miss the win", "misses the win")[one]
        first = join_names([square_name(position.rules, square) for square in hardest], "and", limit=4)
        yield f"Hardest to answer: {first}, where {total - holding} of {total} replies {fail}."
    yield f"Main line: {_main_line(truth, position)}"
    if source in ("search", "strategy"):
        yield f"Source: {source}"


def _format_partly(
    truth: "Truth", position: Position, value: Value | None, moves: Sequence[tuple[int, Value | None]], source: str
) -> Iterator[str]:
    """Describe a position of which some moves are unsettled."""
    names = [square_name(position.rules, square) for square, one in moves if one is None]
    if value is not None:
        yield f"{position.to_move} to move {describe_value(value)}."
        if value.wdl > 0 and moves[0][1] is not None:
            yield f"Winning move: {square_name(position.rules, moves[0][0])}; the other moves were not searched."
            if line := truth.forced_line(position):
                shown = " ".join(square_name(position.rules, square) for square in line)
                yield f"Main line: {shown} ({position.to_move} wins)"
            yield f"Source: {source}"
            return
    if source == "strategy":
        yield "Source: strategy"
    elif value is None and (holder := truth.holder(position)):
        yield f"{holder} holds, by a stored strategy: {OTHER[holder]} does not win."
        move = truth.holding_move(position)
        yield "Source: strategy" if move is None else f"Holding move: {square_name(position.rules, move)}"
    else:
        yield f"Unsettled: {join_names(names, 'and', limit=8)}; {truth.advise(position)[0]}."


def _main_line(truth: "Truth", position: Position) -> str:
    """Return the moves of best play to the end of the game; without the extra `build`, only those in the table."""
    moves, end = list[str](), monotonic() + max(2 * truth.seconds, _LINE_SECONDS)
    while not position.is_over:
        try:
            if monotonic() > end and not truth.is_whole:
                raise truth.unsettled(position)
            line = truth.forced_line(position) or [truth.best_move(position)]
        except MissingExtra:
            return f"{' '.join(moves)} (the rest needs a search, which is in the extra 'build')"
        except Unsettled:
            return f"{' '.join(moves)} (the rest was not settled in time)"
        moves += [square_name(position.rules, square) for square in line]
        position = reduce(Position.play, line, position)
    return f"{' '.join(moves)} ({'draw' if position.outcome == 'draw' else f'{position.outcome} wins'})"


def _count_replies(holding: int, total: int, value: Value) -> str:
    """Describe how many moves in a position keep its value for the side to move.

    >>> _count_replies(1, 8, Value(0, 8)), _count_replies(7, 7, Value(-1, 6))
    ('1 of 8 replies keeps the draw', 'every reply loses')
    """
    if value.wdl < 0:
        return "every reply loses"
    return f"{holding} of {plural(total, 'reply', 'replies')} keep{'s' if holding == 1 else ''} the {value.category}"


def _show_file(truth: "Truth", file: Path, as_json: bool) -> None:
    """Answer the position in each line of a file that is not blank."""
    positions = []
    for number, line in enumerate(file.read_text(encoding="utf-8-sig", errors="replace").splitlines(), 1):
        try:
            positions += [Position.parse(truth.rules, line)] if line.strip() else []
        except PositionError as error:
            raise InputError(f"Line {number} of {file}: {error}") from error
    if as_json:
        import json

        from solver.study.answers import position_answer

        for position in positions:
            click.echo(json.dumps(position_answer(truth, position)))
        return
    rows = [("position", "value", "best moves", "source")]
    for position in positions:
        value, found, source = truth.evaluate(position)
        holder = None if value else truth.holder(position)
        result = describe_value(value, position.to_move) if value else f"{holder} holds" if holder else "unsettled"
        settled = [(square, one.rank) for square, one in found if value and one]
        best = [square_name(truth.rules, square) for square, rank in settled if rank == settled[0][1]]
        rows.append((position.board, position.result if position.is_over else result, " ".join(best), source))
    click.echo(align_columns(rows, left=[0, 1, 2, 3]))


def _show_openings(truth: "Truth", start: Position, depth: int, kept: bool, as_json: bool) -> None:
    from solver.study.openings import list_openings, openings_answer

    if as_json:
        echo_json(openings_answer(truth, depth, start, kept=kept))
        return
    plies = list_openings(truth, depth, start, kept=kept)
    place = {opening.moves: number for level in plies for number, opening in enumerate(level)}

    def path(opening: "Opening") -> list[int]:
        return [place[opening.moves[: length + 1]] for length in range(len(opening.moves))]

    rows = []
    for opening in sorted((opening for level in plies for opening in level), key=path):
        name, total = "  " * (len(opening.moves) - 1) + opening.names[-1], len(opening.ranked)
        value = describe_value(opening.value, opening.position.to_move) if total else opening.position.result
        rows.append((name, value, _count_replies(opening.holding, total, opening.value) if total else ""))
    click.echo(f"{truth.rules}: {describe_rules(truth.rules)}\n")
    for level in plies:
        click.echo(f"Ply {level[0].position.ply}: {plural(len(level), 'position')} up to symmetry")
    click.echo("\n" + align_columns(rows, left=[0, 1, 2]))


def _show_variants(position: Position, data: Path, seconds: float, as_json: bool) -> None:
    from solver.search.truth import open_truth
    from solver.study.comparison import compare, list_relatives

    relatives = list_relatives(position.rules)
    if len(relatives) == 1:
        raise RulesError('Games from files have no variants; write a file with other rules, such as "misere": true.')
    with ExitStack() as opened:
        comparison = compare(position, lambda rules: opened.enter_context(open_truth(rules, data, seconds=seconds)))
    if as_json:
        echo_json(comparison)
        return
    rows = []
    for rules, found in zip(relatives, comparison["rules"], strict=True):
        if answer := found["answer"]:
            text = _format_answer(Position.parse(rules, position.board), answer)
        else:
            text = found["problem"] or f"no table; build it with `{found['build']}`."
        rows.append((found["game"], text))
    click.echo(f"{format_board(position)}\n\n{align_columns(rows, left=[0, 1])}")


def _format_answer(position: Position, answer: "PositionAnswer") -> str:
    from solver.study.answers import answered_value

    if position.is_over:
        return position.result
    moves = answer["moves"]
    first = moves[0]["wdl"], moves[0]["distance"]
    best = [move["name"] for move in moves if (move["wdl"], move["distance"]) == first]
    named = "any move" if len(best) == len(moves) > 1 else join_names(best, "or", limit=4)
    value = answered_value(answer)
    return f"{position.to_move} to move {describe_value(value)} with {named}."
