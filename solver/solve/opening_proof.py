"""Prove a win where one search would be lost: the opening is searched position by position.

The opening is a tree of the positions with the attacker to move, and of his candidates. Each open position has a price,
a guess of the seconds that it still costs: more if a search has failed, and never less than was spent on it. That of a
candidate is the sum of the prices of the open replies to it, and the cheapest position is searched next, each time for
twice as long, and with the other order of moves. So easy replies are settled first, and a candidate that has cost much
gives way to others. A position that resists is *probed*: each of its moves is tried against some of the replies, for a
moment each, and the moves that answer most of them become its candidates. Most replies to these lose to a short search,
and what is proved after them stays, so a probe is soon worth more than a longer search. A position that still resists
is probed again, with more of its moves: the one that wins is often none of the first dozen. A move of a strategy for a
board of another size is a hint: if a first search fails, it becomes the only candidate, until the position is probed.
Then it comes first, and is tried before others that cost as much.

Each proved position is a row at once, so an unfinished proof is a strategy too, and is worth keeping: it wins from its
rows. Symmetric positions are one. The rows are collected without the replies that cannot disturb a threat; the check at
the end tries them all. The positions that it misses are proved like the first one.
"""

import json
import zlib
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain
from math import inf, log2
from threading import Event, local
from time import monotonic, thread_time
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from solver.game.arrays import cells_of, masks_of, square_names
from solver.game.base3 import decode
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.search.threats import Proof, ProofProgress, Prover
from solver.store.strategy_file import Row, canonical, symmetries
from solver.support.threads import run_in_background

_ORDERS = (1, 0), (0, 1)  # of moves; of sixty positions that resisted one for a moment, the other won five, itself two
_FIRST: Final = 0.5  # seconds of the first search of a position, of processor time as all of these
_MEAN: Final = 1.0  # seconds for each reply to a third stone, or in a position with few stones, if it was not tried
_LATER: Final = 0.05  # and later, where most replies lose to a short search
_LONG, _PROBE = 2.0, 12.0  # seconds of a search after which a position is probed, and of that and what follows
_FAILED: Final = 6.0  # seconds that a position costs if its first search has failed, or one of a moment
_AGAIN: Final = 24.0  # seconds that a position may cost after a probe until it is probed again
_FEW: Final = 3  # stones with which a position is probed at once
_PROBED, _MORE, _MOMENT = 12, 48, 0.25  # moves that are probed, at first and again, and seconds for each reply
_REPLIES = (0, 1, 3, 7, 15, 31)  # places of these replies in their order: some of the strongest, some of the others
_LAST_MOVES: Final = 4  # of those that are probed; half of the others drop out after each reply
_CANDIDATES: Final = 8
_CHANCES: Final = (1.0, 0.7, 0.6, 0.3)  # of candidates to win soonest, at first 56, 34, 28 and 10 in 164 positions
_HINTED: Final = 3.0  # and of a hint: of those of 15,15,5 that were the only candidates on 13,13,5, 498 in 503 won
_GRACE: Final = 30.0  # seconds to collect the strategy of a position that is proved
_KEPT_EVERY: Final = 60.0  # seconds
_NAMED: Final = 3  # open replies, at most
_GUESSED_EVERY: Final = 10  # searches, because a guess takes milliseconds


class OpeningNotes(NamedTuple):
    """What an unfinished proof has tried, by the base-3 hashes of canonical positions."""

    tried: dict[int, float]
    """The seconds of the longest search of each open position; of one that was probed, with those of what follows."""
    candidates: dict[int, list[int]]  #: The candidates of each position that was probed.
    again: set[int]  #: The positions that were probed again.
    checked: dict[int, int]
    """The plies of the win from each row that the check at the end has found right, as long as no later row changes."""

    answers: set[int]
    """The positions within wins of short searches in which the check at the end needs a row after another reply."""

    @classmethod
    def read(cls, packed: bytes | None) -> "OpeningNotes":
        """Return the notes that `pack` has packed; empty notes if there are none, or if they cannot be used."""
        try:
            tried, candidates, again, checked, answers = json.loads(zlib.decompress(packed)) if packed else [()] * 5
            return cls(dict(tried), dict(candidates), {*again}, dict(checked), {*answers})
        except (zlib.error, ValueError, TypeError):  # damaged, or of another format
            return cls.read(None)

    def pack(self) -> bytes:
        """Return the notes as bytes, to be stored."""
        checked = [*self.checked.items()]  # at once, because the threads of the check add to it
        notes = [[*self.tried.items()], [*self.candidates.items()], [*self.again], checked, [*self.answers]]
        return zlib.compress(json.dumps(notes).encode())


class OpeningProgress(NamedTuple):
    """The progress of a proof."""

    searches: int  #: The searches so far.
    rows: int  #: The rows so far.
    replies: int  #: The first replies to the first candidate.
    open_replies: tuple[str, ...]  #: Both moves, such as "g7 g6", for those that are not settled.
    left: float  #: The prices of the positions that have to be won: a low guess of the seconds that are left.

    def __str__(self) -> str:
        left, shown = len(self.open_replies), ", ".join(self.open_replies[:_NAMED])
        which = f" (open: {shown}{', ...' if left > _NAMED else ''})" if left else ""
        first = f"{self.replies - left} of {self.replies} first replies settled{which}, " if self.replies else ""
        return f"{first}{self.rows:,} moves stored, {self.searches:,} positions searched"


@dataclass(eq=False)
class _Node:
    """A position with the attacker to move."""

    key: int
    position: Position  # the canonical one
    tried: float
    price: float = 0.0
    within: int | None = None
    answers: "list[_Answer] | None" = None  # None before the position is probed
    is_busy: bool = False
    before: "dict[int, _Node]" = field(default_factory=dict)  # those after whose candidates it arises


@dataclass(eq=False)
class _Answer:
    """A candidate of the attacker."""

    move: int
    chance: float
    price: float
    replies: list[_Node] | None = field(default=None)

    @property
    def cost(self) -> float:
        """The price by which candidates are compared."""
        return self.price / self.chance


class _Found(NamedTuple):
    """The result of a search: the plies of a win with its rows, or the candidates of a position that was probed.

    Of the latter, `resisted` has the positions after replies that a search of a moment did not answer.
    """

    within: int | None
    candidates: list[int] | None = None
    resisted: Iterable[int] = ()
    rows: Iterable[Row] = ()
    seconds: float = 0.0


class _Stopped(Exception):
    """The proof has ended, or its time is up."""


class OpeningProof:
    """A proof that a side wins, which goes on from the rows and notes of an earlier one."""

    def __init__(
        self,
        rules: Rules,
        attacker: Side,
        rows: Iterable[Row],
        notes: OpeningNotes,
        hints: Mapping[int, int] = MappingProxyType({}),
    ) -> None:
        self._rules, self._attacker, self._notes, self._hints = rules, attacker, notes, hints
        self.rows = {row.hash: row for row in rows}
        self._nodes: dict[int, _Node] = {}
        self._searches, self._threads, self._stop = 0, local(), Event()
        self._idle = deque[Prover]()
        self._root = self._node(Position.start(rules))
        self._roots = [self._root, *map(self._find_node, notes.answers)]

    @property
    def within(self) -> int | None:
        """The plies within which the attacker wins; None if that is not proved."""
        return self._root.within

    @property
    def progress(self) -> OpeningProgress:
        """The progress so far."""
        best = min(self._root.answers or [], key=lambda answer: answer.cost, default=None)
        replies = (best.replies if best else None) or []
        unsettled = [one.position for one in replies if one.within is None]
        names = [" ".join(square_names(self._rules, one.x) + square_names(self._rules, one.o)) for one in unsettled]
        left = sum(root.price for root in self._roots)
        return OpeningProgress(self._searches, len(self.rows), len(replies), tuple(names), left)

    def require(self, keys: Iterable[int]) -> None:
        """Demand a win in the canonical positions with these base-3 hashes, for which the check has found no move."""
        before = self._list_checked()
        self._notes.answers.update(keys)
        self._roots += map(self._find_node, keys)
        self._forget_after(before)  # rows that were left out before are played now

    def run(
        self,
        seconds: float,
        threads: Callable[[], int],
        progress: Callable[[OpeningProgress], None],
        keep: Callable[[], None],
    ) -> bool:
        """Search until all wins are proved, time is up or no candidate is left; return whether they are proved.

        threads: returns how many may search now. progress: called several times a second; what it raises ends the
        search. keep: called every minute and at the end, to keep the rows and the notes. What the check has found right
        is forgotten where a row has changed.
        """
        end, due = monotonic() + seconds, monotonic() + _KEPT_EVERY
        before = self._list_checked()
        running: dict[Future[_Found], list[_Node]] = {}

        def settle() -> None:
            self._forget_after(before)
            keep()

        self._stop.clear()
        try:
            while not self._is_proved and monotonic() < end:
                while len(running) < threads() and (path := self._choose_path()):
                    path[-1].is_busy = True
                    running[run_in_background(self._time_search, path[-1])] = path
                if not running and any(root.price == inf for root in self._roots):  # no candidate is left
                    break
                done, _ = wait(running, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    path = running.pop(future)
                    path[-1].is_busy = False
                    self._add(future.result(), path)
                progress(self.progress)
                if monotonic() > due:
                    settle()
                    due = monotonic() + _KEPT_EVERY
        finally:
            self._stop.set()
            settle()
            wait(running)
            for path in running.values():
                path[-1].is_busy = False
        return self._is_proved

    @property
    def _is_proved(self) -> bool:
        return all(root.within is not None for root in self._roots)

    def _choose_path(self) -> list[_Node] | None:
        """Return the path to the position to search next; None if all are busy, settled or hopeless."""
        paths = map(self._descend, sorted(self._roots, key=lambda root: root.price))
        return next(filter(None, paths), None)

    def played_rows(self) -> list[Row]:
        """Return the rows that play reaches from the empty board, or from positions that were answered.

        The others belong to moves that were given up.
        """
        squares, images = self._rules.squares, np.array(symmetries(self._rules))
        codes = np.random.default_rng(1).integers(1, 1 << 40, (2, squares))[:, images.min(axis=0)]
        stones = np.array([cells_of(self._rules, *decode(key)) for key in self.rows])
        sums = np.sort((stones == 1) @ codes[0] + (stones == 2) @ codes[1])  # the same for symmetric positions
        waiting, played = [self._root.key, *self._notes.answers], dict[int, Row]()
        while waiting:
            if (key := waiting.pop()) in played or key not in self.rows:
                continue
            played[key] = self.rows[key]
            x, o = decode(key)
            after = Position._of(self._rules, x, o).play(played[key].move)
            cells = cells_of(self._rules, after.x, after.o)
            so_far = (cells == 1) @ codes[0] + (cells == 2) @ codes[1]
            following = so_far + codes["XO".index(after.to_move), after.legal_moves]
            places = np.minimum(sums.searchsorted(following), len(sums) - 1)
            for square in np.array(after.legal_moves)[sums[places] == following].tolist():
                reply = after.play(square)
                waiting.append(canonical(self._rules, reply.x, reply.o)[0])
        return [*played.values()]

    def _list_checked(self) -> list[Row]:
        """Return the rows that play reaches, if the check has found some of them right."""
        return self.played_rows() if self._notes.checked else []

    def _forget_after(self, before: list[Row]) -> None:
        """Forget what the check has found right where play reaches other rows than before."""
        if before:
            _forget(self._rules, self._notes.checked, {*before} ^ {*self.played_rows()})

    def _find_node(self, key: int) -> _Node:
        return self._node(Position.parse(self._rules, f"hash:{key}"))

    def _node(self, position: Position) -> _Node:
        """Return the node of a position, in its canonical form."""
        key, symmetry = canonical(self._rules, position.x, position.o)
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = _Node(key, position.transform(symmetry), self._notes.tried.get(key, 0.0))
            if row := self.rows.get(key):
                node.within = row.within
            if moves := self._notes.candidates.get(key):
                node.answers = self._candidates(node, self._with_hint(key, moves))
            self._set_price(node)
        return node

    def _note_failures(self, keys: Iterable[int]) -> None:
        """Note that a search of a moment has failed in these positions, unless a longer one has."""
        for key in keys:
            if key not in self.rows and self._notes.tried.setdefault(key, _MOMENT) == _MOMENT and key in self._nodes:
                self._nodes[key].tried = _MOMENT
                self._set_prices([self._nodes[key]])

    def _with_hint(self, key: int, moves: Iterable[int]) -> list[int]:
        """Return the hint for a position, if there is one, and the moves."""
        hints = [self._hints[key]] if key in self._hints else []
        return [*dict.fromkeys([*hints, *moves])][:_CANDIDATES]

    def _candidates(self, node: _Node, moves: list[int]) -> list[_Answer]:
        hint, last = self._hints.get(node.key), len(_CHANCES) - 1
        return [
            _Answer(move, _HINTED if move == hint else _CHANCES[min(number, last)], self._guess(node, move))
            for number, move in enumerate(moves)
        ]

    def _guess(self, node: _Node, move: int) -> float:
        """Return the price of a candidate whose replies were not listed yet."""
        after = node.position.play(move)
        replies = (after.play(square) for square in after.legal_moves)
        keys = {canonical(self._rules, reply.x, reply.o)[0] for reply in replies}
        prices = {key: self._first_price(after.ply + 1, self._notes.tried.get(key, 0.0)) for key in keys}
        prices.update({key: self._nodes[key].price for key in keys if key in self._nodes})
        return sum(price for key, price in prices.items() if key not in self.rows)

    def _first_price(self, ply: int, tried: float) -> float:
        """Return the price of a position without candidates."""
        if ply < _FEW:
            return _MEAN * (self._rules.squares - ply - 1)
        if tried:
            return max(tried, min(_FAILED * max(tried / _FIRST, 1), _PROBE))
        return _MEAN if ply < _FEW + 2 else _LATER

    def _next(self, node: _Node) -> float:
        """Return the seconds of the next search of a position."""
        if node.position.ply < _FEW or node.key in self._notes.again:
            return inf
        return _AGAIN if node.answers is not None else max(_FIRST, 2 * node.tried)

    def _set_price(self, node: _Node) -> None:
        """Set the price of a position from those of its candidates, or of its next search.

        It is at least what was spent on the position, because one that has resisted for long is expected to go on.
        """
        if node.within is not None:
            node.price = 0.0
        elif node.position.is_over:
            node.price = inf
        elif node.answers is None:
            node.price = self._first_price(node.position.ply, node.tried)
        else:
            node.price = max(node.tried, min([self._next(node), *(answer.cost for answer in node.answers)]))

    def _descend(self, node: _Node) -> list[_Node] | None:
        """Return the path from a position to the one to search next; None if all are busy, settled or hopeless."""
        if node.within is not None or node.price == inf:  # it was settled since its replies were listed, or is hopeless
            return None
        if node.answers is None or self._next(node) <= node.price:
            return None if node.is_busy else [node]
        for answer in sorted((one for one in node.answers if one.price < inf), key=lambda one: one.cost):
            if answer.replies is None:
                answer.replies = self._list_replies(node, answer.move)
                self._set_prices([node])
                if node.price == 0:  # all replies are settled
                    return None
                if answer.price == inf:  # after one of them the game is over
                    continue
            for reply in sorted((one for one in answer.replies if one.within is None), key=lambda one: one.price):
                if path := self._descend(reply):
                    return [node, *path]
        return None

    def _list_replies(self, node: _Node, move: int) -> list[_Node]:
        after = node.position.play(move)
        first = self._prover().order(after, self._rules.squares)
        replies = [after.play(square) for square in dict.fromkeys([*first, *after.legal_moves])]
        if node.position.ply < _FEW:
            replies.reverse()  # every one has to be answered, and a strong one can take an hour
        nodes = {one.key: one for one in map(self._node, replies)}
        for one in nodes.values():
            one.before[node.key] = node
        return [*nodes.values()]

    def _prover(self, turn: int = 1) -> Prover:
        """Return this thread's prover, with one order of moves in even turns, and with the other one in odd turns."""
        if not hasattr(self._threads, "prover"):
            with suppress(IndexError):
                self._threads.prover = self._idle.pop()
        if not hasattr(self._threads, "prover"):
            self._threads.prover = Prover(self._rules, trusts_zones=True)
        prover: Prover = self._threads.prover
        prover.shares = _ORDERS[turn % 2]
        return prover

    def _time_search(self, node: _Node) -> _Found:
        begun = thread_time()
        try:
            found = self._search(node)
        finally:
            if hasattr(self._threads, "prover"):  # this thread ends; the next one uses it
                self._idle.append(self._threads.prover)
        return found._replace(seconds=thread_time() - begun)

    def _search(self, node: _Node) -> _Found:
        """Search a position, or probe it if it has few stones or has resisted."""
        if node.key not in self._notes.answers and (leaf := self._prover().leaf_win(node.position)):
            return _Found(leaf[1])
        seconds = self._next(node)
        if node.key in self._hints and node.answers is None and node.position.ply >= _FEW and seconds > _FIRST:
            return _Found(None, self._with_hint(node.key, []))
        if seconds > _LONG:
            found = self._probe(node, _PROBED if node.answers is None else _MORE)
            return found._replace(candidates=self._with_hint(node.key, found.candidates or []))
        node.tried = seconds
        return self._prove(node.position, seconds, round(log2(seconds / _FIRST)))

    def _prove(self, position: Position, seconds: float, turn: int) -> _Found:
        proof = self._prover(turn).prove(
            position, self._attacker, seconds=seconds, quiet=True, progress=self._continue, timer=thread_time,
            grace=_GRACE,
        )  # fmt: skip
        return _Found(proof.within, rows=proof_rows(self._rules, proof)) if proof else _Found(None)

    def _continue(self, _: ProofProgress) -> None:
        if self._stop.is_set():
            raise _Stopped

    def _probe(self, node: _Node, moves: int) -> _Found:
        """Try moves of a position for a moment, against some of the replies: the worse half drops out after each.

        Of moves that leave as many unanswered, those with many symmetries come first, because they have fewer replies.
        A four whose only reply is unanswered comes last, because the position after that is hardly easier.
        """
        prover, is_empty, images = self._prover(), node.position.ply == 0, np.array(symmetries(self._rules))
        tried = dict[int, tuple[int, Position]]()  # one of each set of symmetric moves
        for move in prover.order(node.position, self._rules.squares if is_empty else moves):
            after = node.position.play(move)
            if not after.is_over:
                tried.setdefault(canonical(self._rules, after.x, after.o)[0], (move, after))
        left, dropped = [*tried.values()], list[tuple[int, Position]]()
        boards = {move: cells_of(self._rules, after.x, after.o) for move, after in left}
        variety = {move: len({image.tobytes() for image in cells[images]}) for move, cells in boards.items()}
        unanswered = {move: set[int]() for move, _ in left}
        fours = {move for move, after in left if len(prover.order(after, 2)) == 1}

        def rank(one: tuple[int, Position]) -> tuple[bool, int, int]:
            move, _ = one
            return bool(move in fours and unanswered[move]), len(unanswered[move]), variety[move]

        for place in () if is_empty else _REPLIES:
            for move, after in left:
                order = prover.order(after, place + 1)
                if place < len(order):
                    reply = after.play(order[place])
                    key, _ = canonical(self._rules, reply.x, reply.o)
                    if key not in self.rows and not prover.seems_won(reply, self._attacker, _MOMENT, self._continue):
                        unanswered[move].add(key)
            left.sort(key=rank)
            most = max(_LAST_MOVES, len(left) // 2)
            left, dropped = left[:most], [*left[most:], *dropped]
        left.sort(key=rank)
        return _Found(
            None, [move for move, _ in [*left, *dropped]][:_CANDIDATES], {*chain.from_iterable(unanswered.values())}
        )

    def _add(self, found: _Found, path: list[_Node]) -> None:
        """Add what a search of the last position on a path has found."""
        self._searches += 1
        node, won = path[-1], list[_Node]()
        if found.within is not None:
            node.within = found.within
            for row in found.rows:  # of two, the shorter win: then the plies of those before it stay right
                known = self.rows.get(row.hash)
                if known is None or (row.within or 0) < (known.within or 0):
                    self.rows[row.hash] = row
                if (other := self._nodes.get(row.hash)) and other.within is None:
                    other.within = row.within
                    won.append(other)
        elif found.candidates is not None:
            if node.answers is not None:
                self._notes.again.add(node.key)
            self._notes.candidates[node.key] = found.candidates
            self._note_failures(found.resisted)
            node.answers = self._candidates(node, found.candidates)
        turn, rest = divmod(self._searches, _GUESSED_EVERY)
        for node in path[:-1]:
            node.tried += found.seconds
            answer = node.answers[turn % len(node.answers)] if node.answers and not rest else None
            if answer and answer.replies is None:  # what was proved since the guess can make it much cheaper
                answer.price = self._guess(node, answer.move)
        self._set_prices([*path, *won])

    def _set_prices(self, nodes: Iterable[_Node]) -> None:
        """Set the prices of positions, and of those before them as far as they change."""
        waiting = {node.key: node for node in nodes}
        while waiting:
            node = waiting.pop(max(waiting, key=lambda key: waiting[key].position.ply))
            price = node.price
            for answer in node.answers or []:
                if answer.replies is not None:
                    answer.price = sum(one.price for one in answer.replies)
                    if all(one.within is not None for one in answer.replies) and node.within is None:
                        node.within = 2 + max(one.within or 0 for one in answer.replies)
                        self.rows[node.key] = Row(node.key, answer.move, node.within)
            self._set_price(node)
            if node.within is None:
                self._notes.tried[node.key] = node.tried
            else:
                self._notes.tried.pop(node.key, None)
            if node.price != price:
                waiting.update(node.before)


def _forget(rules: Rules, checked: dict[int, int], changed: Iterable[Row]) -> None:
    """Forget the checks of positions that can lead to a row that was changed, added or left out.

    These are the positions whose stones are among its own.
    """
    keys = [*checked]
    stones = np.array([_words(rules, *decode(key)) for key in keys])
    is_before = np.zeros(len(keys), np.bool_)
    for row in changed:
        position = Position.parse(rules, f"hash:{row.hash}")
        for symmetry in symmetries(rules) if keys else ():
            image = position.transform(symmetry)
            is_before |= ~(stones & ~_words(rules, image.x, image.o)).any(axis=1)
    for at in np.flatnonzero(is_before):
        del checked[keys[at]]


def _words(rules: Rules, x: int, o: int) -> npt.NDArray[np.uint64]:
    """Return the stones of both sides as a bit set, uint64[W]."""
    size = (rules.squares + 63) // 64 * 8
    return np.frombuffer(x.to_bytes(size, "little") + o.to_bytes(size, "little"), np.uint64)


def proof_rows(rules: Rules, proof: Proof) -> list[Row]:
    """Return the rows of a proof, with the canonical images of its positions."""
    rows = {}
    for cells, (move, within) in zip(proof.cells, proof.moves.tolist(), strict=True):
        number, symmetry = canonical(rules, *masks_of(cells))
        rows[number] = Row(number, symmetry[move], within)
    return [*rows.values()]
