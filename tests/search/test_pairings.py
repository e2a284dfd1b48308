from itertools import chain
from random import Random

import pytest

from solver.game.game_files import name_rules
from solver.game.games import parse_game
from solver.game.json_file import from_json
from solver.game.position import Position
from solver.game.rules import Rules, Side
from solver.search.pairings import PairingFinder, find_pairing, is_draw_proved
from tests.holding import can_complete, random_rules


def assert_is_pairing(rules: Rules, position: Position, holder: Side, pairs: list[tuple[int, int]]) -> None:
    squares = list(chain(*pairs))
    assert len(set(squares)) == len(squares)
    assert not any((position.x | position.o) >> square & 1 for square in squares)
    own, lines = (position.x, rules.o_lines) if holder == "X" else (position.o, rules.x_lines)
    for line in lines:
        assert line.mask & own or any(line.mask >> first & line.mask >> second & 1 for first, second in pairs)


def play(rules: Rules, random: Random, plies: int) -> Position:
    position = Position.start(rules)
    while position.ply < plies and not position.is_over:
        position = position.play(random.choice(position.legal_moves))
    return position


@pytest.mark.parametrize("name", ["5,5,5", "6,6,6", "7,7,6", "10,10,7", "11,12,8", "15,15,9", "19,19,10"])
def test_empty_boards_have_a_pairing(name: str) -> None:
    rules = parse_game(name)
    start = Position.start(rules)
    pairs = find_pairing(rules, start, "O")
    assert pairs is not None
    assert_is_pairing(rules, start, "O", pairs)


@pytest.mark.parametrize("name", ["3,3,3", "4,4,4", "6,6,5", "8,8,6,torus", "15,15,5", "19,19,7"])
def test_empty_boards_without_a_known_pairing(name: str) -> None:
    rules = parse_game(name)
    assert find_pairing(rules, Position.start(rules), "O") is None


@pytest.mark.parametrize("holder", ["X", "O"])
def test_pairings_of_random_positions_are_right(holder: Side) -> None:
    random, found = Random(3), 0
    for _ in range(300):
        rules = random_rules(random)
        position = play(rules, random, random.randint(0, 5))
        pairs = find_pairing(rules, position, holder)
        if pairs is not None and not position.is_over:
            found += 1
            assert_is_pairing(rules, position, holder, pairs)
            if holder == "O":
                assert not can_complete(rules, position.x, position.o)
    assert found > 50


def test_finds_every_pairing_of_small_games() -> None:
    def exists(lines: list[int], free: int) -> bool:
        if not lines:
            return True
        squares = [1 << s for s in range(rules.squares) if lines[0] & free >> s << s & 1 << s]
        return any(
            exists([line for line in lines if line & (a | b) != a | b], free & ~(a | b))
            for i, a in enumerate(squares)
            for b in squares[:i]
        )

    random, counts = Random(5), [0, 0]
    for _ in range(300):
        rules = random_rules(random)
        position = play(rules, random, 2 * random.randint(0, 2))
        open_lines = [line.mask for line in rules.x_lines if not line.mask & position.o]
        expected = exists(open_lines, (1 << rules.squares) - 1 & ~position.x & ~position.o)
        assert (find_pairing(rules, position, "O") is not None) == expected
        counts[expected] += 1
    assert min(counts) > 50


def test_a_reply_leads_to_a_pairing() -> None:
    random, replies = Random(7), 0
    for _ in range(200):
        rules = random_rules(random)
        position = play(rules, random, random.choice((1, 3)))
        if position.is_over or position.to_move == "X":
            continue
        finder = PairingFinder(rules, "O")
        move = finder.reply(position.x, position.o)
        others = [finder.pairing(position.x, position.o | 1 << square) is not None for square in position.legal_moves]
        assert (move is not None) == any(others)
        if move is not None:
            replies += 1
            assert finder.pairing(position.x, position.play(move).o) is not None
    assert 50 < replies < 200


@pytest.mark.parametrize(
    ("name", "proved"),
    [
        ("7,7,5", True), ("4x4x4,4", True), ("7,7,5,exact", False), ("7,7,5,misere", False),
        ("7,7,5,maker", False), ("7,7,5,gravity", False), ("7,7,5,plies=20", False), ("7,7,5,x=a1", False),
    ],
)  # fmt: skip
def test_where_a_draw_is_proved(name: str, proved: bool) -> None:
    assert is_draw_proved(parse_game(name)) == proved


def test_no_pairing_where_stones_can_hurt() -> None:
    for name in ("5,5,5,gravity", "5,5,5,misere"):
        rules = parse_game(name)
        assert find_pairing(rules, Position.start(rules), "O") is None


def test_a_side_without_lines_is_held_by_no_pair() -> None:
    rules = name_rules(from_json({"squares": 5, "x_lines": [[1, 2]]}), "random")
    assert find_pairing(rules, Position.start(rules), "X") == []
