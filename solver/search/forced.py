"""Positions of a large game in which play is forced: wins by continuous fours or threats, and defences against them.

    forced = find_forced_early(truth, position)      # what the side to move can force, or must prevent, by fours
    forced_move(truth.threats, forced, square)       # the value of a move there, as far as threats prove it
    add_threats(truth.threats, forced)               # the same by threats, where fours settle nothing

In a *win*, the side to move wins by continuous fours or threats. In a *defence*, no such win is found, some moves lose
to such a win of the other side, and others do not, as far as the search finds. Whether those others lose in another way
stays open.
"""

from collections.abc import Callable, Iterable, Iterator
from random import Random
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from solver.game.greedy import play_greedily
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.value import BoundedValue, Value
from solver.search.sources import ThreatSearch
from solver.search.truth import Truth

if TYPE_CHECKING:
    from solver.search.threats import ForcedWin

ForcedFault = Literal["missed", "allowed"]
"""`missed`: a win by fours or threats is given up; `allowed`: the other side gets one, and another move prevents it."""

_NOISES: Final = (0.5, 1.0, 2.0, 4.0)  # of the games in turn, so that some are played well and some badly
_PROOF_SECONDS: Final = 0.3  # of the search for another win after a move that does not begin a win by fours
_THREAT_SECONDS: Final = 0.03  # of a search for continuous threats, at most; a position can need one for each move
_CHECK_SECONDS: Final = 0.1  # of such a search for a second solution of a puzzle


class Forced(NamedTuple):
    """What continuous fours, and perhaps threats, prove in a position that is not over."""

    position: Position
    """The position."""
    win: "ForcedWin | None"
    """A win of the side to move; None if there is none."""
    held: tuple[int, ...]
    """In a win by fours, the moves that begin one; in a win by threats, the first move of the one that was found.
    Otherwise, the moves that do not lose to such a win, as far as the search finds."""
    within: int
    """The plies within which the side to move loses if it plays another move than those; 0 in a win."""

    @property
    def is_defence(self) -> bool:
        """Whether some moves lose to continuous fours or threats, and others do not, as far as the search finds."""
        return bool(self.win is None and self.within and self.held)

    @property
    def value(self) -> Value | None:
        """The value for the side to move: a win, a loss if every move loses to fours or threats, otherwise None."""
        if self.win:
            return self.win.value
        return None if self.held else BoundedValue(-1, self.within)

    def fault(self, value: Value | None) -> ForcedFault | None:
        """Return the fault of a move with this value, for the side that moves."""
        if self.win:
            return None if value and value.wdl > 0 else "missed"
        return "allowed" if self.is_defence and value and value.wdl < 0 else None


Find = Callable[[ThreatSearch, Position], Forced]
"""A function that returns what is forced in a position, such as `find_forced`."""


def find_forced(threats: ThreatSearch, position: Position) -> Forced:
    """Return what continuous fours prove in a position that is not over."""
    if win := threats.forced_win(position):
        held = [
            square for square in list_fours(position) if square == win.moves[0] or _keeps(threats, position, square)
        ]
        return Forced(position, win, tuple(held), 0)
    held, longest = threats.answered(position)
    return Forced(position, None, tuple(held), longest + 1 if longest else 0)


def find_forced_early(truth: Truth, position: Position) -> Forced | None:
    """Return what continuous fours prove in a position; None if another search settles it, or threats win no game."""
    is_late = position.rules.plies - position.ply <= (truth.empty or 0)
    return None if truth.threats is None or is_late or position.is_over else find_forced(truth.threats, position)


def add_threats(threats: ThreatSearch, forced: Forced) -> Forced:
    """Return what fours and continuous threats prove, given what fours prove."""
    position = forced.position
    if forced.value:
        return forced
    if win := threats.threat_win(position, _THREAT_SECONDS):
        return Forced(position, win, (win.moves[0],), 0)
    if not forced.within and not threats.is_threatened(position, _THREAT_SECONDS):
        return forced
    wins = {square: _win_after(threats, position, square, _THREAT_SECONDS) for square in forced.held}
    longest = max((win.plies + 1 for win in wins.values() if win), default=0)
    held = tuple(square for square, win in wins.items() if win is None)
    return Forced(position, None, held, max(forced.within, longest))


def find_win(threats: ThreatSearch, position: Position) -> Forced:
    """Return a win of the side to move by fours or by threats, or what fours prove otherwise."""
    forced = find_forced(threats, position)
    win = None if forced.value else threats.threat_win(position, _THREAT_SECONDS)
    return Forced(position, win, (win.moves[0],), 0) if win else forced


def list_threats(threats: ThreatSearch, position: Position) -> dict[int, bool]:
    """Return the moves after which the side that made them threatens to win by fours, and whether each is known to win.

    Such a win comes by continuous threats.
    """
    found = {}
    for square in position.legal_moves:
        child = position.play(square)
        replies, plies = ([], 0) if child.is_over else threats.answered(child)
        if plies:
            found[square] = all(_win_after(threats, child, reply, _CHECK_SECONDS) for reply in replies)
    return found


def _win_after(threats: ThreatSearch, position: Position, square: int, seconds: float) -> "ForcedWin | None":
    """Return a win by threats of the other side after a move; None if none is found."""
    child = position.play(square)
    return None if child.is_over else threats.threat_win(child, seconds)


def forced_move(threats: ThreatSearch, forced: Forced, square: int) -> Value | None:
    """Return the value of a move for the side that makes it; None if threats do not prove it."""
    child = forced.position.play(square)
    if over := child.value_if_over:
        return over.before_move()
    if win := threats.forced_win(child):
        return BoundedValue(1, win.plies).before_move()
    if forced.win:
        held, longest = threats.answered(child)
        if not held:
            return BoundedValue(1, longest + 2)
        if within := threats.proved_within(child, forced.position.to_move, _PROOF_SECONDS):
            return BoundedValue(1, within + 1)
    return None


def find_forced_in(threats: ThreatSearch, positions: Iterable[Position], find: Find = find_forced) -> Iterator[Forced]:
    """Yield the wins and the defences among the positions of a game; a win that was found before is not repeated.

    A win by fours is new after a win by threats.
    """
    had = {"X": 0, "O": 0}  # a side's win when it was last to move: 2 by fours, 1 by threats, 0 if there was none
    for position in positions:
        if not position.is_over:
            forced, side = find(threats, position), position.to_move
            kind = 1 + forced.win.is_by_fours if forced.win else 0
            if forced.is_defence or kind > had[side]:
                yield forced
            had[side] = kind


def draw_forced(
    threats: ThreatSearch, rules: Rules, seed: object, games: int, find: Find = find_forced
) -> Iterator[Forced]:
    """Yield the distinct wins in random games of greedy players, and as many defences: against the longest wins."""
    draw, seen = Random(f"{rules} {seed}"), set[Position]()
    for number in range(games):
        found = [*find_forced_in(threats, play_greedily(rules, draw, _NOISES[number % len(_NOISES)]), find)]
        wins = [forced for forced in found if forced.win]
        defences = sorted((forced for forced in found if not forced.win), key=lambda forced: -forced.within)
        for forced in (*wins, *defences[: max(len(wins), 1)]):
            if forced.position not in seen:
                seen.add(forced.position)
                yield forced


def _keeps(threats: ThreatSearch, position: Position, square: int) -> bool:
    """Return True if every reply to a move loses to continuous fours, or the move wins at once."""
    child = position.play(square)
    return child.outcome == position.to_move or not (child.is_over or threats.answered(child)[0])


def list_fours(position: Position) -> list[int]:
    """Return the squares of moves after which an open line of the side to move lacks at most one stone."""
    own, other, squares = position.own, position.other, 0
    for mask, _ in position.rules.x_lines if position.to_move == "X" else position.rules.o_lines:
        if not mask & other and (mask & ~own).bit_count() <= 2:
            squares |= mask & ~own
    return [*squares_of(squares)]
