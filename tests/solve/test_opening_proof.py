"""Wins proved position by position: resumed, kept unfinished, asked and checked."""

import zlib
from collections.abc import Callable, Iterable
from contextlib import closing
from itertools import chain
from math import inf
from pathlib import Path
from random import Random

import numpy as np
import pytest

from solver.check.check_report import StrategyReport
from solver.check.strategy_check import check_strategy
from solver.game.arrays import square_names
from solver.game.base3 import encode
from solver.game.games import parse_game
from solver.game.lines import mask_of, squares_of
from solver.game.notation import parse_square
from solver.game.position import Position
from solver.kernels import proof_walk
from solver.kernels.proof_walk import Walk
from solver.search.threats import Proof, ProofProgress, Prover
from solver.search.truth import open_tablebase, open_truth
from solver.solve import opening_proof, proof
from solver.solve.hints import find_hints
from solver.solve.opening_proof import OpeningNotes, OpeningProgress, OpeningProof, proof_rows
from solver.solve.proof import notes_paths, prove_game
from solver.store.paths import strategy_path
from solver.store.strategy_file import (
    Header,
    Row,
    StrategyReader,
    canonical,
    is_unfinished_proof,
    symmetries,
    write_strategy,
)
from tests.commands import TableFile, mnk

GOMOKU, RULES = parse_game("15,15,5"), parse_game("7,7,4")


def rows_of(path: Path) -> list[Row]:
    with closing(StrategyReader(path)) as reader:
        return [*reader]


def test_an_unfinished_proof_answers_is_checked_and_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "LARGE", 0)  # as if the board were large
    monkeypatch.setattr(proof, "_AT_ONCE", 1e-9)
    monkeypatch.setattr(proof, "_AHEAD", 0)
    monkeypatch.setattr(proof, "is_compiling", lambda: True)  # what is found is kept all the same
    monkeypatch.setattr(opening_proof, "_PROBED", 3)
    monkeypatch.setattr(opening_proof, "_MOMENT", 0.02)
    rules = parse_game("9,9,5,x=e5,o=a1")
    path = strategy_path(tmp_path, rules)

    def interrupt(state: proof.ProofState) -> None:
        if state.opening and state.opening.rows:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        prove_game(rules, tmp_path, seconds=300, progress=interrupt)
    assert {*tmp_path.iterdir()} >= {path, notes_paths(tmp_path, rules)["opening"]}
    assert is_unfinished_proof(path, rules)
    first = rows_of(path)
    notes = OpeningNotes.read(
        (proof._read_notes(notes_paths(tmp_path, rules)["opening"], rules, "opening") or {})["opening"].tobytes()
    )
    resumed, anew = (OpeningProof(rules, "X", rows, notes) for rows in (first, ()))
    prices = [each._node(Position.parse(rules, f"hash:{first[0].hash}")).price for each in (resumed, anew)]
    assert prices[0] == 0 < prices[1]  # what is proved costs nothing any more
    assert resumed.progress.left <= anew.progress.left
    report = check_strategy(path, Prover)
    assert (report.problems, report.unused) == ((), 0)
    assert report.claim == "X wins from the stored positions, and the empty board is open"
    with open_truth(rules, tmp_path) as truth:
        value, _, source = truth.evaluate(Position.parse(rules, f"hash:{first[0].hash}"))
        assert (value and value.wdl, source) == (1, "search")  # found, and not checked yet
    shown = mnk("show", str(rules), "--data", tmp_path)
    assert "X wins from the stored positions" in shown.stdout
    monkeypatch.setattr("solver.cli.forecast.default_folder", lambda: tmp_path)
    assert f"the strategy in {path} is unfinished; look for a proof with" in mnk("forecast", str(rules)).stdout
    for digest, kept in ((proof._digest_rows(rules, first), {first[0].hash: 5}), ("that of other rows", {})):
        packed = np.frombuffer(notes._replace(checked={first[0].hash: 5}).pack(), np.uint8)
        proof._write_notes(notes_paths(tmp_path, rules)["opening"], rules, digest=np.array(digest), opening=packed)
        write_strategy(path, rules, Header("X", "wins", None, 0, "none"), first)
        mnk("build", str(rules), "--data", tmp_path, "--time", "0.01")
        after = OpeningNotes.read(
            (proof._read_notes(notes_paths(tmp_path, rules)["opening"], rules, "opening") or {})["opening"].tobytes()
        )
        assert after.checked == kept
    for search in ("_prove_at_once", "prove_draw"):
        monkeypatch.setattr(proof, search, None)  # a proof with rows goes on position by position
    late = mnk("build", str(rules), "--data", tmp_path, "--time", "0.1")
    assert late.exit_code == 3
    assert "Resuming the interrupted proof" in late.stderr
    assert "was not proved in 0.1 s" in late.stderr
    assert is_unfinished_proof(path, rules)
    assert {*rows_of(path)} >= {*first}
    write_strategy(path, rules, Header("X", "wins", None, 0, "none"), [])
    assert check_strategy(path, Prover).problems == ("It has no rows yet.",)
    over = Position.parse(rules, "moves:e6,a2,e7,a3,e8,a4,e9")
    number, _ = canonical(rules, over.x, over.o)
    write_strategy(path, rules, Header("X", "wins", None, 0, "none"), [Row(number, 0, 9)])
    assert [problem for problem in check_strategy(path, Prover).problems if "is over" in problem]


def test_a_strategy_without_undisturbing_replies_is_whole(tmp_path: Path) -> None:
    """It has the rows that a walk of every reply collects; the check tries every reply."""
    rules = parse_game("9,9,5")
    start, found = Position.parse(rules, "moves:e5,a1,f5,b1"), []
    for trusts_zones in (False, True):
        prover, path = Prover(rules, trusts_zones=trusts_zones), tmp_path / f"{trusts_zones}.strategy.sqlite"
        one = prover.prove(start, "X", seconds=60, quiet=True)
        assert one
        write_strategy(path, rules, Header("X", "wins", None, 0, "none"), proof_rows(rules, one))
        assert check_strategy(path, Prover).problems == ()
        found.append(one)
    assert (found[0].moves == found[1].moves).all()
    assert 5 * found[1].replies < found[0].replies


def test_a_win_after_one_reply_counts_after_others_that_cannot_disturb_it() -> None:
    """So fewer positions are entered, and the same strategy is found."""
    position, found, nodes = Position.from_moves(GOMOKU, ["h8", "a1", "i9", "h9"]), list[Proof](), list[int]()
    for trusts_zones in (False, True):
        states, prover = list[ProofProgress](), Prover(GOMOKU, (0, 1), trusts_zones=trusts_zones)
        one = prover.prove(position, "X", seconds=60, quiet=True, progress=states.append)
        assert one
        found.append(one)
        nodes.append(max(state.nodes for state in states))
    assert nodes[1] < nodes[0] * 3 // 4
    assert (found[0].cells == found[1].cells).all()


def test_what_a_zone_hides_is_proved_after_the_check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here the zone of the first threat hides all replies."""
    rules, path = parse_game("11,11,5,x=f6+g7,o=a1+g6"), tmp_path / "mnk-x.strategy.sqlite"

    def keep_none(walk: Walk, *_: object) -> None:
        walk.frames[walk.state[proof_walk.DEPTH], proof_walk.COUNT] = 0

    with monkeypatch.context() as patched:
        patched.setattr("solver.search.threats.proof_walk.keep_replies", keep_none)
        found = Prover(rules, trusts_zones=True).prove(Position.start(rules), "X", seconds=60, quiet=True)
    assert found
    elsewhere = encode(1 << 120 | 1 << 110, 0)  # no play reaches both corners
    notes, missed = OpeningNotes({}, {}, set(), {elsewhere: 7}, set()), list[int]()
    opening = OpeningProof(rules, "X", proof_rows(rules, found), notes)
    before = encode(1 << opening.rows[0].move, 0)  # it leads to the new rows, so that its plies can be more
    notes.checked[before] = 9

    def answer(keys: Iterable[int], progress: Callable[[OpeningProgress], None]) -> list[Row]:
        missed.append(len([*keys]))
        opening.require(keys)
        assert opening.run(60, lambda: 2, progress, lambda: None)
        return [*opening.rows.values()]

    header, [row] = Header("X", "wins", rules.plies, 0, "none"), opening.rows.values()
    seen = list[dict[int, int]]()

    def look(latest: StrategyReport | OpeningProgress) -> None:
        if isinstance(latest, StrategyReport) and len(missed) > len(seen):
            seen.append(dict(notes.checked))

    proof._keep(rules, path, proof._Found(header, [row], answer, notes.checked), look)
    assert missed == [2]  # positions that the check has found no move for
    assert before not in seen[0]
    assert seen[0][elsewhere] == 7
    assert len(rows_of(path)) > 5
    assert check_strategy(path, Prover).problems == ()


def test_a_reply_within_a_win_of_a_short_search_is_answered_too(tmp_path: Path) -> None:
    """After one reply, the search that a strategy relies on finds a win, but none after a later reply within it."""
    path, before = strategy_path(tmp_path, GOMOKU), Position.from_moves(GOMOKU, "i6 h6 j6 h7 g7 i7 h8 g8")
    key, symmetry = canonical(GOMOKU, before.x, before.o)
    row = Row(key, symmetry[parse_square(GOMOKU, "j8")], GOMOKU.plies)
    write_strategy(path, GOMOKU, Header("X", "wins", None, 0, "none"), [row])
    unanswered = check_strategy(path, Prover).unanswered
    [within] = [one for one in unanswered if Position.parse(GOMOKU, f"hash:{one}").ply == before.ply + 4]
    notes, earlier = OpeningNotes({}, {}, set(), {key: 9, 0: 9}, set()), encode(1 << 200, 0)
    notes.checked[earlier] = 9
    root = Row(0, 0, GOMOKU.plies)  # as if the empty board were won
    opening = OpeningProof(GOMOKU, "X", [row, root], notes)
    opening.require([within])
    assert not opening.run(0, lambda: 2, lambda _: None, lambda: None)
    opening, kept = OpeningProof(GOMOKU, "X", [row, root], OpeningNotes.read(notes.pack())), list[dict[int, int]]()

    def stop(_: OpeningProgress) -> None:
        if within in opening.rows:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):  # it goes on without being told again
        opening.run(60, lambda: 2, stop, lambda: kept.append(dict(opening._notes.checked)))
    assert kept == [{earlier: 9}]  # a change forgets what leads to it, also if it was the last one
    later = OpeningNotes({}, {}, set(), {key: 9, earlier: 9}, set())
    OpeningProof(GOMOKU, "X", opening.rows.values(), later).require([within])
    assert later.checked == {earlier: 9}  # its rows were there, but left out
    resumed = OpeningProof(GOMOKU, "X", opening.rows.values(), OpeningNotes.read(opening._notes.pack()))
    assert resumed.run(60, lambda: 2, lambda _: None, lambda: None)
    answers = [one for one in resumed.played_rows() if one != root]
    assert within in {row.hash for row in answers}
    write_strategy(path, GOMOKU, Header("X", "wins", None, 0, "none"), [row, *answers])
    assert {*check_strategy(path, Prover).unanswered} == {*unanswered} - {within}


@pytest.mark.parametrize(
    ("name", "up", "left", "count"), [("13,13,5", 1, 1, 1), ("15,16,5", 0, 0, 15), ("19,17,5", -2, -1, 19)]
)
def test_moves_of_other_sizes_are_hints_where_they_fit(name: str, up: int, left: int, count: int) -> None:
    rules, names = parse_game(name), ["h8", "i9", "g7", "f9"]
    rows = list[Row]()
    for moves, move in ((names, "i7"), (["h8", "a1", "h9", "a2"], "h7"), (["h8", "g8", "h9", "i9"], "o15")):
        position = Position.from_moves(GOMOKU, moves)
        number, symmetry = canonical(GOMOKU, position.x, position.o)
        rows.append(Row(number, symmetry[parse_square(GOMOKU, move)], 9))
    hints = find_hints(rules, [(GOMOKU, rows), (GOMOKU, [row._replace(move=0) for row in rows])])

    def moved(square: str) -> str:
        return f"{chr(ord(square[0]) - left)}{int(square[1:]) - up}"

    position = Position.from_moves(rules, [moved(square) for square in names])
    for image in symmetries(rules):
        number, symmetry = canonical(
            rules, *(mask_of(image[s] for s in squares_of(m)) for m in (position.x, position.o))
        )
        assert hints[number] == symmetry[image[parse_square(rules, moved("i7"))]]
    assert len(hints) == count
    number, _ = canonical(rules, position.x, position.o)
    if rules.squares > 300:  # a stone of O at the edge stands for one beyond it
        far = Position.from_moves(rules, [moved("h8"), "a1", moved("h9"), moved("a2")])
        number_far, symmetry = canonical(rules, far.x, far.o)
        assert hints[number_far] == symmetry[parse_square(rules, moved("h7"))]
    opening = OpeningProof(rules, "X", [], OpeningNotes({number: opening_proof._FIRST}, {}, set(), {}, set()), hints)
    assert opening._search(opening._node(position)).candidates == [hints[number]]


def test_what_is_proved_makes_the_whole_proof_cheaper() -> None:
    won = Position.from_moves(RULES, ["d4", "g7"])
    number, _ = canonical(RULES, won.x, won.o)
    notes = OpeningNotes({}, {0: [parse_square(RULES, "d4")]}, set(), {}, set())
    resumed, anew = (OpeningProof(RULES, "X", rows, notes) for rows in ([Row(number, 0, 9)], []))
    assert resumed.progress.left < anew.progress.left


def test_a_hint_comes_first_among_the_candidates_of_a_position_that_is_probed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Prover, "leaf_win", lambda *_: None)
    position = Position.from_moves(RULES, ["d4", "g7"])
    number, _ = canonical(RULES, position.x, position.o)
    candidates = OpeningProof(RULES, "X", [], OpeningNotes({}, {}, set(), {}, set()), {number: 0})._search
    found = candidates(OpeningProof(RULES, "X", [], OpeningNotes({}, {}, set(), {}, set()))._node(position)).candidates
    assert found
    assert found[0] == 0
    assert len({*found}) == len(found) > 1


def test_a_hint_is_tried_before_the_candidates_of_an_earlier_proof() -> None:
    position = Position.from_moves(RULES, ["d4", "g7"])
    number, _ = canonical(RULES, position.x, position.o)
    notes = OpeningNotes({}, {number: [1, 2]}, set(), {}, set())
    for hint, order in ((2, [2, 1]), (3, [3, 1, 2])):
        answers = OpeningProof(RULES, "X", [], notes, {number: hint})._node(position).answers
        assert [answer.move for answer in sorted(answers or [], key=lambda one: one.cost)] == order


def test_a_four_whose_reply_resists_comes_last(monkeypatch: pytest.MonkeyPatch) -> None:
    position = Position.from_moves(RULES, ["d4", "d6", "d5", "g7"])  # d2 or d3 leaves O one reply: the other of these
    fours = {parse_square(RULES, name) for name in ("d2", "d3")}
    monkeypatch.setattr(Prover, "seems_won", lambda *_: False)
    opening = OpeningProof(RULES, "X", [], OpeningNotes({}, {}, set(), {}, set()))
    node = opening_proof._Node(0, position, 0.0)
    found = opening._probe(node, 7)
    assert found.candidates
    assert {*found.candidates[-2:]} == fours


def test_a_proof_settles_all_positions_that_it_contains() -> None:
    opening = OpeningProof(RULES, "X", [], OpeningNotes({}, {0: [parse_square(RULES, "d4")]}, set(), {}, set()))
    root = opening._root
    assert root.answers
    root.answers[0].replies = replies = opening._list_replies(root, root.answers[0].move)
    opening._set_prices([root])
    before, progress = root.price, opening.progress
    assert progress.replies == len(progress.open_replies) == len(replies)
    shown = ", ".join(f"d4 {square_names(RULES, one.position.o)[0]}" for one in replies[:3])
    assert str(progress).startswith(f"0 of {len(replies)} first replies settled (open: {shown}, ...), ")
    opening._add(opening_proof._Found(9, rows=[Row(one.key, 0, 7) for one in replies[1:]]), [replies[0]])
    assert str(opening.progress).startswith(f"{len(replies)} of {len(replies)} first replies settled, ")
    assert [one.within for one in replies] == [9] + [7] * (len(replies) - 1)
    assert (before > 0, root.price, root.within, opening.within) == (True, 0, 11, 11)
    assert opening.rows[root.key] == Row(root.key, root.answers[0].move, 11)


def test_a_position_is_settled_when_all_replies_to_a_candidate_turn_out_to_be() -> None:
    move = parse_square(RULES, "d4")
    after = Position.start(RULES).play(move)
    keys = {canonical(RULES, reply.x, reply.o)[0] for reply in map(after.play, after.legal_moves)}
    rows, notes = [Row(key, 0, 7) for key in keys], OpeningNotes({}, {0: [move, 0]}, set(), {}, set())
    opening = OpeningProof(RULES, "X", rows, notes)
    before, path = opening.within, opening._descend(opening._root)  # which lists the replies
    assert (before, path, opening.within) == (None, None, 9)
    assert opening._descend(opening._root) is None
    assert opening._root.answers
    assert opening._root.answers[1].replies is None  # no other candidate is looked at


def test_a_changed_row_is_forgotten_with_every_position_that_can_lead_to_it() -> None:
    random = Random(1)
    positions = [Position.from_moves(GOMOKU, random.sample(range(60, 120), count)) for count in (8, 2, 4, 6) * 50]
    changed, *others = positions
    stones = [square for square in range(GOMOKU.squares) if (changed.x | changed.o) >> square & 1]
    for count in (2, 4, 6):  # and some of its stones alone, turned or mirrored
        of_x, of_o = ([square for square in stones if side >> square & 1] for side in (changed.x, changed.o))
        some = zip(random.sample(of_x, count // 2), random.sample(of_o, count // 2), strict=True)
        others.append(Position.from_moves(GOMOKU, [*chain(*some)]).transform(symmetries(GOMOKU)[count]))
    found = {canonical(GOMOKU, one.x, one.o)[0]: one for one in others}
    images = [changed.transform(symmetry) for symmetry in symmetries(GOMOKU)]
    kept = {key for key, one in found.items() if not any(one.x & ~it.x == 0 == one.o & ~it.o for it in images)}
    checked = dict.fromkeys(found, 9)
    opening_proof._forget(GOMOKU, checked, [Row(canonical(GOMOKU, changed.x, changed.o)[0], 0, 9)])
    assert {*checked} == kept
    assert 3 <= len(found) - len(kept) < len(found) / 2


def test_rows_that_no_play_reaches_are_not_checked(tmp_path: Path) -> None:
    rules, path = parse_game("11,11,5,x=f6+g7,o=a1+g6"), tmp_path / "mnk-x.strategy.sqlite"
    found = Prover(rules, trusts_zones=True).prove(Position.start(rules), "X", seconds=60, quiet=True)
    assert found
    rows = proof_rows(rules, found)
    other = Position.parse(rules, "moves:a2,b2,c9,d2")
    number, symmetry = canonical(rules, other.x, other.o)
    given_up = Row(number, symmetry[0], 9)
    played = OpeningProof(rules, "X", [*rows, given_up], OpeningNotes({}, {}, set(), {}, set())).played_rows()
    assert len(played) > 5
    assert {*played} <= {*rows}
    unbounded = [row._replace(within=rules.plies) for row in played]  # a zone can hide longer wins
    write_strategy(path, rules, Header("X", "wins", rules.plies, 0, "none"), unbounded)
    report = check_strategy(path, Prover)
    assert (report.problems, report.unused) == ((), 0)


def test_a_position_that_resists_costs_a_probe_and_what_was_spent_and_late_replies_cost_less() -> None:
    early, late = (Position.from_moves(GOMOKU, moves.split()) for moves in ("h8 f5 h9 a1", "h8 f5 h9 a1 g7 b2"))
    key, _ = canonical(GOMOKU, early.x, early.o)
    prices = [
        OpeningProof(GOMOKU, "X", [], OpeningNotes({key: tried}, {}, set(), {}, set()))._node(position).price
        for tried, position in ((0.0, early), (0.5, early), (4.0, early), (64.0, early), (0.0, late))
    ]
    assert prices == [opening_proof._MEAN, opening_proof._FAILED, opening_proof._PROBE, 64.0, opening_proof._LATER]
    assert prices[4] < prices[0]


def test_what_is_spent_on_a_position_counts_for_all_before_it() -> None:
    """So a candidate that has cost much without success gives way to the others."""
    before, after = (Position.from_moves(GOMOKU, moves.split()) for moves in ("h8 f5", "h8 f5 h9 a1"))
    notes = OpeningNotes({}, {}, set(), {}, set())
    opening = OpeningProof(GOMOKU, "X", [], notes)
    path = [opening._node(before), opening._node(after)]
    path[0].answers = [opening_proof._Answer(GOMOKU.diagram.names.index(move), 1.0, 20.0) for move in ("h9", "g9")]
    path[0].answers[0].replies = [path[1]]
    path[1].tried = 2.0
    opening._add(opening_proof._Found(None, seconds=100.0), path)
    assert [(node.tried, node.price) for node in path] == [(100.0, 100.0), (2.0, opening_proof._PROBE)]
    assert notes.tried == {node.key: node.tried for node in path}


def test_a_reply_that_resists_a_probe_costs_as_much_as_a_failed_search() -> None:
    notes, before = OpeningNotes({}, {}, set(), {}, set()), Position.from_moves(GOMOKU, ["h8", "f5", "h9", "a1"])
    opening, move, reply = OpeningProof(GOMOKU, "X", [], notes), *map(GOMOKU.diagram.names.index, ("g9", "i7"))
    node, after = opening._node(before), before.play(move)
    _, symmetry = canonical(GOMOKU, before.x, before.o)
    key, _ = canonical(GOMOKU, after.play(reply).x, after.play(reply).o)
    known = opening._node(after.play(reply))  # so its price changes
    opening._add(opening_proof._Found(None, [symmetry[move]], {key}), [node])
    assert (known.price, notes.tried[key]) == (opening_proof._FAILED, opening_proof._MOMENT)
    assert node.answers
    assert node.answers[0].price == pytest.approx(
        opening_proof._FAILED + (len(after.legal_moves) - 1) * opening_proof._LATER
    )


def test_a_position_that_resists_is_searched_again_with_the_other_order(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[tuple[float, tuple[int, int]]]()

    def fail(self: Prover, *_: object, seconds: float, **__: object) -> None:
        seen.append((seconds, self.shares))

    monkeypatch.setattr(Prover, "prove", fail)
    opening = OpeningProof(GOMOKU, "X", [], OpeningNotes({}, {}, set(), {}, set()))
    node = opening._node(Position.from_moves(GOMOKU, ["h8", "f5", "h9", "a1"]))
    for _ in range(3):
        opening._search(node)
    assert seen == [(0.5, (1, 0)), (1.0, (0, 1)), (2.0, (1, 0))]
    assert opening._prover().shares == (0, 1)  # with which it was searched for a moment


def test_a_position_that_still_resists_is_probed_once_more() -> None:
    notes, position = OpeningNotes({}, {}, set(), {}, set()), Position.from_moves(GOMOKU, ["h8", "f5", "h9", "a1"])
    opening = OpeningProof(GOMOKU, "X", [], notes)
    node = opening._node(position)
    for seconds in (opening_proof._FIRST, opening_proof._AGAIN, float("inf")):  # a search, another probe, nothing
        assert opening._next(node) == seconds
        opening._add(opening_proof._Found(None, [0]), [node])
    assert notes.again == {node.key}
    resumed = OpeningProof(GOMOKU, "X", [], notes)
    assert resumed._next(resumed._node(position)) == float("inf")


def test_notes_are_read_as_they_were_written() -> None:
    notes = OpeningNotes({5: 1.0, 3**48: 2.0}, {7: [1, 2], 0: []}, {7}, {3**50: 9}, {3**60, 8})
    assert OpeningNotes.read(notes.pack()) == notes


@pytest.mark.parametrize(
    "packed", [b"damaged", *(zlib.compress(text) for text in (b"[", b"[[], []]", b"[5, 5, 5, 5, 5]"))]
)
def test_notes_that_cannot_be_used_are_not_read(packed: bytes) -> None:
    assert OpeningNotes.read(packed) == OpeningNotes({}, {}, set(), {}, set())


@pytest.mark.slow
def test_a_win_that_exists_is_found_and_the_first_candidate_is_the_centre(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening_proof, "_MOMENT", 0.05)
    search = OpeningProof(RULES, "X", [], OpeningNotes({}, {}, set(), {}, set()))
    assert search.run(300, lambda: 2, lambda _: None, lambda: None)
    assert search.rows[0].move == 24
    assert search.progress.left == 0
    assert (search.within or 99) <= RULES.squares


@pytest.mark.parametrize("game", ["3,4,3", "4,4,3", "3,5,3,exact", "3,3,3", "2,4,3", "3,4,3,plies=5", "3,4,3,plies=7"])
def test_proofs_of_small_boards_agree_with_their_tables(
    game: str, table_file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Searches are so short that positions are probed until the board is full."""
    for limit in ("_FIRST", "_LONG", "_MOMENT"):
        monkeypatch.setattr(opening_proof, limit, 1e-9)
    rules = parse_game(game)
    search = OpeningProof(rules, "X", (), OpeningNotes.read(None))
    is_won = search.run(60, lambda: 2, lambda _: None, lambda: None)
    assert is_won or search._root.price == inf  # no candidate is left
    with open_tablebase(table_file(game)) as table:
        assert is_won == (table.probe(Position.start(rules)).wdl == 1)
        for row in search.rows.values():
            value = table.probe(Position.parse(rules, f"hash:{row.hash}"))
            assert (value.wdl, (value.distance or 0) <= (row.within or 0)) == (1, True)
