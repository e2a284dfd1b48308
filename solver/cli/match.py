"""`mnk match`: play games between engines, or compute the expected result exactly."""

import json
from math import inf, isfinite
from pathlib import Path
from typing import Any

import click

from solver.cli.options import (
    convention_options,
    count_option,
    data_option,
    game_argument,
    mnk_command,
    positive_option,
)
from solver.cli.output import align_columns
from solver.cli.running import show_progress
from solver.engines.match import GAMES, Terms, play_match
from solver.engines.playing import GameRecord
from solver.engines.results import CROSS_TABLE_NOTE, ELO_NOTE
from solver.errors import InputError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.study.played import read_played_game, split_games, write_psq
from solver.support.english import plural
from solver.support.files import write_file
from solver.verification.player import open_engines


@mnk_command(
    "match",
    "mnk match 3,3,3 random random                 exactly, as the game is small",
    "mnk match 3,3,3 perfect random --swap         on both sides",
    "mnk match 3,3,3 random graded perfect         a round robin: a cross table",
    "mnk match 4,4,4 alphabeta:cutoff=2 mcts --games 50",
    "mnk match 3,3,3 'cmd:./engine' graded --swap  a program in any language",
    "mnk match 3,3,3 random perfect --games 1000 --json > games.jsonl",
    "mnk match 15,15,5 gomocup:./a gomocup:./b --openings o.txt --psq games/",
)
@game_argument
@click.argument("engines", metavar="ENGINE...", nargs=-1, required=True)
@click.option("--swap", is_flag=True, help="Swap sides after each game; by default the first engine of two plays X.")
@count_option(
    "--games", f"Games of each pair; default: the exact expectation if it is quick to compute, otherwise {GAMES} games."
)
@click.option("--seed", type=int, metavar="S", default=0, show_default=True, help="The seed of all random choices.")
@click.option(
    "--openings",
    type=click.Path(exists=True, dir_okay=False),
    help="A file of games to continue, one in each line: moves, or openings of Gomocup.",
)
@positive_option("--clock", "The limit for all moves of an engine in a game; default: none.")
@click.option("--psq", type=click.Path(file_okay=False, path_type=Path), help="Write each game as PSQ to this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print each game, then the result, as lines of JSON.")
@convention_options
@data_option
def command(
    rules: Rules,
    engines: tuple[str, ...],
    games: int | None,
    swap: bool,
    seed: int,
    openings: str | None,
    clock: float | None,
    psq: Path | None,
    as_json: bool,
    data: Path,
    **stated: Any,
) -> None:
    """Play games of GAME between two ENGINEs, or a round robin of more ENGINEs, in which every pair swaps sides.

    An ENGINE is a name with options, such as alphabeta:cutoff=2 (`mnk engines` lists them), or a program, a server
    or a function, as `mnk verify` takes it. --board to --time are for these, and apply to all of them. An engine
    that gives no legal move in time loses the game, the match goes on, and the exit code is 1 in the end. With
    --json or --psq, the games are kept. If both engines know the probabilities of their moves and the game is
    small, the expected result is computed exactly instead.
    """
    if psq:
        psq.mkdir(parents=True, exist_ok=True)
        write_psq(Position.start(rules), [], [], engines)  # refuses a game that PSQ can't hold
    given = split_games(Path(openings).read_text(encoding="utf-8-sig", errors="replace")) if openings else []
    starts = tuple(read_played_game(rules, line).positions[-1] for line in given)
    if openings and not starts:
        raise InputError(f"{quoted(openings)} has no openings; write one in each line, such as 'h8 i9'.")
    terms = Terms(Position.start(rules), games, swap, seed, starts, clock)
    failures = list[str]()
    with open_engines(rules, data, stated, engines) as make, show_progress(" against ".join(engines)) as show:

        def watch(record: GameRecord, total: int) -> None:
            failures.extend([record.failure] if record.failure else [])
            if psq:
                seconds = [choice.seconds or 0 for choice in record.choices]
                names, is_lost = [record.x, record.o], record.failure is not None
                text = write_psq(record.start, record.moves, seconds, names, is_lost=is_lost)
                write_file(psq / f"{record.number}.psq", text)
            if as_json:
                click.echo(json.dumps(record.json()))
            if show:
                show(record.number, total)

        result = play_match(engines, terms, make=make, watch=watch)
    heading, colon, rest = result.title.partition(": ")
    heading = f"{heading} on {rules}{colon}{rest}"
    if as_json:
        click.echo(json.dumps({"game": rules.name, "seed": terms.seed, "result": result.json()}))
    else:
        click.echo("\n".join([heading, "", align_columns(result.cells(), left=[0, 1])]))
        if len(engines) == 2 and not result.pairs[0].exact:
            more, low, high = result.pairs[0].elo
            ends = f"{low:+.0f} to {high:+.0f}" if isfinite(high - low) else f"at least {low:+.0f}"
            ends = f"at most {high:+.0f}" if low == -inf else ends
            click.echo(f"\nElo difference: {more:+.0f} (95 % interval: {ends})")
        if len(engines) > 2:
            exact = sum(pair.exact for pair in result.pairs)
            played = sum(int(pair.score.games) for pair in result.pairs if not pair.exact)
            click.echo(f"\n{CROSS_TABLE_NOTE}")
            if result.ratings:
                click.echo(ELO_NOTE)
            click.echo(f"{plural(exact, 'pair')} computed exactly, {plural(played, 'game')} played.")
        if failures:
            click.echo(f"\n{plural(len(failures), 'game')} lost by a failure, the first: {failures[0]}")
    raise click.exceptions.Exit(1 if failures else 0)
