"""Values that others published, against the tables; every file is described in data/facts/README.md."""

import csv
import gzip
import json
from typing import Any

import numpy as np
import pytest

from solver.count.walking import walk
from solver.game.games import parse_game
from solver.game.position import Position
from solver.game.value import Value
from solver.search.truth import Truth, open_tablebase
from tests.commands import TableFile
from tests.conftest import ROOT

FACTS = ROOT / "data" / "facts"


def dfriedman() -> list[tuple[str, Value | None]]:
    """Game and value of the empty board; None for a draw. A winner's own number of turns T is turned into plies."""
    known: list[tuple[str, Value | None]] = []
    with (FACTS / "dfriedman_mnk.csv").open() as file:
        for row in csv.DictReader(file):
            misere, first = row["type"] == "M", row["winner"] == "P1"
            game = f"{row['m']},{row['n']},{row['k']}" + (",misere" if misere else "")
            if row["winner"] == "D":
                known.append((game, None))
            else:
                # In misere the second player wins by the line the first is made to complete on his next turn.
                plies = 2 * int(row["max_own_turns"]) + (1 if misere else -1 if first else 0)
                known.append((game, Value(1 if first else -1, plies)))
    assert len(known) == 36
    return known


def root(table_file: TableFile, game: str) -> Value:
    with open_tablebase(table_file(game)) as table:
        return table.probe(Position.start(parse_game(game)))


@pytest.mark.sampled
@pytest.mark.parametrize(("game", "known"), dfriedman())
def test_values_of_small_rectangles(table_file: TableFile, game: str, known: Value | None) -> None:
    assert root(table_file, game) == (known or Value(0, parse_game(game).squares))


def connect4(smallest: int, largest: int) -> list[tuple[str, int, int | None]]:
    """Game, value for the first player, and the last ply where it is known."""
    file = json.loads((FACTS / "connect4_boards.json").read_text())
    known = []
    for board, wdl in file["tromp_values"].items():
        width, height = map(int, board.split("x"))
        if smallest < width * height <= largest:
            other = file["steininger"].get(board, {"value": wdl, "last_move": None})
            assert other["value"] == wdl
            known.append((f"{height},{width},4,gravity", wdl, other["last_move"]))
    return known


@pytest.mark.parametrize(
    ("game", "wdl", "last_move"),
    [*connect4(0, 20), *(pytest.param(*known, marks=pytest.mark.slow) for known in connect4(20, 25))],
)
def test_connect_4(table_file: TableFile, game: str, wdl: int, last_move: int | None) -> None:
    assert root(table_file, game) == Value(wdl, last_move)


@pytest.mark.parametrize(
    ("game", "value"),
    [
        ("3,3,3,torus", Value(1, 7)),
        ("4,4,4,torus", Value(0, 16)),
        ("4,4,3,torus", Value(1, 5)),
        ("3,3,3,misere", Value(0, 9)),
        pytest.param("4,5,4", Value(0, 20), marks=pytest.mark.slow),  # Charatsidis, 2017
    ],
)
def test_torus_misere_and_rectangles(table_file: TableFile, game: str, value: Value) -> None:
    assert root(table_file, game) == value


def test_in_misere_only_the_centre_draws(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3,misere")) as table:
        moves = table.moves(Position.start(parse_game("3,3,3,misere")))
    assert [square for square, value in moves if value.wdl == 0] == [4]
    assert all(value.wdl == -1 for square, value in moves if square != 4)


def test_every_move_of_every_board_of_tic_tac_toe(tictactoe: Truth) -> None:
    """cloudwalk: for each of 5478 boards the value of every move and the ply at which the game then ends."""
    with gzip.open(FACTS / "cloudwalk_5478_values_depths.json.gz") as file:
        boards: dict[str, dict[str, Any]] = json.load(file)["boards"]
    assert len(boards) == 5478
    for board in boards.values():
        text = "".join(mark if mark in ("X", "O") else "." for mark in board["state"])
        position = Position.parse(tictactoe.rules, text)
        scores = [score for score in board["scores"] if score["move"] is not None]
        known = {score["move"] - 1: (score["value"], score["depth"]) for score in scores}
        moves = {s: (value.wdl, position.ply + (value.distance or 0)) for s, value in tictactoe.moves(position)}
        assert moves == known, text


def test_the_canonical_boards_of_tic_tac_toe(tictactoe: Truth) -> None:
    """kowara: the value of each of 765 boards for the side to move, and the plies to the end unless it is a draw."""
    boards = json.loads((FACTS / "kowara_765_wdl_dtm.json").read_text())
    positions = [Position.parse(tictactoe.rules, board["board"]) for board in boards]
    assert len({position.canonical() for position in positions}) == 765
    for board, position in zip(boards, positions, strict=True):
        wdl, distance = tictactoe.probe(position)
        assert (wdl, distance if wdl else 0) == (board["stm_value"], board["plies"]), board["board"]


def test_how_many_positions_of_tic_tac_toe_are_won(tictactoe: Truth) -> None:
    figures = json.loads((FACTS / "figures.json").read_text())["3,3,3"]
    totals = {name: sum(row[name] or 0 for row in tictactoe.table.plies()) for name in ("won", "lost", "drawn")}
    assert totals == figures["side_to_move"]
    hashes = np.concatenate(list(walk(tictactoe.rules)))
    canonical = np.array([Position.parse(tictactoe.rules, int(h)).canonical().hash == h for h in hashes])
    wdl, _ = tictactoe.table.probe_many(hashes[canonical])
    found = {"won": int((wdl == 1).sum()), "lost": int((wdl == -1).sum()), "drawn": int((wdl == 0).sum())}
    assert found == figures["canonical_side_to_move"]


def oeis(name: str, n: int) -> list[int]:
    """Row n of a triangle over n x n boards whose rows have n * n + 1 terms."""
    terms: list[int] = json.loads((FACTS / "oeis_terms.json").read_text())[name]["terms"]
    start = sum(i * i + 1 for i in range(1, n))
    return terms[start : start + n * n + 1]


@pytest.mark.parametrize(("game", "n"), [("3,3,3", 3), pytest.param("4,4,4", 4, marks=pytest.mark.slow)])
def test_canonical_positions_by_result(table_file: TableFile, game: str, n: int) -> None:
    """A317573 (X wins) and A317574 (O wins): canonical positions after each ply, including won positions."""
    rules = parse_game(game)
    images = np.array(rules.board_symmetries.elements)
    with open_tablebase(table_file(game)) as table:
        x_wins, o_wins = [], []
        for ply, hashes in enumerate(walk(rules)):
            canonical = hashes[smallest(hashes, images) == hashes]
            wdl, _ = table.table.probe_many(canonical)
            for_x = wdl if ply % 2 == 0 else -wdl
            x_wins.append(int((for_x == 1).sum()))
            o_wins.append(int((for_x == -1).sum()))
    assert x_wins == oeis("A317573", n)
    assert o_wins == oeis("A317574", n)


def smallest(hashes: Any, images: Any) -> Any:
    """The smallest hash among the images of each position."""
    digits = hashes[:, None] // 3 ** np.arange(images.shape[1]) % 3
    return (digits @ (3 ** images.astype(np.int64)).T).min(axis=1)


def test_the_longest_defence_of_4_4_3_ends_at_ply_5(table_file: TableFile) -> None:
    with open_tablebase(table_file("4,4,3")) as table:
        line = table.mainline(Position.start(parse_game("4,4,3")))
    assert len(line) == 5
