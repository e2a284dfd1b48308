"""Prove that X does not win, by a strategy of O: a move in each position that has no reply with a pairing.

The strategy answers every move of X. In each position with O to move that arises, one of three is true: the game is
over; a move leads to a position in which `solver.search.pairings` finds a pairing; or a row has O's move. Positions are
in their canonical form (`Position.canonical`), also when replies with a pairing are sought, because the squares' order
may decide whether a search finds one within its limit.
"""

from collections.abc import Callable
from time import monotonic
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from solver.errors import RulesError
from solver.game.position import Position
from solver.game.rules import Rules
from solver.kernels.holding import (
    HELD,
    NODES,
    OPEN,
    PAIRING_NODES,
    PROBED,
    WIDTH,
    find_held,
    forget_lost,
    make_holding,
    run,
    start,
)
from solver.kernels.pairings import make_lines, words_of
from solver.search.pairings import PairingFinder, can_hold, start_pairing

Rows = dict[tuple[int, int], int]

_MEMORY = 256 << 20  # bytes of the table of proof numbers
_SLICE = 100  # nodes between two checks of the clock and of Ctrl-C: up to a tenth of a second
_KEPT_EVERY = 30.0  # seconds, or 20 times as long as it took the last time
_SYMMETRIES = 200  # the most that the search uses
_FIRST_WIDTH = 14  # moves of O that are tried; twice as many whenever they don't suffice
_PROBED = 4  # moves of O that are tried as soon as a position is seen
_SEARCHED_PAIRINGS = 60  # nodes of each search for a pairing in the proof search: larger limits are slower


class DrawNotes(NamedTuple):
    """The results of an unfinished proof."""

    size: int  #: The size of the table of proof numbers.
    width: int  #: The moves of O that were tried in each position.
    places: npt.NDArray[np.int64]  #: The used entries of the table.
    entries: npt.NDArray[np.uint64]  #: uint64[N, 2]: their contents.


class DrawProgress(NamedTuple):
    """The progress of a proof."""

    nodes: int  #: The number of positions entered by the search.
    positions: int  #: The number of positions that the strategy reaches so far, 0 before the proof is found.
    rows: int  #: The number of rows so far.


def prove_draw(
    rules: Rules,
    seconds: float | None = None,
    progress: Callable[[DrawProgress], None] | None = None,
    memory: int = _MEMORY,
    *,
    notes: DrawNotes | None = None,
    keep: Callable[[DrawNotes], None] | None = None,
) -> Rows | None:
    """Return O's strategy against every play of X as {(x, o): move}; None if none is found in `seconds`.

    The keys are the masks of canonical positions with O to move. There are no rows if the empty board
    has a pairing, `start_pairing`.
    The strategy depends on nothing but the rules and the notes. `memory` limits the table of proof numbers, in bytes.
    notes: the results of an earlier call for the same rules; keep: called with such results every half minute.
    Raises RulesError if the game has gravity or is misère, or if X wins unfinished games.
    """
    if not can_hold(rules, "O"):
        raise RulesError(
            f"No draw of {rules} can be proved: expected a game without gravity and misère in which X does not win by "
            "default; build a table instead."
        )
    proof = _Proof(rules, seconds, progress, memory, keep)
    if notes is not None:
        proof.restore(notes)
    return proof.rows if proof.complete() else None


class _Proof:
    """A proof that X does not win, while it is made."""

    def __init__(
        self,
        rules: Rules,
        seconds: float | None,
        progress: Callable[[DrawProgress], None] | None,
        memory: int,
        keep: Callable[[DrawNotes], None] | None,
    ) -> None:
        self.rows: Rows = {}
        self._rules, self._progress, self._keep, self._due = rules, progress, keep, monotonic() + _KEPT_EVERY
        self._end = None if seconds is None else monotonic() + seconds
        self._finder = PairingFinder(rules, "O")
        symmetries = np.array(rules.symmetries.limited(_SYMMETRIES).elements, np.int64)
        entries = 1 << min((memory // 16).bit_length() - 1, rules.squares + 4)
        self._search = make_holding(
            make_lines([line.mask for line in rules.x_lines], rules.squares), symmetries, entries
        )
        self._search.state[WIDTH], self._search.state[PROBED] = _FIRST_WIDTH, _PROBED
        self._search.state[PAIRING_NODES] = _SEARCHED_PAIRINGS
        self._seen: set[tuple[int, int]] = set()

    def complete(self) -> bool:
        """Find all rows; return False if time runs out or no proof exists."""
        empty = Position.start(self._rules)
        if start_pairing(self._rules):
            return True
        if not self._holds(empty):
            return False
        waiting = [empty]
        while waiting:
            before = waiting.pop()
            if not self._continues():
                return False
            for square in before.legal_moves:
                position = before.play(square).canonical()
                key = position.x, position.o
                if key in self._seen or position.is_over:
                    continue
                self._seen.add(key)
                if self._finder.reply(*key) is not None:
                    continue
                move = self._move(position)
                if move is None:
                    return False
                self.rows[key] = move
                after = position.play(move)
                if not after.is_over:
                    waiting.append(after)
        return True

    def _continues(self) -> bool:
        """Report progress, keep notes every half minute and at the end, and return False if time is over."""
        is_late = self._end is not None and monotonic() >= self._end
        if is_late or monotonic() > self._due:
            self._keep_notes()
        try:
            if self._progress:
                self._progress(DrawProgress(int(self._search.state[NODES]), len(self._seen), len(self.rows)))
        except BaseException:  # the caller stops the proof
            self._keep_notes()
            raise
        return not is_late

    def restore(self, notes: DrawNotes) -> None:
        """Continue an earlier proof, unless its table had another size."""
        if notes.size == len(self._search.entries):
            self._search.entries[notes.places] = notes.entries
            self._search.state[WIDTH] = notes.width

    def _keep_notes(self) -> None:
        began = monotonic()
        if self._keep:
            entries = self._search.entries
            places = np.flatnonzero(entries[:, 0])
            self._keep(DrawNotes(len(entries), int(self._search.state[WIDTH]), places, entries[places]))
        self._due = monotonic() + max(_KEPT_EVERY, 20 * (monotonic() - began))

    def _move(self, position: Position) -> int | None:
        """Return a move of O that holds, or None."""
        self._set(position)
        move = int(find_held(self._search))
        if move < 0 and self._holds(position):
            self._set(position)
            move = int(find_held(self._search))
        return None if move < 0 else move

    def _set(self, position: Position) -> None:
        self._search.attacker[0], self._search.holder[0] = words_of([position.x, position.o], self._rules.squares)

    def _holds(self, position: Position) -> bool:
        """Return whether the search proves in time that O holds a position; try more of O's moves if necessary."""
        search = self._search
        while True:
            self._set(position)
            start(search, position.to_move == "O")
            answer = OPEN
            while answer == OPEN:
                if not self._continues():
                    return False
                answer = run(search, search.state[NODES] + _SLICE)
            if answer == HELD:
                return True
            if search.state[WIDTH] >= self._rules.squares:
                return False
            search.state[WIDTH] *= 2
            forget_lost(search)
