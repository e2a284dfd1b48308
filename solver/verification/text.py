"""Write a report as text that fits on a screen, and the sentences that other formats share."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from solver.drawing.diagram import text_board
from solver.game.descriptions import describe_labels
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.support.english import plural
from solver.verification.answer import Failure
from solver.verification.convention import write_option
from solver.verification.findings import Findings, NotGraded
from solver.verification.grade import SEVERITY, Blunder, BlunderGroup
from solver.verification.refutation import Refutation

SCREEN = 40  # the most lines of a report

_EVERYWHERE = "in every position asked"
_KEEPS = {False: "keeps the value", True: "plays what is forced"}
_BLUNDER_LINES = 11  # lines of a blunder with a board of three rows
_MOST_MOVES = 12  # best moves of a blunder
_MOST_PRINTED = 16  # lines of output in a report on given positions: enough for a traceback


@dataclass(frozen=True)
class Criterion:
    """A criterion with its result."""

    name: str
    met: bool | None  # whether the engine meets the criterion; None if that is unknown
    details: str
    required: bool = False  # true if an engine must meet it to pass

    @property
    def mark(self) -> str:
        """The result: `yes`, `no` or `?`."""
        return {True: "yes", False: "no", None: "?"}[self.met]


def list_criteria(findings: Findings | NotGraded) -> list[Criterion]:
    """Return the criteria with their results: first "keeps the value"; if nothing was graded, only "is graded"."""
    if isinstance(findings, NotGraded):
        return [Criterion("is graded", False, findings.message, required=True)]
    counts = findings.counts
    faults = [_count_kind(counts[kind], kind) for kind in reversed(SEVERITY) if counts[kind]]
    slow = {"slow win": counts["slow_win"], "short defence": counts["short_defence"]}
    counted = ", ".join(plural(count, noun) for noun, count in slow.items() if count)
    if findings.is_fastest is None:
        counted = "not all distances are known"
    others = "see the first line" if findings.wrong else _EVERYWHERE
    taken, missed = findings.takes_wins_in_one, counts["missed_win_in_one"]
    wins = f"{missed:,} missed" if missed else _EVERYWHERE if taken else others
    found = [
        Criterion(
            _KEEPS[findings.scope.is_forced], not findings.wrong, ", ".join(faults) or _EVERYWHERE, required=True
        ),
        Criterion("shortest win, longest defence", findings.is_fastest, counted or others),
        Criterion("takes every win in one", taken, wins),
    ]
    for side, one in findings.refutations.items():
        unbeaten = None if one.lost_anyway or one.beaten is None else not one.beaten
        details = _describe(findings.rules, one)
        found.append(Criterion(f"unbeaten as {side}", unbeaten, details, required=not one.lost_anyway))
    if values := findings.values:
        share = format_percent(values.agreeing / values.positions)
        details = f"{share} of {plural(values.positions, 'value')} agree (scale {values.scale})"
        if values.for_x:
            details += "; as values for X instead of the side to move, all would agree"
        elif values.disagreeing:
            first = values.disagreeing[0]
            true = f"a {first.value.category}" if first.value else "of unknown value"
            details += f"; for example, it states {first.answer.value:g} in {first.position.board}, {true}"
        found.append(Criterion("states true values", not values.disagreeing, details))
    return found


def _describe(rules: Rules, found: Refutation) -> str:
    asked = plural(found.positions, "position")
    if found.line is None:
        said = (
            f"proof: every reply tried, {asked}"
            if found.complete
            else f"no loss found in {asked}; others were not tried"
        )
        said = said if found.positions else "not tried: time ran out"
    else:
        line = format_line(Position.start(rules), found.line, found.mistakes)
        where = f"after {line}" if line else "on the empty board"
        forfeit = f"{format_kind(found.forfeit)} {where}" if found.forfeit else ""
        if found.forfeit == Failure.TIMEOUT:
            forfeit += " (more time for a move may help)"
        said = forfeit or f"lost in {plural(len(found.line), 'ply', 'plies')}: {line}"
    return f"the game is lost for {found.side} from the start; {said}" if found.lost_anyway else said


def _describe_beaten(findings: Findings) -> str:
    """Describe how the engine loses its own games: `as X: timeout on the empty board`; empty if it loses none."""
    lost = [one for one in findings.refutations.values() if one.beaten and not one.lost_anyway]
    return "; ".join(f"as {one.side}: {_describe(findings.rules, one)}" for one in lost)


def write_headline(findings: Findings | NotGraded) -> str:
    """Return the result in one line of text."""
    if isinstance(findings, NotGraded):
        points = f", 0 of {findings.most_points:g} points" * findings.is_engines_fault
        return f"{findings.engine} on {findings.game}: not graded{points}"
    asked = plural(len(findings.verdicts), "position")
    found = (
        f"wrong in {findings.wrong:,} of {asked}"
        if findings.wrong
        else f"{_KEEPS[findings.scope.is_forced]} in {asked}"
    )
    if side := findings.perfect_side:
        other = "O" if side == "X" else "X"
        stated = write_option("side", side, in_python=findings.in_python)
        found += f", all as {other}" + f"; perfect as {side} ({stated})" * (findings.scope.kind == "all")
    if not findings.wrong and (beaten := _describe_beaten(findings)):
        found += f", but {beaten}"
    return f"{findings.engine} on {findings.rules}: {found}"


def describe_run(findings: Findings) -> list[str]:
    """Return lines of text about the run: the convention, the positions, the isolation, and notes."""
    lines = [f"Asked as: {findings.convention}", f"Asked in: {write_scope(findings)}"]
    lines += [f"Run: {findings.isolation}"] if findings.isolation else []
    return [*lines, *(f"Note: {note}" for note in findings.notes)]


def write_scope(findings: Findings) -> str:
    """Describe the positions on which the engine was graded."""
    scope, count = findings.scope, plural(len(findings.verdicts), "position")
    side = f" for {scope.side}" if scope.side else ""
    if scope.kind == "all":
        return f"every position with a legal move{side}, {count} (order: seed {scope.seed})"
    if scope.kind == "given":
        return f"{count} given"
    if scope.is_forced:
        wins = sum(verdict.forced is not None and verdict.forced.win is not None for verdict in findings.verdicts)
        where = f"of random games{side} that threats settle: {plural(wins, 'win')} by continuous fours, and "
        where += plural(len(findings.verdicts) - wins, "defence") + " against one"
    elif scope.empty is not None:
        where = f"with at most {scope.empty} empty squares{side}, each solved by search"
    else:
        of = f" of {scope.total:,}" if scope.total else ""
        where = f"{of} with a legal move{side}".strip()
    return f"a sample of {count} {where} (seed {scope.seed})"


def write_score(findings: Findings) -> str:
    """Return the score, the number of positions and, for a sample, the confidence interval, in words."""
    if not findings.counted:
        return "?  (no move can err in the positions asked)"
    of = f"of {plural(len(findings.counted), 'position')} where a move can err"
    of += " or the engine failed" * any(not verdict.critical for verdict in findings.counted)
    sampled = ""
    if findings.interval:
        low, high = findings.interval
        sampled = f"; 95% confidence: {low:.4f} to {high:.4f}"
    worth = "" if findings.most_points == 100 else f"{findings.points:g} of {findings.most_points:g} points; "
    return f"{findings.score:.4f}  ({worth}{of}; a random player: {findings.chance:.4f}{sampled})"


def write_result(findings: Findings) -> str:
    """Return the last line of a report."""
    if findings.baseline is not None:
        if findings.worse:
            return f"Failed: {plural(len(findings.worse), 'position')} worse than in {findings.baseline.name}."
        return f"{'Nothing is' if findings.passed else 'Failed: its games are'} worse than in {findings.baseline.name}."
    if findings.passed:
        return "Passed: it keeps the value." if findings.scope.kind == "all" else "Passed, as far as it was asked."
    if not findings.wrong:
        return f"Failed {_describe_beaten(findings)}."
    share = format_percent(1 - findings.wrong / len(findings.verdicts))
    return f"Failed: it {_KEEPS[findings.scope.is_forced]} in {share} of the positions asked."


def write_group(group: BlunderGroup) -> str:
    """Describe a group of blunders in one line of text."""
    failing = f"{len(group.verdicts)} of {plural(group.orientations, 'orientation')}"
    arising = f", {group.in_play} of them in its own games" if group.in_play else ""
    return f"{format_kind(group.kind).capitalize()}, in {failing}{arising}"


def explain_blunder(group: BlunderGroup) -> list[str]:
    """Describe the engine's move, the best moves, and the moves that punish the blunder."""
    verdict = group.verdicts[0]
    position, move = verdict.position, verdict.answer.move
    assert move is not None  # a blunder is a move
    names, after = [square_name(position.rules, square) for square in verdict.best], position.play(move)
    played, best = f"{position.to_move} plays {square_name(position.rules, move)}", " ".join(names[:_MOST_MOVES])
    best += " ..." * (len(names) > _MOST_MOVES)
    if verdict.fault is Blunder.MISSED_WIN:
        within = f"a win within {plural(len(group.line), 'ply', 'plies')}"
        return [f"{played} and misses {within}: {format_line(position, group.line)}"]
    if verdict.fault is Blunder.ALLOWED_WIN:
        within = f"a win within {plural(len(group.line), 'ply', 'plies')}"
        return [f"{played} and allows {within}: {format_line(after, group.line)}. Not lost to fours: {best}"]
    return [f"{played}; best: {best} ({verdict.value}). Then {format_line(after, group.line)}"]


def distinct_groups(findings: Findings) -> list[BlunderGroup]:
    """Return one group for each position with blunders: the group of the worst kind."""
    first: dict[Position, BlunderGroup] = {}
    for group in findings.groups:
        first.setdefault(group.canonical, group)
    return [*first.values()]


def write_legend(groups: Iterable[BlunderGroup], rules: Rules) -> str:
    """Explain the labels on the boards of these groups."""
    labels = [value.label for group in groups for value in group.verdicts[0].labels.values()]
    return describe_labels(labels, "; (its move)", draws=rules.can_draw)


def render_text(findings: Findings | NotGraded) -> str:
    """Return at most SCREEN lines of text: the criteria with results, then as many of the worst blunders as fit."""
    if isinstance(findings, NotGraded):
        return f"{write_headline(findings)}\n\n{findings.message}"
    criteria = list_criteria(findings)
    width = max(len(one.name) for one in criteria)
    lines = [write_headline(findings), "", *describe_run(findings), ""]
    lines += [f"{one.name:<{width}}  {one.mark:<3}  {one.details}".rstrip() for one in criteria]
    lines += [f"{'score':<{width}}  {write_score(findings)}"]
    left = SCREEN - len(lines) - len(write_failures(findings)) - 2
    failures = write_failures(findings, room=1 + max(left - _BLUNDER_LINES * bool(findings.groups), 0))
    blocks = _write_blunders(findings, SCREEN - len(lines) - len(failures) - 2)
    return "\n".join([*lines, *blocks, *failures, "", write_result(findings)])


def _write_blunders(findings: Findings, room: int) -> list[str]:
    groups = distinct_groups(findings)
    if not groups:
        return []
    lines = ["", write_legend(groups[:3], findings.rules)]
    for number, group in enumerate(groups, 1):
        verdict, head = group.verdicts[0], f"{number}. {write_group(group)}"
        drawn = text_board(
            findings.rules.diagram,
            verdict.position.cells,
            labels={square: value.label for square, value in verdict.labels.items()},
            highlight=[] if verdict.answer.move is None else [verdict.answer.move],
        ).splitlines()
        said = [*explain_blunder(group), findings.command_for(verdict)]
        block = [head, *(f"   {line}" for line in [*drawn, *said])]
        if number == 1 and len(lines) + len(block) + 1 > room:
            block = [head, *(f"   {line}" for line in said)]
        elif len(lines) + len(block) + 1 > room:
            more = plural(len(groups) - number + 1, "more position")
            return [*lines, f"... and {more} up to symmetry; the JSON report lists them all."]
        lines += block
    return lines


def write_failures(findings: Findings, room: int = 1) -> list[str]:
    """Write an example of each kind of failure, with its message or output; without any fault, a missed win in one.

    room: lines for the output of a crash.
    """
    lines: list[str] = []
    seen, counts = set[str](), findings.counts
    for verdict in findings.worse:
        if isinstance(verdict.fault, Blunder) or verdict.fault is None or verdict.fault in seen:
            continue
        seen.add(verdict.fault)
        count = plural(counts[verdict.fault], "position")
        said = f": {verdict.answer.detail}" if verdict.answer.detail else ""
        lines += [] if lines else [""]
        lines += [f"{format_kind(verdict.fault).capitalize()} in {count}, such as {verdict.position.board}{said}"]
        printed = [line.strip() for line in verdict.answer.output.splitlines() if line.strip()]
        most = room if verdict.fault == Failure.CRASH else 1
        most = _MOST_PRINTED if findings.scope.kind == "given" else min(most, _MOST_PRINTED)
        lines += [f"   it printed: {line[:120]}" for line in _shorten(printed, most)]
        lines += [f"   {findings.command_for(verdict)}"]
    missed = next((one for one in findings.verdicts if one.missed_win_in_one and not findings.wrong), None)
    if missed and missed.answer.move is not None:
        rules, position = missed.position.rules, missed.position
        best = " ".join(square_name(rules, one) for one in missed.best)
        played = f"{position.to_move} plays {square_name(rules, missed.answer.move)} instead of {best}"
        lines += ["", f"A win in one that it misses: {played}", f"   {findings.command_for(missed)}"]
    return lines


def _shorten(lines: Sequence[str], most: int) -> Sequence[str]:
    """Return at most `most` lines, the first and the last ones: node names the error at the start, Python at the end.

    >>> _shorten("abcdefgh", 6), _shorten("abcdefgh", 1)
    (['a', 'b', 'c', 'd', '...', 'h'], ['h'])
    """
    if len(lines) <= most:
        return [*lines]
    last = 1 + max(most - 6, 0) // 2
    return [*lines[: most - last - 1], "...", *lines[-last:]] if most > 2 else [*lines[-most:]]


def _count_kind(count: int, kind: str) -> str:
    """Return a number of faults in words: "2 missed wins", "3 crashes", but "2 win to loss"."""
    if kind == Failure.WRONG_TYPE:
        return f"{plural(count, 'move')} of the wrong type"
    if kind == Failure.ILLEGAL:
        return plural(count, "illegal move")
    words = format_kind(kind)
    return f"{count:,} {words}" if " to " in words else plural(count, words, f"{words}es" if words[-2:] == "sh" else "")


def format_kind(kind: str) -> str:
    """Return the name of a fault as words: `win_to_draw` is "win to draw"."""
    return kind.replace("_", " ")


def format_percent(share: float) -> str:
    """Return a share from 0 to 1 as a percentage; only the shares 0 and 1 give 0% and 100%.

    >>> format_percent(1.0), format_percent(0.99999), format_percent(0.25), format_percent(0.00001)
    ('100%', '>99.99%', '25.00%', '<0.01%')
    """
    if share in {0.0, 1.0}:
        return f"{share:.0%}"
    if share > 0.9999:
        return ">99.99%"
    return f"{share:.2%}" if share >= 0.0001 else "<0.01%"


def format_line(start: Position, line: Iterable[int], mistakes: Collection[int] = ()) -> str:
    """Return moves in words, followed by the outcome; a question mark follows each move whose index is in `mistakes`.

    >>> from solver.game.games import parse_game
    >>> format_line(Position.parse(parse_game("3,3,3"), "XX./OO./..."), [2])
    'X c1, X wins'
    """
    position, parts = start, []
    for index, move in enumerate(line):
        parts.append(f"{position.to_move} {square_name(position.rules, move)}{'?' * (index in mistakes)}")
        position = position.play(move)
    if (outcome := position.outcome) is not None:
        parts.append("a draw" if outcome == "draw" else f"{outcome} wins")
    return ", ".join(parts)
