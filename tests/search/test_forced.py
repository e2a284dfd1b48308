"""Wins by continuous fours and defences against them, compared with play by the plain rules."""

from itertools import islice, pairwise
from random import Random

import pytest

from solver.game.games import parse_game
from solver.game.greedy import LineWeights, play_greedily, weigh_moves
from solver.game.lines import completing, squares_of
from solver.game.position import Position
from solver.search.forced import (
    Forced,
    add_threats,
    draw_forced,
    find_forced,
    find_forced_early,
    find_win,
    forced_move,
    list_threats,
)
from solver.search.sources import ThreatSearch
from solver.search.truth import open_tablebase, open_truth
from tests.commands import TableFile
from tests.small_games import slow_games

GOMOKU = parse_game("15,15,5")
# X has an open three, and i8 or m8 makes it an open four.
THREE = "j8 a1 k8 c1 l8 e1"


def wins_by_fours(position: Position, plies: int) -> bool:
    """Return whether the side to move wins within `plies` plies by moves that threaten to complete a line."""
    rules, own = position.rules, position.own
    lines, others = (rules.x_lines, rules.o_lines) if position.to_move == "X" else (rules.o_lines, rules.x_lines)
    taken = position.x | position.o
    if completing(lines, own, taken):
        return plies >= 1
    stops = completing(others, position.other, taken)
    for square in squares_of(stops) if stops else position.legal_moves:
        child = position.play(square)
        answers = [*squares_of(completing(lines, own | 1 << square, taken | 1 << square))]
        if plies >= 3 and answers and all(wins_by_fours(child.play(answer), plies - 2) for answer in answers[:1]):
            return len(answers) == 1 or not completing(others, position.other, taken | 1 << square)
    return False


@pytest.mark.parametrize("game", ["6,6,4", pytest.param("7,7,5", marks=pytest.mark.slow)])
def test_wins_and_defences_agree_with_the_plain_rules(game: str) -> None:
    rules, kinds = parse_game(game), {True: 0, False: 0}
    threats = ThreatSearch(rules)
    for forced in islice(draw_forced(threats, rules, 1, 200), 60):
        position = forced.position
        kinds[forced.win is not None] += 1
        if forced.win:
            assert wins_by_fours(position, len(forced.win.moves))
            assert not wins_by_fours(position, len(forced.win.moves) - 2)
            for square in forced.win.moves:
                position = position.play(square)
            assert position.outcome == forced.position.to_move
            continue
        assert not wins_by_fours(position, 3)
        for square in position.legal_moves:
            assert not (square in forced.held and wins_by_fours(position.play(square), 5))
            assert square in forced.held or wins_by_fours(position.play(square), forced.within - 1)
    assert min(kinds.values()) >= 3


def find(moves: str) -> Forced:
    return find_forced(ThreatSearch(GOMOKU), Position.parse(GOMOKU, moves))


def test_every_first_move_of_a_win_is_held() -> None:
    won = find(THREE)
    assert won.win is not None
    assert len(won.win.moves) == 3
    assert not won.is_defence
    assert {GOMOKU.diagram.names[square] for square in won.held} == {"i8", "m8"}


def test_a_defence_names_the_moves_that_prevent_the_win() -> None:
    found = find(THREE[: -len(" e1")])
    assert (found.is_defence, found.value, found.within) == (True, None, 4)
    assert {GOMOKU.diagram.names[square] for square in found.held} == {"i8", "m8"}


def test_a_move_has_a_value_only_if_threats_prove_it() -> None:
    threats, names = ThreatSearch(GOMOKU), GOMOKU.diagram.names
    won, defence = find(THREE), find(THREE[: -len(" e1")])
    quiet, best = (forced_move(threats, won, names.index(name)) for name in ("o15", "i8"))
    assert quiet is None
    assert best is not None
    assert (best.wdl, best.within) == (1, 3)
    lost, held = (forced_move(threats, defence, names.index(name)) for name in ("o15", "m8"))
    assert lost is not None
    assert (lost.wdl, held) == (-1, None)
    assert (won.fault(quiet), won.fault(best)) == ("missed", None)
    assert (defence.fault(lost), defence.fault(held)) == ("allowed", None)


def test_late_positions_and_games_with_a_table_are_left_to_other_sources() -> None:
    rules = parse_game("6,6,4")
    with open_truth(rules) as truth, open_truth(parse_game("3,3,3")) as small:
        positions = play_greedily(rules, Random(0), 50.0)
        late = [position for position in positions if rules.plies - position.ply <= (truth.empty or 0)]
        assert all(find_forced_early(truth, position) is None for position in late)
        assert find_forced_early(small, Position.start(small.rules)) is None
        assert small.threats is None


@pytest.mark.parametrize("game", ["3,3,3", "5,5,4,exact", "4,5,4,gravity", "hex,4"])
def test_weights_kept_up_to_date_are_those_of_the_position(game: str) -> None:
    rules = parse_game(game)
    weights, positions = LineWeights(rules), play_greedily(rules, Random(3), 2.0)
    for before, after in pairwise(positions):
        expected = weigh_moves(before)
        assert {square: weights.weight(square, before.ply % 2) for square in before.legal_moves} == expected
        weights.place(((before.x | before.o) ^ (after.x | after.o)).bit_length() - 1, before.ply % 2)
    assert positions[-1].is_over


def test_greedy_play_completes_a_line_and_blocks_one() -> None:
    rules = parse_game("15,15,5")
    for moves, wanted in (("j8 a1 k8 c1 l8 e1 i8 m8", "h8"), ("j8 a1 k8 c1 l8 h8 i8", "m8")):
        weights = weigh_moves(Position.parse(rules, moves))
        assert rules.diagram.names[max(weights, key=lambda square: weights[square])] == wanted


@pytest.mark.parametrize("game", ["4,4,3", "4,4,4", "4,4,4,torus", *slow_games("4,4,3,exact", "4,5,3,exact", "4,5,4")])
def test_wins_losses_and_defences_by_threats_agree_with_a_table(game: str, table_file: TableFile) -> None:
    rules, chance, proved = parse_game(game), Random(5), {"win": 0, "loss": 0, "defence": 0}
    threats = ThreatSearch(rules)
    with open_tablebase(table_file(game)) as truth:
        for _ in range(400):
            position = Position.start(rules)
            for _ in range(chance.randrange(rules.squares)):
                if not position.is_over:
                    position = position.play(chance.choice(position.legal_moves))
            if position.is_over:
                continue
            forced = add_threats(threats, find_forced(threats, position))
            value, moves = truth.probe(position), dict(truth.moves(position))
            if forced.win:
                proved["win"] += not forced.win.is_by_fours
                assert value.wdl > 0
                assert (value.distance or 0) <= forced.win.plies
                assert moves[forced.win.moves[0]].wdl > 0
            for square, played in moves.items():
                if forced.win is None and forced.within and square not in forced.held:
                    assert played.wdl < 0
                    assert (played.distance or 0) <= forced.within
            if forced.value and not forced.win:
                assert value.wdl < 0
                assert (value.distance or 0) <= (forced.value.within or 0)
            proved["loss"] += bool(forced.value and not forced.win)
            proved["defence"] += forced.is_defence
            for square, wins in list_threats(threats, position).items():
                assert not wins or moves[square].wdl > 0
    assert proved["loss"]
    assert proved["win"] or proved["defence"]


@pytest.mark.parametrize(("games", "least"), [(20, 1), pytest.param(60, 3, marks=pytest.mark.slow)])
def test_a_win_by_threats_is_won_against_every_reply(games: int, least: int) -> None:
    rules = parse_game("6,6,4")
    threats, tried = ThreatSearch(rules), 0
    for forced in draw_forced(threats, rules, 2, games, find_win):
        if forced.win and not forced.win.is_by_fours and forced.win.plies <= 9:
            assert_won(threats, forced.position, forced.win.plies)
            tried += 1
    assert tried >= least


def assert_won(threats: ThreatSearch, position: Position, plies: int) -> None:
    """Follow the wins that are found, against every reply, by the plain rules."""
    win = threats.forced_win(position) or threats.threat_win(position, 5)
    assert win
    after = position.play(win.moves[0])
    if after.outcome != position.to_move:
        assert plies >= 3
        for reply in after.legal_moves:
            assert_won(threats, after.play(reply), plies - 2)


THREATS = "j11 h11 k12 i10 g12 j9 k8 k10 l11 h10 j10 h9"  # of two moves that fours leave X, only h8 stops threats


def test_threats_are_added_where_fours_settle_nothing() -> None:
    threats, h8 = ThreatSearch(GOMOKU), GOMOKU.diagram.names.index("h8")
    defence = add_threats(threats, find(THREATS))
    assert (len(find(THREATS).held), defence.held, defence.is_defence, defence.value) == (2, (h8,), True, None)
    won = add_threats(threats, find(f"{THREATS} h12"))
    assert won.win
    assert (won.win.is_by_fours, won.win.plies, str(won.value)) == (False, 13, "win within 13")
    assert defence.within == won.win.plies + 1
    quiet, fours = find("h8 a1 i9 c3"), find(THREE)
    assert add_threats(threats, quiet) == quiet
    assert add_threats(threats, fours) == fours
