"""A sheet of puzzles to print, as HTML: the boards first, and the solutions on a page of their own."""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from solver.drawing.board import draw_board
from solver.drawing.canvas import svg
from solver.game.descriptions import describe_rules
from solver.game.diagrams import line_strokes
from solver.game.gallery import GALLERY
from solver.game.notation import square_name
from solver.game.rules import Rules
from solver.study.puzzles import Puzzle

_STYLE: Final = (
    "@page{size:A4;margin:15mm}body{font:11pt/1.4 system-ui,sans-serif;max-width:52rem;margin:auto}"
    ".boards{display:grid;grid-template-columns:repeat(3,1fr);gap:8mm;padding:0;list-style-position:inside}"
    ".boards li{break-inside:avoid}.boards svg{width:100%;height:auto;margin-top:2mm}"
    ".solutions{break-before:page;margin-top:15mm}"
)


def puzzle_sheet(rules: Rules, puzzles: Sequence[Puzzle], origin: str) -> str:
    """Return a page of HTML with puzzles of a game and, on its last sheet of paper, their solutions.

    origin: a sentence on where the puzzles come from.
    """
    title = next((game["title"] for game in GALLERY if game["game"] == rules.name), rules.name)
    description = describe_rules(rules)
    parts = [
        f"<h1>{escape(title)}: puzzles</h1>",
        f"<p>{escape(description[0].upper() + description[1:])}. Name: ______________________</p>",
        '<ol class="boards">',
        *(f"<li>{escape(puzzle.task)}{_board(puzzle)}</li>" for puzzle in puzzles),
        '</ol><section class="solutions"><h2>Solutions</h2><ol>',
        *(f"<li>{escape(solution)}</li>" for solution in _solutions(puzzles)),
        f"</ol><p>{escape(origin)}</p></section>",
    ]
    head = f'<meta charset="utf-8"><title>{escape(title)}: puzzles</title><style>{_STYLE}</style>'
    return f'<!DOCTYPE html>\n<html lang="en"><head>{head}</head>\n<body>\n' + "\n".join(parts) + "\n</body></html>\n"


def solve(puzzle: Puzzle) -> str:
    """Return the solution of a puzzle in words."""
    return " ".join(square_name(puzzle.position.rules, square) for square in puzzle.line or (puzzle.square,))


def _solutions(puzzles: Sequence[Puzzle]) -> Iterator[str]:
    for puzzle in puzzles:
        yield f"{solve(puzzle)} ({', '.join([puzzle.level, *puzzle.themes])})"


def _board(puzzle: Puzzle) -> str:
    rules, position = puzzle.position.rules, puzzle.position
    return svg(draw_board(rules.diagram, position.cells, title=position.board, strokes=line_strokes(rules)))
