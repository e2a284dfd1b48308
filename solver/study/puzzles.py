"""Choose puzzles: positions in which only one move wins, or only one keeps the draw.

A table has every such position. On a large board, the puzzles are wins by continuous fours from random games
(`solver.search.forced`), in which only one move begins such a win; the longer, the harder. If the length is limited,
they are wins by continuous threats too.

Every puzzle of a table has the same probability: a random ply and random stones are chosen, and a position is
skipped unless it has exactly one such move. The same seed gives the same puzzles here and on the page of
a site (`solver/web/page/js/tables/puzzles.js`).

A search to n plies rates a move 1 if the move wins within n plies, -1 if it loses within n plies, and otherwise 0. The
level of a puzzle depends on its *decoys*: the other moves that a search rates as high as the solution. An easy puzzle
has no decoys at two plies, a medium puzzle has none at four plies, and all others are hard.

| theme | the only move ... |
| --- | --- |
| finish | wins at once |
| block | does not finish, and every other move loses to the next reply |
| fork | threatens to complete a line on two squares or more, and the opponent threatens none |
| trap | leaves the opponent two replies or more, exactly one of which keeps the result |
| long win | wins, in five plies or more |
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Annotated, Final, Literal, NamedTuple, NotRequired, get_args

from solver.errors import InputError, PositionError, quoted, require_numbers
from solver.game.legality import vacant
from solver.game.lines import completing
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import Side
from solver.game.sampling import sample_position
from solver.search.forced import (
    Forced,
    draw_forced,
    find_forced,
    find_forced_in,
    find_win,
    list_fours,
    list_threats,
)
from solver.search.sources import ThreatSearch
from solver.search.truth import Replies, Truth
from solver.study.answers import Move, PositionName, SquareAnswer, position_answer, square_answer
from solver.support.english import plural
from solver.support.json_types import Answer, Described
from solver.support.splitmix import SplitMix64
from solver.tablebase import RankedMoves

Goal = Literal["win", "draw"]
Theme = Literal["finish", "block", "fork", "trap", "long win"]
Level = Literal["easy", "medium", "hard"]

SIGHTS: Final[dict[Level, int]] = {"easy": 2, "medium": 4}
"""The plies to look ahead for the only move of a puzzle, by level; a hard one needs more."""

_LENGTHS: Final[dict[Level, int]] = {"easy": 3, "medium": 7}  # plies of wins by fours, by level

MOST_DRAWN: Final = 20_000  # the most positions that are drawn to find puzzles: a few seconds
MOST_GAMES: Final = 1_000  # the most random games in which to look for wins by fours: some 30 seconds on 15x15

_MOST_SEARCHED: Final = 150  # the most of these games if wins by threats are searched for too: as long

_LONG: Final = 5  # plies of a long win
_CHUNK: Final = 50  # positions that are probed together
_MOST_OF_A_DAY: Final = 2_000  # positions that are drawn to find a daily puzzle that is not easy


class Puzzle(NamedTuple):
    """A position in which one move must be found."""

    position: Position
    """The position before the move."""
    square: int
    """The only move."""
    goal: Goal
    """The result that only this move reaches."""
    decoys: int
    """The number of other moves that look as good at two plies."""
    themes: tuple[Theme, ...]
    """The themes of the only move, such as `fork`; may be empty."""
    moves: RankedMoves
    """(square, value for the mover) of every legal move, best first; in a win by fours or threats, of the only move."""
    line: tuple[int, ...] = ()
    """The moves of both sides in a win by fours; the first move of a win by threats; empty in other puzzles."""

    @property
    def plies(self) -> int | None:
        """The plies within which the only move wins; None if it draws, or if the table has no distances."""
        value = self.moves[0][1]
        return value.distance or value.within if self.goal == "win" else None

    @property
    def level(self) -> Level:
        """The puzzle's level of difficulty, found by a search if the table has no distances."""
        if self.line:
            return next((level for level in _LENGTHS if (self.plies or 0) <= _LENGTHS[level]), "hard")
        return next((level for level in SIGHTS if not count_decoys(self.position, self.moves, SIGHTS[level])), "hard")

    @property
    def task(self) -> str:
        """The task as a sentence."""
        side = self.position.to_move
        if self.line and len(self.line) == self.plies:
            return f"{side} to move: win by fours in {plural((self.plies + 1) // 2, 'move')}."
        if self.line:
            return f"{side} to move: win by threats within {plural(self.plies or 0, 'ply', 'plies')}."
        return f"{side} to move: find the only move that {self.goal}s."


class PuzzleAnswer(PositionName):
    """A puzzle with its solution."""

    to_move: Side
    task: Annotated[str, Described(example="O to move: find the only move that draws.")]
    goal: Annotated[Goal, Described("The result that only the solution reaches.")]
    level: Level
    decoys: Annotated[int, Described("The number of other moves that look as good two plies ahead.", 2)]
    themes: list[Theme]
    solution: SquareAnswer
    moves: Annotated[list[Move], Described("Every move with its value, best first; values may be unsettled.")]
    line: NotRequired[
        Annotated[list[str], Described("The moves of both sides in a win by fours; the first of a win by threats.")]
    ]


class Puzzles(Answer):
    """Random puzzles, reproducible from a seed."""

    seed: Annotated[str, Described("The seed: a number, or the date of a daily puzzle.", "2026-11-22")]
    puzzles: list[PuzzleAnswer]


def draw_puzzles(
    truth: Truth,
    seed: object,
    count: int = 1,
    *,
    level: Level | None = None,
    theme: Theme | None = None,
    goal: Goal | None = None,
    plies: int | None = None,
    most: int = MOST_DRAWN,
    games: int = MOST_GAMES,
) -> list[Puzzle]:
    """Return distinct random puzzles of a game. `level`, `theme`, `goal` and `plies` restrict the choice.

    plies: the most plies of a win; with it, wins by threats on a large board are puzzles too. seed: determines the
    sequence of puzzles; a smaller `count` returns the first of them. most: the maximum number of positions of a table
    to try, which may limit the number of puzzles; games: that of random games on a large board.
    Raises PositionError if no position tried yields a puzzle.
    """
    require_numbers(1, count=count, plies=plies, most=most, games=games)
    for kind, one, known in ("level", level, Level), ("theme", theme, Theme), ("goal", goal, Goal):
        if one not in {None, *get_args(known)}:
            raise InputError(f"There is no {kind} {quoted(one)}; choose one of {', '.join(get_args(known))}.")
    if truth.threats and (theme or goal == "draw"):
        raise PositionError(
            f"Puzzles of {truth.rules} are wins by threats, which have no themes; leave out the theme and the goal."
        )
    if plies and goal == "draw":
        raise PositionError("A draw is no win within some plies; leave out the plies, or ask for wins.")
    games, found = min(games, _MOST_SEARCHED) if plies else games, dict[Position, Puzzle]()
    for puzzle in _meet_puzzles(truth, seed, goal, most, games, plies):
        wanted = (theme is None or theme in puzzle.themes) and level in {None, puzzle.level}
        if wanted and puzzle.position not in found:
            found[puzzle.position] = puzzle
        if len(found) >= count:
            break
    if not found:
        asked = (
            level and f"of level {level}", goal and f"to {goal}", theme and f"with the theme {theme}",
            plies and f"won within {plural(plies, 'ply', 'plies')}",
        )  # fmt: skip
        kind = " ".join(word for word in ("puzzle", *asked) if word)
        where = f"{games:,} random games of {truth.rules}" if truth.threats else f"{most:,} positions of {truth.rules}"
        raise PositionError(f"No {kind} was found in {where}; choose another kind.")
    return list(found.values())


def daily_puzzle(truth: Truth, day: date, games: int = MOST_GAMES) -> Puzzle:
    """Return a day's puzzle, the same for everybody: if possible, one that is not easy. games: as in `draw_puzzles`."""
    require_numbers(1, games=games)
    met, name = [], f"{day:%Y-%m-%d}"  # without the time that a `datetime` has
    for puzzle in _meet_puzzles(truth, name, None, _MOST_OF_A_DAY, games):
        if puzzle.decoys:
            return puzzle
        met.append(puzzle)
    return met[0] if met else draw_puzzles(truth, name, games=games)[0]


def find_puzzles(truth: Truth, positions: Sequence[Position], plies: int | None = None) -> Iterator[Puzzle]:
    """Yield the puzzles among the positions of a game, in their order. Raises the errors of `Truth.moves`.

    plies: as in `draw_puzzles`.
    """
    if truth.threats:
        found = find_forced_in(truth.threats, positions, find_win if plies else find_forced)
        yield from _make_forced_puzzles(truth.threats, found, plies)
    else:
        ranked = zip(positions, truth.moves_many(positions), strict=True)
        puzzles = filter(None, (make_puzzle(truth, position, moves) for position, moves in ranked))
        yield from (puzzle for puzzle in puzzles if _is_short(puzzle.plies, plies))


def _is_short(length: int | None, plies: int | None) -> bool:
    """Return True unless a win must come within `plies` plies, and does not or is none."""
    return plies is None or (length is not None and length <= plies)


def _make_forced_puzzles(threats: ThreatSearch, found: Iterable[Forced], plies: int | None) -> Iterator[Puzzle]:
    """Yield the puzzles of wins in two moves or more that only one move begins, by fours or by threats."""
    for forced in found:
        if forced.win is None or forced.win.plies == 1 or not _is_short(forced.win.plies, plies):
            continue
        position, [first, *others] = forced.position, forced.held
        decoys = len(list_fours(position)) - 1
        if not forced.win.is_by_fours:
            ways = list_threats(threats, position)
            others, decoys = [square for square, wins in ways.items() if wins and square != first], len(ways) - 1
        if not others:
            moves, line = [(first, forced.win.value)], tuple(forced.win.moves)
            yield Puzzle(position, first, "win", decoys, (), moves, line)


def make_puzzle(truth: Truth, position: Position, moves: RankedMoves, goal: Goal | None = None) -> Puzzle | None:
    """Return a position's puzzle, given its ranked moves; None unless exactly one of several moves reaches the goal."""
    if len(moves) < 2 or moves[0][1].wdl < 0 or moves[1][1].wdl == moves[0][1].wdl:
        return None
    (square, value), reached = moves[0], "win" if moves[0][1].wdl > 0 else "draw"
    if goal not in {None, reached}:
        return None
    replies = truth.replies(position.play(square))
    decoys = count_decoys(position, moves, SIGHTS["easy"])
    themes = list_themes(position, square, wins=value.wdl > 0, replies=replies)
    return Puzzle(position, square, "win" if value.wdl > 0 else "draw", decoys, themes, moves)


def puzzle_answer(truth: Truth, puzzle: Puzzle) -> PuzzleAnswer:
    """Convert a puzzle to the form of JSON responses."""
    position = puzzle.position
    answer = position_answer(truth, position)
    found: PuzzleAnswer = {
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
    if puzzle.line:
        found["line"] = [square_name(position.rules, square) for square in puzzle.line]
    return found


def _meet_puzzles(
    truth: Truth, seed: object, goal: Goal | None, most: int, games: int, plies: int | None = None
) -> Iterator[Puzzle]:
    if truth.threats:
        if goal != "draw":
            found = draw_forced(truth.threats, truth.rules, seed, games, find_win if plies else find_forced)
            yield from _make_forced_puzzles(truth.threats, found, plies)
        return
    draw, live = SplitMix64(f"{truth.rules} {seed}"), _count_live(truth)
    for _ in range(0, most if live else 0, _CHUNK):
        positions = [sample_position(truth.rules, draw.weighted(live), draw) for _ in range(_CHUNK)]
        for position, moves in zip(positions, truth.moves_many(positions), strict=True):
            if (puzzle := make_puzzle(truth, position, moves, goal)) and _is_short(puzzle.plies, plies):
                yield puzzle


def _count_live(truth: Truth) -> list[int]:
    """Return the number of unfinished positions at each ply whose moves and replies all have values.

    Raises MissingTable if there is no table, and positions cannot be searched and counted quickly.
    """
    if not truth.has_table and truth.empty is None:
        from solver.count import count_or_bound_positions, count_positions  # these load the compiler

        if count_or_bound_positions(truth.rules)[1]:
            return [count.positions - count.terminal for count in count_positions(truth.rules)]
    live, last = truth.table.live_counts(), truth.table.opening_plies
    return live if last is None else live[: last - 1]


def look_ahead(position: Position, side: str, plies: int) -> int:
    """Return the result that a search to `plies` plies finds for `side`: 1 for a win, -1 for a loss, otherwise 0."""
    outcome = position.outcome
    if outcome is not None:
        return 0 if outcome == "draw" else 1 if outcome == side else -1
    if plies == 0:
        return 0
    own = position.to_move == side
    best = -1 if own else 1
    for square in position.legal_moves:
        seen = look_ahead(position.play(square), side, plies - 1)
        best = max(best, seen) if own else min(best, seen)
        if best == (1 if own else -1):
            break
    return best


def count_decoys(position: Position, moves: RankedMoves, sight: int) -> int:
    """Return the number of other moves that a search to `sight` plies rates as high as the solution, `moves[0]`.

    If distances are known, the rating of a move follows from its value. Otherwise the move is searched.
    """
    side = position.to_move
    best, *others = [
        look_ahead(position.play(square), side, sight - 1)
        if value.distance is None
        else value.wdl * (value.distance <= sight)
        for square, value in moves
    ]
    return sum(seen >= best for seen in others)


def list_themes(position: Position, only: int, *, wins: bool, replies: Replies) -> tuple[Theme, ...]:
    """Return a puzzle's themes. only: the solution. wins: whether the solution wins. replies: the replies to it."""
    side, after = position.to_move, position.play(only)
    others = [look_ahead(position.play(square), side, 1) for square in position.legal_moves if square != only]
    finish = after.outcome == side
    found: dict[Theme, bool] = {
        "finish": finish,
        "block": not finish and max(others) < 0,
        "fork": not finish and _is_fork(after),
        "trap": replies.holding == 1 < replies.total,
        "long win": wins and look_ahead(position, side, _LONG - 1) < 1,
    }
    return tuple(theme for theme, holds in found.items() if holds)


def _is_fork(after: Position) -> bool:
    """Return True if the side that just moved threatens to win on two squares or more, and the other side on none."""
    rules = after.rules
    if rules.misere or after.is_over:
        return False
    taken = after.x | after.o
    free = vacant(rules, taken)
    x, o = completing(rules.x_lines, after.x, taken) & free, completing(rules.o_lines, after.o, taken) & free
    own, other = (o, x) if after.to_move == "X" else (x, o)
    return own.bit_count() >= 2 and not other
