"""Matches and tournaments as cells of text, as bars, and as HTML for notebooks."""

from collections.abc import Iterator
from fractions import Fraction

from solver.drawing.bars import svg_bars
from solver.drawing.html import html_block, html_note, html_table
from solver.match.report import Report
from solver.match.score import Score
from solver.match.tournament import Standing, Tournament

__all__ = ["match_bars", "match_cells", "match_html", "tournament_bars", "tournament_cells", "tournament_html"]

Bars = list[tuple[str, tuple[float, float, float]]]
"""Labels, and the shares of wins, draws and losses, for `solver.drawing.bars`."""

_SHARES = "Shares of the games"
_LONGEST = 13  # characters of a fraction that is shown as one


def match_cells(report: Report) -> list[list[str]]:
    """The headings, and a row for each side that the first engine played."""
    rows = [[report.first, plays or "both", *_cells(score, report.exact)] for plays, score in _sides(report)]
    return [["engine", "", "wins", "draws", "losses", "points a game"], *rows]


def match_bars(report: Report) -> Bars:
    """The same as shares to draw."""
    return [(f"{report.first} {plays}".strip(), score.shares) for plays, score in _sides(report)]


def match_html(report: Report) -> str:
    """The table above the bars."""
    header, *rows = match_cells(report)
    games = "the exact expectation" if report.exact else f"{report.score.games} games"
    title = f"{report.first} against {report.second}: {games}"
    return html_block(title, html_table(header, rows, left=(0, 1)), svg_bars(_SHARES, match_bars(report)))


def tournament_cells(tournament: Tournament) -> list[list[str]]:
    """The headings of the cross table, and a row for each engine, best first."""
    standings = tournament.standings
    numbers = [str(place) for place in range(1, len(standings) + 1)]
    header = ["", "engine", *numbers, "points a game", "wins", "draws", "losses"]
    rows = [[number, *_row(standing, standings)] for number, standing in zip(numbers, standings, strict=True)]
    return [header, *rows]


def tournament_bars(tournament: Tournament) -> Bars:
    """The mean shares of each engine, best first."""
    return [(standing.engine, standing.shares) for standing in tournament.standings]


def tournament_html(tournament: Tournament) -> str:
    """The cross table above the bars."""
    header, *rows = tournament_cells(tournament)
    title = f"Tournament of {len(tournament.engines)} engines"
    note = html_note("Points a game, 1 for a win and 1/2 for a draw, of each engine against the others.")
    bars = svg_bars(_SHARES, tournament_bars(tournament))
    return html_block(title, html_table(header, rows, left=(0, 1)), note, bars)


def _sides(report: Report) -> list[tuple[str, Score]]:
    """The scores of the first engine: as X, and where they exchanged colours as O and in all."""
    if not report.as_o.games:
        return [("as X", report.as_x)]
    return [("as X", report.as_x), ("as O", report.as_o), ("", report.score)]


def _cells(score: Score, exact: bool) -> Iterator[str]:
    for part, share in zip(score.parts, score.shares, strict=True):
        yield _fraction(part / score.games) if exact else f"{part} ({share:.1%})"
    yield f"{float(score.share):.4f}" if exact else f"{float(score.share):.3f} +- {score.error:.3f}"


def _fraction(share: Fraction) -> str:
    text, percent = str(share), f"{float(share):.2%}"
    return f"{text} ({percent})" if "/" in text and len(text) <= _LONGEST else percent


def _row(standing: Standing, standings: list[Standing]) -> Iterator[str]:
    yield standing.engine
    for other in standings:
        score = standing.against.get(other.engine)
        yield "-" if score is None else f"{float(score.share):.3f}"
    yield f"{float(standing.share):.4f}"
    for share in standing.shares:
        yield f"{share:.1%}"
