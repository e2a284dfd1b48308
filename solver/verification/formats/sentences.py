"""Write the sentences and boards that several formats share: the headline, the scope, the groups of blunders."""

from collections.abc import Iterator, Sequence

from solver.game.descriptions import describe_labels
from solver.game.notation import square_name
from solver.support.drawing.diagram import text_board
from solver.support.english import plural
from solver.verification.findings import SCORES, Findings
from solver.verification.grade import BlunderGroup, Verdict
from solver.verification.wording import format_kind, format_line, format_squares

MOST_GROUPS = 5
"""Groups of blunders that a text shows; JSON has them all."""


def write_headline(findings: Findings) -> str:
    """Write the result in one line."""
    wrong = findings.blunders + findings.failures
    asked = plural(findings.positions, "position")
    found = f"wrong in {wrong:,} of {asked}" if wrong else f"keeps the value in {asked}"
    return f"{findings.engine} on {findings.rules}: {found}"


def write_scope(findings: Findings) -> str:
    """Write which positions were asked."""
    scope, count = findings.scope, plural(findings.positions, "position")
    sides = scope.side or "X or O"
    where = f" for {scope.side}" if scope.side else ""
    times = f", each {plural(findings.repeat, 'time')}" if findings.repeat > 1 else ""
    if scope.kind == "sample":
        of = f" of {scope.total:,}" if scope.total else ""
        if scope.empty is not None:
            late = f"with at most {scope.empty} empty squares, each solved by search to the end"
            return f"a sample of {count} {late}{where} (seed {scope.seed}){times}"
        return f"a sample of {count}{of} with a move to make{where} (seed {scope.seed}){times}"
    return {
        "all": f"every position with a move to make{where}, {count}{times}",
        "play": f"every position that arises when it plays {sides} against any replies, {count}{times}",
        "given": f"{count} given{times}",
    }[scope.kind]


def write_readings(findings: Findings) -> Iterator[str]:
    """Write what else its form leaves open: each reading with its result beside that which counts."""
    if findings.readings:
        wrong = findings.blunders + findings.failures
        yield f"  as it stands, which counts: {wrong:,} of {plural(findings.positions, 'position')} wrong"
    yield from (f"  {reading}" for reading in findings.readings)
    yield from (f"  also possible: {other}" for other in findings.others)


def write_scores(findings: Findings) -> dict[str, str]:
    """Write both scores, and the points where they are not those of the first score out of a hundred."""
    every, critical = findings.scores["all"], findings.scores["critical"]
    sampled = ""
    if findings.interval:
        low, high = findings.interval
        sampled = f"; 95% confidence: {low:.4f} to {high:.4f} over all positions"
    found = {"score": f"{every.share:.4f}  (a random player: {every.chance:.4f}{sampled})"}
    if critical.positions:
        of = f"of {plural(critical.positions, 'position')}; a random player: {critical.chance:.4f}"
        found["score where moves can err"] = f"{critical.share:.4f}  ({of})"
    if (findings.most_points, findings.graded) != (Findings.most_points, Findings.graded):
        found["points"] = f"{findings.points:g} of {findings.most_points:g}, for {SCORES[findings.graded]}"
    return found


def write_group(group: BlunderGroup) -> str:
    """Write a group in one line: its kind, how many orientations fail, whether it arises in the engine's own games."""
    of = f" asked, of {group.orientations}" if group.asked < group.orientations else ""
    failing = f"{len(group.verdicts)} of {plural(group.asked, 'orientation')}{of}"
    arising = f", {group.in_play} of them in its own games" if group.in_play else ""
    return f"{format_kind(group.kind).capitalize()}, in {failing}{arising}"


def explain_blunder(group: BlunderGroup) -> Iterator[str]:
    """Write what it played, what is best, the line that punishes it, and other orientations that fail."""
    verdict = group.example
    position, move = verdict.position, verdict.answer.move
    rules = position.rules
    if move is None:
        return
    best = format_squares(rules, verdict.best)
    yield f"{position.to_move} plays {square_name(rules, move)}; best: {best} ({verdict.value})"
    yield f"Then {format_line(position.play(move), group.line)}"
    others = [(one.position.board, one.answer.move) for one in group.verdicts[1:] if one.answer.move is not None]
    if others:
        shown = [f"{board} {square_name(rules, move)}" for board, move in others[:3]]
        yield f"Also {', '.join(shown)}{', ...' if len(others) > 3 else ''}"


def write_legend(groups: Sequence[BlunderGroup], more: str = "") -> str:
    """Explain the labels on the boards of these groups."""
    draws = groups[0].canonical.rules.can_draw
    return describe_labels((value.label for group in groups for _, value in group.example.options), more, draws=draws)


def draw_board(verdict: Verdict) -> str:
    """Draw the board, each empty square with what a move there is worth, the move played in parentheses."""
    rules = verdict.position.rules
    return text_board(
        rules.diagram,
        verdict.position.cells,
        labels={square: value.label for square, value in verdict.options},
        highlight=[] if verdict.played is None or verdict.answer.move is None else [verdict.answer.move],
    )
