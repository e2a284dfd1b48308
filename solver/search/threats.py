"""Wins by threats, on boards of any size: the search for them, and the proofs and strategies that it finds.

    prover = Prover(parse_game("15,15,5"))
    prover.forced_win(position)                        # by continuous fours: the moves of both sides, or None
    prover.prove(position, "X", seconds=10)            # by threats, or with quiet moves too: a Proof, or None

A proof is a strategy whose replies were all tried, so it depends on no cache and on no hash. None means that nothing
was found within the limits, never that there is no win.
"""

from collections.abc import Callable
from time import monotonic, thread_time
from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from solver.errors import RulesError
from solver.game.arrays import cells_of, masks_of
from solver.game.lines import squares_of
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.game.value import Value, win_within
from solver.kernels import proof_nodes, proof_walk, threat_space
from solver.kernels.proof_moves import NEAR_ROOT, candidates
from solver.kernels.proof_search import search, start
from solver.kernels.threat_lines import Board, make_board, make_lines, put, set_up, take
from solver.kernels.threat_proof import find_leaf_win, find_threat_win
from solver.kernels.threat_search import LASTS, LENGTH, WON, Forcing, answer_replies, find_forced_win_of, make_forcing
from solver.kernels.threat_space import make_space
from solver.search.pairings import PairingFinder
from solver.store.strategy_file import symmetries

READ_NODES: Final = 200_000
"""Nodes of a search for continuous fours in a position of a user."""

_LEAF_THREATS, _LEAF_SPACE = 1_000, 500
"""Nodes of a search for continuous threats in a position that a strategy may leave out, and of each threat-space search
in it: a part of the format of strategies."""

_FORCE_NODES = 3_000  # of each search for fours inside a proof
_THREAT_NODES, _SPACE_NODES = 1_000, 500  # of each search for continuous threats inside a proof
_LEAST_THREATS, _THREATS_BY_TIME = 50, 200  # of such a search inside a short proof, and for each second of its time
_THREATS_A_SECOND = 20_000  # nodes of such a search, at least
_TURN = 300  # nodes of the first turn, times the share of an order
_BOTH_ORDERS = (8, 1)
"""The share of each order in a turn: nodes of the first one take an eighth of the time."""

_SLICE = 2  # nodes between two looks at the clock: a millisecond each, but much longer near the first position
_WALK_SLICE = 5_000  # positions
_KEPT_EVERY = 30.0  # seconds
_WIDTHS = (16, 40, 400)  # moves tried in each position, if fewer are not enough
_THREAT_BITS, _PROOF_BITS = 17, 22  # of the number of results that are remembered: 2 MB and 100 MB


Notes: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]
"""The results of an unfinished proof: keys of positions, and their proof and disproof numbers, int32[N, 2]."""


class ForcedWin(NamedTuple):
    """A win by continuous fours or threats."""

    moves: list[int]
    """By fours, the squares of both sides' moves, up to the completed line; the other side's last reply is one of
    several. By threats, the first move."""
    plies: int
    """The plies of the win; by threats, those within which it comes."""

    @property
    def is_by_fours(self) -> bool:
        """Whether continuous fours win, so that all moves are known."""
        return len(self.moves) == self.plies

    @property
    def value(self) -> Value:
        """The value for the side that wins."""
        return win_within(self.plies)


class ProofProgress(NamedTuple):
    """The progress of a proof."""

    nodes: int  #: The positions entered.
    rows: int  #: The positions of the strategy collected so far; 0 during the search.


class Proof(NamedTuple):
    """A complete strategy of the side that wins."""

    within: int
    """The plies within which it wins at the latest, from the given position."""
    cells: npt.NDArray[np.int8]
    """The positions of the strategy, int8[R, S]: 0 for an empty square, 1 for X, 2 for O."""
    moves: npt.NDArray[np.int16]
    """int16[R, 2]: the move in each, and the plies within which it wins from there."""
    leaves: int
    """The positions that fours or threats win, and that the strategy leaves out."""
    replies: int
    """The replies that were tried."""


class Prover:
    """A search for wins in one game. Not thread-safe. Raises RulesError for games without threats.

    shares: of the orders of `solver.kernels.proof_search` in a turn; 0 leaves an order out. trusts_zones: whether a
    strategy is collected without the replies that cannot disturb a threat, several times as fast. Then a later check
    shows whether the positions after them are won by the searches on which a strategy relies.
    """

    def __init__(self, rules: Rules, shares: tuple[int, int] = _BOTH_ORDERS, *, trusts_zones: bool = False) -> None:
        if not rules.has_threats:
            raise RulesError(
                f"Wins by threats can't be searched for in {rules}: expected lines that win, without gravity and "
                "misere; choose a game such as 15,15,5."
            )
        self.rules, self.shares, self._trusts_zones = rules, shares, trusts_zones
        sides = (rules.x_lines, rules.o_lines)
        self._has_guards = any(line.guard for side in sides for line in side)  # a stone more can be a disadvantage
        self._lines = make_lines(
            rules.squares, [[([*squares_of(mask)], [*squares_of(guard)]) for mask, guard in side] for side in sides]
        )
        self._work_board = make_board(self._lines)
        self._forcing = make_forcing(rules.squares)
        self._leaf_forcing, self._leaf_space = make_forcing(rules.squares, 12), make_space(rules.squares, 12, 12)
        self._images = np.array(symmetries(rules))
        self._proof: proof_nodes.Proof | None = None
        self._pairings: PairingFinder | None = None
        self.is_late = False  # whether the last proof failed because its time was up

    @property
    def bytes(self) -> int:
        """The memory of its tables."""
        return _size_of((self._forcing, self._leaf_forcing, self._leaf_space, self._proof or ()))

    def forced_win(self, position: Position, nodes: int = READ_NODES) -> ForcedWin | None:
        """Return the shortest win of the side to move by continuous fours; None if `nodes` do not suffice."""
        return self._forced_win(position, self._forcing, nodes)

    def _forced_win(self, position: Position, work: Forcing, nodes: int) -> ForcedWin | None:
        side, left, cells = (
            "XO".index(position.to_move),
            self.rules.plies - position.ply,
            cells_of(self.rules, position.x, position.o),
        )
        if find_forced_win_of(self._lines, self._work_board, cells, work, side, left, nodes) != WON:
            return None
        forced = work.moves[: work.counts[LENGTH]].ravel().tolist()
        moves = [*forced, *work.last[: work.counts[LASTS]].tolist()]  # of the last two, the other side fills the first
        return ForcedWin(moves, len(moves))

    def leaf_win(self, position: Position) -> tuple[int, int] | None:
        """Return a winning move of the side to move, and the plies within which it wins, if a short search finds them.

        A strategy leaves out the positions whose canonical image has such a win.
        """
        return self._leaf_win(cells_of(self.rules, position.x, position.o))

    def _leaf_win(self, cells: npt.NDArray[np.int8]) -> tuple[int, int] | None:
        move, plies = find_leaf_win(
            self._lines, self._work_board, cells, self._leaf_forcing, self._leaf_space, self.rules.plies,
            proof_walk.LEAF_NODES, _LEAF_THREATS, _LEAF_SPACE,
        )  # fmt: skip
        return (int(move), int(plies)) if plies else None

    def _leaf_plies(self, board: Board, side: int, left: int) -> int:
        """Return the plies of a win by continuous threats that a short search finds, or 0."""
        work, space = self._leaf_forcing, self._leaf_space
        return int(find_threat_win(self._lines, board, work, space, side, left, _LEAF_THREATS, _LEAF_SPACE, True))

    def advise(self, cells: npt.NDArray[np.int8], seconds: float) -> int | None:
        """Return the winning move of `leaf_win`, or that of `threat_win`, or None. cells: see `arrays.cells_of`."""
        found = self._leaf_win(cells)
        if not found and seconds:
            found = self.threat_win(Position._of(self.rules, *masks_of(cells)), seconds)
        return found[0] if found else None

    def threat_win(self, position: Position, seconds: float) -> tuple[int, int] | None:
        """Return a winning move of the side to move, and the plies within which it wins, by continuous threats."""
        return self._threat_win(position, position.to_move, self.rules.plies - position.ply, seconds)

    def is_threatened(self, position: Position, seconds: float) -> bool:
        """Return True if the side to move would lose to continuous threats if it passed."""
        return (
            self._threat_win(position, OTHER[position.to_move], self.rules.plies - position.ply - 1, seconds)
            is not None
        )

    def _threat_win(self, position: Position, side: Side, left: int, seconds: float) -> tuple[int, int] | None:
        proof = self._table(_THREAT_BITS)
        plies = find_threat_win(
            self._lines, self._board(position), proof.space_work, proof.space, "XO".index(side), left,
            int(seconds * _THREATS_A_SECOND), _SPACE_NODES, True,
        )  # fmt: skip
        return (int(proof.space.state[threat_space.FIRST]), int(plies)) if plies else None

    def answer(self, x: int, o: int) -> tuple[int, list[tuple[int, int]]] | None:
        """Return a reply of O that leads to a pairing with which he holds, and its pairs; None if none is found."""
        if self._pairings is None:
            self._pairings = PairingFinder(self.rules, "O")
        return self._pairings.answer(x, o)

    def order(self, position: Position, count: int) -> list[int]:
        """Return at most `count` moves of the side to move, the most promising ones first.

        If the other side could complete a line, there is only the move that prevents it, or none; if it threatens to
        win by continuous fours, there are only the moves that can disturb this win.
        """
        moves, points = np.zeros(self.rules.squares, np.int16), np.zeros(self.rules.squares, np.int32)
        side, left, board = "XO".index(position.to_move), self.rules.plies - position.ply, self._board(position)
        found = candidates(
            self._lines, board, self._forcing, np.zeros(self.rules.squares, np.bool_), side, 1, left, _FORCE_NODES,
            count, moves, points,
        )  # fmt: skip
        return [*map(int, moves[:found])]

    def answered(self, position: Position) -> tuple[list[int], int]:
        """Return the moves of the side to move that do not lose to continuous fours, and the most plies after others.

        The plies are 0 if there are no others.
        """
        unanswered, left = np.zeros(self.rules.squares, np.int16), self.rules.plies - position.ply
        attacker = "XO".index(OTHER[position.to_move])
        count, longest = answer_replies(
            self._lines, self._board(position), self._forcing, attacker, left, proof_walk.LEAF_NODES, unanswered
        )
        return unanswered[:count].tolist(), int(longest)

    def prove(
        self,
        position: Position,
        attacker: Side,
        *,
        seconds: float,
        quiet: bool = False,
        progress: Callable[[ProofProgress], None] = lambda _: None,
        notes: Notes | None = None,
        keep: Callable[[Notes], None] | None = None,
        timer: Callable[[], float] = monotonic,
        grace: float = 0.0,
    ) -> Proof | None:
        """Return a proof that the attacker wins, whoever is to move; None if none is found in `seconds`.

        quiet: whether to try moves that are no threats. notes: results of an earlier call for the same arguments; keep:
        called with such results every half minute. timer: the clock of `seconds`, such as `time.thread_time`, which
        does not count the time of other programs. grace: seconds more to collect the strategy of a win that is found.
        """
        proof = self._table(_PROOF_BITS if quiet else _THREAT_BITS)
        proof.state[:] = 0
        if notes is not None:
            proof_nodes.restore(proof, *notes)
        clock = _Clock(timer, timer() + seconds, proof, progress, keep)
        found, board = None, self._find(position, attacker, quiet, proof, clock, seconds)
        if board is not None:
            clock.deadline += grace
            found = self._collect(board, proof, int(position.to_move != attacker), clock)
        self.is_late = clock.is_late
        return found

    def seems_won(
        self, position: Position, attacker: Side, seconds: float, progress: Callable[[ProofProgress], None]
    ) -> bool:
        """Return True if the search finds a win in so many seconds of processor time.

        That is a hint, because no strategy is collected.
        """
        proof = self._table(_PROOF_BITS)
        proof.state[:] = 0
        clock = _Clock(thread_time, thread_time() + seconds, proof, progress, None)
        return self._find(position, attacker, True, proof, clock, seconds) is not None

    def _find(
        self,
        position: Position,
        attacker: Side,
        quiet: bool,
        proof: proof_nodes.Proof,
        clock: "_Clock",
        seconds: float,
    ) -> Board | None:
        """Search for a proof that the attacker wins; return the board of the position if there is one.

        The limits of the searches inside it grow with `seconds`.
        """
        state, board, is_and = proof.state, self._board(position), int(position.to_move != attacker)
        state[proof_nodes.ATTACKER], state[proof_nodes.PLIES] = "XO".index(attacker), self.rules.plies
        state[proof_nodes.QUIET], state[proof_nodes.FORCE_NODES] = quiet, _FORCE_NODES
        threats = min(_THREAT_NODES, max(_LEAST_THREATS, int(_THREATS_BY_TIME * seconds)))
        state[proof_nodes.THREAT_NODES] = threats if quiet else 0
        state[proof_nodes.SPACE_NODES] = _SPACE_NODES
        state[proof_nodes.LEAN] = self._trusts_zones and not self._has_guards
        for width in _WIDTHS:
            state[proof_nodes.WIDTH] = width
            if self._solve(board, proof, is_and, clock):
                return board
            if clock.is_late or width >= len(position.legal_moves):
                return None
            unproved = proof.nodes.numbers[:, 0] != 0  # what failed with fewer moves may succeed with more
            proof.nodes.keys[unproved] = 0
        return None

    def _solve(self, board: Board, proof: proof_nodes.Proof, is_and: int, clock: "_Clock") -> bool:
        """Return True if the position on the board is proved. The orders take turns, each longer than the last."""
        before, state, turn = board.cells.copy(), proof.state, _TURN
        while True:
            for state[proof_nodes.ORDER], share in enumerate(self.shares):
                if not share:
                    continue
                start(board, proof, is_and)
                root, until = proof.keys[0].copy(), state[proof_nodes.NODES] + turn * share
                while state[proof_nodes.NODES] < until:
                    if search(self._lines, board, self._forcing, proof, _SLICE):
                        return bool(proof_nodes.numbers(proof, root)[0] == 0)
                    if clock.check():
                        return False
                for square in np.flatnonzero(board.cells != before):
                    take(self._lines, board, int(square), int(board.cells[square]) - 1)
            turn += turn // 2

    def _collect(self, board: Board, proof: proof_nodes.Proof, is_and: int, clock: "_Clock") -> Proof | None:
        """Return the strategy of a proved position; None if time runs out."""
        lines, work, attacker = self._lines, self._leaf_forcing, int(proof.state[proof_nodes.ATTACKER])
        walk, within = proof_walk.make_walk(lines, proof, self._images), 0
        walk.state[proof_walk.LEAN] = self._trusts_zones and not self._has_guards
        for reply in np.flatnonzero(board.cells == 0) if is_and else [-1]:
            if is_and:
                put(lines, board, int(reply), 1 - attacker)
            proof_walk.begin(board, proof, walk)
            while result := proof_walk.advance(lines, board, work, proof, walk, _WALK_SLICE):
                left = self.rules.plies - int(walk.state[proof_walk.STONES])
                if result == proof_walk.ASKED:
                    walk.state[proof_walk.ANSWER] = self._leaf_plies(walk.image, attacker, left)
                    walk.zone[:] = self._leaf_space.zone
                elif result == proof_walk.MOVED:
                    if self._trusts_zones and (plies := self._leaf_plies(board, attacker, left - 2)):
                        proof_walk.keep_replies(walk, self._leaf_space.zone, plies)
                    continue
                if clock.check(int(walk.state[proof_walk.ROWS])) or result == proof_walk.WRONG:
                    return None
                if result == proof_walk.FULL:
                    walk = proof_walk.enlarge(walk)
                elif result == proof_walk.LOST_RESULT:
                    long = NEAR_ROOT * int(proof.state[proof_nodes.THREAT_NODES])
                    space, work_space = proof.space, proof.space_work
                    if find_threat_win(lines, board, work_space, space, attacker, left, long, _SPACE_NODES, True):
                        proof_walk.add_proved(proof, walk, int(space.state[threat_space.FIRST]))
                    elif not self._solve(board, proof, 0, clock):
                        return None
            within = max(within, int(walk.state[proof_walk.BOUND]) + is_and)
            if is_and:
                take(lines, board, int(reply), 1 - attacker)
        rows, leaves, replies = (int(walk.state[at]) for at in (proof_walk.ROWS, proof_walk.LEAVES, proof_walk.REPLIES))
        return Proof(within, walk.row_cells[:rows], walk.rows[:rows], leaves, replies)

    def _board(self, position: Position) -> Board:
        """Return the board of all searches, set up for a position."""
        set_up(self._lines, self._work_board, cells_of(self.rules, position.x, position.o))
        return self._work_board

    def _table(self, bits: int) -> proof_nodes.Proof:
        """Return an empty table of results."""
        if self._proof is None or len(self._proof.nodes.keys) != 1 << bits:
            self._proof = proof_nodes.make_proof(self._lines, self._images, bits)
        self._proof.nodes.keys[:] = 0
        self._proof.open_keys[:] = 0
        return self._proof


def _size_of(arrays: tuple[Any, ...]) -> int:
    """Return the bytes of arrays in nested tuples."""
    return sum(_size_of(one) if isinstance(one, tuple) else one.nbytes for one in arrays)


class _Clock:
    """The time limit of a proof, its progress and its notes."""

    def __init__(
        self,
        timer: Callable[[], float],
        deadline: float,
        proof: proof_nodes.Proof,
        progress: Callable[[ProofProgress], None],
        keep: Callable[[Notes], None] | None,
    ) -> None:
        self.deadline, self._timer, self._proof, self._progress, self._keep = deadline, timer, proof, progress, keep
        self._due, self.is_late = monotonic() + _KEPT_EVERY, False

    def check(self, rows: int = 0) -> bool:
        """Report the progress, keep notes every half minute, and return True if time is up."""
        now = monotonic()
        self.is_late = self._timer() > self.deadline
        if self.is_late or now > self._due:
            self._keep_notes()
            self._due = now + _KEPT_EVERY
        try:
            self._progress(ProofProgress(int(self._proof.state[proof_nodes.NODES]), rows))
        except BaseException:  # the caller stops the proof
            self._keep_notes()
            raise
        return self.is_late

    def _keep_notes(self) -> None:
        if self._keep:
            used = self._proof.nodes.keys != 0
            self._keep((self._proof.nodes.keys[used], self._proof.nodes.numbers[used]))
