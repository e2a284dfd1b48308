"""Write the findings for people as text: for the terminal, or as Markdown."""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from solver.game.notation import square_name
from solver.support.english import plural
from solver.verification.criteria import list_criteria
from solver.verification.findings import Findings, Unverified
from solver.verification.formats import sentences
from solver.verification.grade import Blunder, Verdict
from solver.verification.wording import format_kind, format_percent, format_squares

MOST_LINES, MOST_COLUMNS = 5, 120  # of what an engine printed


def render_text(findings: Findings) -> str:
    """Write lines for the terminal: the criteria with results, then the worst blunders, each with its board."""
    return "\n".join(_write_lines(findings))


def render_text_error(unverified: Unverified) -> str:
    """Write what could not be verified, and why."""
    return f"{unverified.headline}\n\n{unverified.message}"


def _write_lines(findings: Findings) -> Iterator[str]:
    yield sentences.write_headline(findings)
    yield ""
    yield f"How it is asked: {findings.convention}"
    yield from (f"  {note}" for note in (*findings.told, *findings.notes))
    yield from sentences.write_readings(findings)
    yield f"Asked: {sentences.write_scope(findings)}"
    if findings.isolation:
        yield f"Run: {findings.isolation}"
    yield ""
    yield from _write_criteria(findings)
    yield from _write_groups(findings)
    yield from _write_failures(findings)
    yield from _write_missed_win(findings)
    yield ""
    yield _write_result(findings)


def _write_criteria(findings: Findings) -> Iterator[str]:
    criteria = list_criteria(findings)
    width = max(len(one.name) for one in criteria)
    for one in criteria:
        yield f"{one.name:<{width}}  {one.mark:<3}  {one.details}".rstrip()
    for name, score in sentences.write_scores(findings).items():
        yield f"{name:<{width}}  {score}"


def _write_groups(findings: Findings) -> Iterator[str]:
    shown, more = findings.groups[: sentences.MOST_GROUPS], findings.groups[sentences.MOST_GROUPS :]
    if shown:
        yield ""
        yield sentences.write_legend(shown, more="; (its move)")
    for number, group in enumerate(shown, 1):
        yield ""
        yield f"{number}. {sentences.write_group(group)}"
        yield from _indent(sentences.draw_board(group.example).splitlines())
        yield from _indent(sentences.explain_blunder(group))
        yield from _indent([findings.command(group.example)])
    if more:
        count = plural(sum(len(group.verdicts) for group in more), "blunder")
        yield ""
        yield f"... and {plural(len(more), 'more group')} with {count}; --format json has all."


def _write_failures(findings: Findings) -> Iterator[str]:
    """Write one example of every kind of failure, with its own words."""
    kinds: defaultdict[str, list[Verdict]] = defaultdict(list)
    for verdict in findings.worse:
        if verdict.fault and not isinstance(verdict.fault, Blunder):
            kinds[verdict.fault.value].append(verdict)
    for kind, verdicts in kinds.items():
        first = verdicts[0]
        count = plural(len(verdicts), "position")
        yield ""
        yield f"{format_kind(kind).capitalize()} in {count}, first in {first.position.board}"
        if first.answer.detail:
            yield from _indent([first.answer.detail])
        printed = [line.rstrip() for line in first.answer.output.splitlines() if line.strip()]
        if printed:
            yield from _indent(["It printed:", *(f"| {line[:MOST_COLUMNS]}" for line in printed[-MOST_LINES:])])
        yield from _indent([findings.command(first)])


def _write_missed_win(findings: Findings) -> Iterator[str]:
    """Write an example of a win that was missed, where nothing else is wrong."""
    missed = next((verdict for verdict in findings.verdicts if verdict.missed_win_in_one), None)
    if findings.faults or missed is None or missed.answer.move is None:
        return
    rules = missed.position.rules
    chosen, best = square_name(rules, missed.answer.move), format_squares(rules, missed.best)
    yield ""
    yield f"A win in one that it misses: {missed.position.to_move} plays {chosen} instead of {best}"
    yield from _indent([*sentences.draw_board(missed).splitlines(), findings.command(missed)])


def _indent(lines: Iterable[str]) -> Iterator[str]:
    return (f"   {line}" for line in lines)


def _write_result(findings: Findings) -> str:
    if findings.baseline is not None:
        if findings.worse:
            return f"Failed: {plural(len(findings.worse), 'position')} worse than in {findings.baseline.name}."
        return f"{'Nothing is' if findings.passed else 'Failed: its games are'} worse than in {findings.baseline.name}."
    if findings.asked_solver and not findings.may_ask_solver:
        return "Failed: it asked this package for its answers (--allow-solver lets it)."
    if findings.passed:
        return "Passed: it keeps the value." if findings.scope.kind == "all" else "Passed, as far as it was asked."
    return f"Failed: it keeps the value in {format_percent(findings.score)} of the positions asked."


_MARKS = {True: "yes", False: "**no**", None: "?"}


def render_markdown(findings: Findings) -> str:
    """Write GitHub-flavoured Markdown, for an issue, a pull request or the summary of a continuous-integration job."""
    return "\n".join(_write_markdown(findings))


def render_markdown_error(unverified: Unverified) -> str:
    """Write what could not be verified, and why."""
    return f"## {escape_markdown(unverified.headline)}\n\n**Not verified**: {escape_markdown(unverified.message)}"


def _write_markdown(findings: Findings) -> Iterator[str]:
    yield f"## {escape_markdown(sentences.write_headline(findings))}"
    yield ""
    result = "Passed" if findings.passed else "**Failed**"
    yield f"{result}. Asked: {sentences.write_scope(findings)}."
    yield f"How it is asked: {escape_markdown(findings.convention)}."
    yield from (f"\n- {escape_markdown(line.strip())}" for line in sentences.write_readings(findings))
    yield ""
    yield "| question | answer | |"
    yield "| --- | --- | --- |"
    for one in list_criteria(findings):
        yield f"| {one.name} | {_MARKS[one.met]} | {escape_markdown(one.details)} |"
    for name, score in sentences.write_scores(findings).items():
        yield f"| {name} | | {score} |"
    for group in findings.groups[: sentences.MOST_GROUPS]:
        yield ""
        yield f"### {sentences.write_group(group)}"
        yield ""
        yield "```text"
        yield sentences.draw_board(group.example)
        yield from sentences.explain_blunder(group)
        yield findings.command(group.example)
        yield "```"
    more = len(findings.groups) - sentences.MOST_GROUPS
    if more > 0:
        yield ""
        yield f"And {plural(more, 'more group')} of blunders."


def escape_markdown(text: str) -> str:
    """Escape what Markdown and its tables would take for signs of theirs."""
    for sign in "\\`*_|<>[]":
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", " ")
