"""Draw puzzles from a table: positions in which one move alone wins, or one alone holds the draw.

Every such position of the game is as likely as any other: positions are drawn by ply and stones, and those that are no
puzzles are passed over. What is drawn follows from the seed alone, here and on the page of a site
(`solver/web/page/js/tables/puzzles.js`).
"""

from collections.abc import Iterator
from datetime import date
from typing import Annotated, Final, Literal, NamedTuple

from solver.answers import Move, Square, position_answer, square_answer
from solver.errors import PositionError
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Side
from solver.game.sampling import draw_position
from solver.study.review import judge
from solver.study.themes import SIGHTS, Level, Theme, count_decoys, level_of, list_themes
from solver.support.schemas import Answer, Described
from solver.support.splitmix import SplitMix64
from solver.tablebase import RankedMoves, Tablebase

Goal = Literal["win", "draw"]

_VERBS: Final = {"win": "wins", "draw": "draws"}
_CHUNK: Final = 50  # positions that are probed together
_MOST_OF_A_DAY: Final = 2_000  # positions that are looked at for a puzzle that is not easy

MOST_DRAWN: Final = 20_000
"""Positions that are looked at before it is said that there is no such puzzle: some seconds."""


class Puzzle(NamedTuple):
    """A position with one move to find."""

    position: Position
    square: int
    """The only move."""
    goal: Goal
    """What it reaches, and no other move does."""
    decoys: int
    """Other moves that look as good to one who sees two plies."""
    themes: tuple[Theme, ...]
    moves: RankedMoves
    """Every move with its value, best first."""

    @property
    def level(self) -> Level:
        """How hard it is; searched in a table without distances."""
        return level_of(self.position, self.moves)

    @property
    def task(self) -> str:
        """What is asked, as a sentence."""
        return f"{self.position.to_move} to move: find the only move that {_VERBS[self.goal]}."

    @property
    def about(self) -> str:
        """Name its themes, in a sentence; empty if it has none."""
        themes = ", ".join(self.themes)
        return f"Theme{'s' if len(self.themes) > 1 else ''}: {themes}." if themes else ""

    def judge(self, square: int) -> str:
        """Say whether a move is the one, and if not, what it gave away."""
        if square == self.square:
            return f"Right: only {square_name(self.position.rules, square)} {_VERBS[self.goal]}. {self.about}".strip()
        return f"No: {judge(self.position, self.moves, square)[1]}"


class PuzzleAnswer(Answer):
    """A puzzle with its solution."""

    game: Annotated[str, Described(example="3,3,3")]
    position: Annotated[str, Described("The rows from the top.", "XO./.X./...")]
    hash: int
    to_move: Side
    task: Annotated[str, Described(example="O to move: find the only move that draws.")]
    goal: Annotated[Goal, Described("What the only move reaches, and no other does.")]
    level: Level
    decoys: Annotated[int, Described("Other moves that look as good to one who looks two plies ahead.", 2)]
    themes: list[Theme]
    solution: Square
    moves: Annotated[list[Move], Described("Every move with its value, best first.")]


class Puzzles(Answer):
    """Puzzles that follow from a seed."""

    seed: Annotated[str, Described("What they were drawn from: a number, or the date of a daily puzzle.", "2026-11-22")]
    puzzles: list[PuzzleAnswer]


def draw_puzzles(
    table: Tablebase,
    seed: object,
    count: int = 1,
    *,
    level: Level | None = None,
    theme: Theme | None = None,
    goal: Goal | None = None,
    most: int = MOST_DRAWN,
) -> list[Puzzle]:
    """Draw different puzzles of a game, of a level, a theme and a goal where they are given.

    seed: the same gives the same puzzles, whatever their count. most: how many positions are drawn; fewer puzzles come
    back where no more are met. Raises PositionError where none is.
    """
    found: dict[Position, Puzzle] = {}
    for puzzle in _meet_puzzles(table, seed, goal, most):
        wanted = (theme is None or theme in puzzle.themes) and level in {None, puzzle.level}
        if wanted and puzzle.position not in found:
            found[puzzle.position] = puzzle
        if len(found) == count:
            break
    if not found:
        asked = (level and f"of level {level}", goal and f"to {goal}", theme and f"with the theme {theme}")
        kind = " ".join(word for word in ("puzzle", *asked) if word)
        raise PositionError(f"No {kind} was met in {most:,} positions of {table.rules}; ask for another kind.")
    return list(found.values())


def daily_puzzle(table: Tablebase, day: date) -> Puzzle:
    """Return the puzzle of a day, the same for everybody: the first that is met and not easy, if there is one soon."""
    met = []
    for puzzle in _meet_puzzles(table, day, None, _MOST_OF_A_DAY):
        if puzzle.decoys:
            return puzzle
        met.append(puzzle)
    return met[0] if met else draw_puzzles(table, day)[0]


def make_puzzle(table: Tablebase, position: Position, moves: RankedMoves, goal: Goal | None = None) -> Puzzle | None:
    """Make a puzzle of a position with its ranked moves; None if it has no only move, or one of another goal."""
    if len(moves) < 2 or moves[0][1].wdl < 0 or moves[1][1].wdl == moves[0][1].wdl:
        return None
    (square, value), reached = moves[0], "win" if moves[0][1].wdl > 0 else "draw"
    if goal not in {None, reached}:
        return None
    replies = table.replies(position.play(square))
    decoys = count_decoys(position, moves, SIGHTS["easy"])
    themes = list_themes(position, square, wins=value.wdl > 0, replies=replies)
    return Puzzle(position, square, "win" if value.wdl > 0 else "draw", decoys, themes, moves)


def puzzle_answer(table: Tablebase, puzzle: Puzzle) -> PuzzleAnswer:
    """Return a puzzle for JSON."""
    position = puzzle.position
    answer = position_answer(table, position)
    return {
        "game": position.rules.name,
        "position": position.board,
        "hash": position.hash,
        "to_move": position.to_move,
        "task": puzzle.task,
        "goal": puzzle.goal,
        "level": puzzle.level,
        "decoys": puzzle.decoys,
        "themes": list(puzzle.themes),
        "solution": square_answer(position.rules, puzzle.square),
        "moves": answer["moves"],
    }


def _meet_puzzles(table: Tablebase, seed: object, goal: Goal | None, most: int) -> Iterator[Puzzle]:
    """Draw positions, and yield those that are puzzles, some of them perhaps again."""
    draw, live = SplitMix64(f"{table.rules} {seed}"), table.live_counts()
    for _ in range(0, most, _CHUNK):
        positions = [draw_position(table.rules, draw.weighted(live), draw) for _ in range(_CHUNK)]
        for position, moves in zip(positions, table.moves_many(positions), strict=True):
            if puzzle := make_puzzle(table, position, moves, goal):
                yield puzzle
