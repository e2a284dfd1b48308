"""The results of the public .pg files (data/facts/pg_results.json): whole, and in line with each other."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from typing import Any

import pytest

from tests.conftest import ROOT

KEPT = json.loads((ROOT / "data" / "facts" / "pg_results.json").read_text(encoding="utf-8"))
ROWS: list[dict[str, Any]] = [dict(zip(KEPT["columns"], row, strict=True)) for row in KEPT["rows"]]
SOLVED = [row for row in ROWS if row["result"]]


def test_every_file_is_listed_once() -> None:
    assert len(ROWS) == len({row["file"] for row in ROWS}) == 886
    assert len(SOLVED) == 460
    for row in ROWS:
        assert (row["result"] is None) == bool(row["reason"])
        if row["result"]:
            assert row["result"] in {"win", "loss", "draw"}
            assert 1 <= row["squares"] <= row["positions"] <= 25
            assert 1 <= row["plies"] <= row["squares"]


def test_unsolved_games_have_a_reason() -> None:
    reasons = [row["reason"].split(";")[0] for row in ROWS if row["reason"]]
    assert {reason: reasons.count(reason) for reason in reasons} == {
        "more than 25 squares": 301,
        "One side has several turns in a row": 120,
        "#positions must list between 1 and 361 squares, not 0.": 5,
    }


def hein() -> dict[str, dict[str, set[str]]]:
    """Return the stated value of each puzzle with its number of plies, by puzzle and encoding."""
    found: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for row in SOLVED:
        *folders, file = row["file"].removesuffix(".pg").split("/")
        if file.startswith(("hein", "browne")):
            kind = "flipped" if "White_flipped" in folders else "plain"
            found[file][kind].add(row["result"])
    return found


@pytest.mark.parametrize("kind", ["plain", "flipped"])
def test_all_encodings_of_a_puzzle_agree(kind: str) -> None:
    for puzzle, results in hein().items():
        assert len(results[kind]) <= 1, puzzle


def test_the_shortest_win_has_the_plies_of_the_set() -> None:
    """Each puzzle has files with the plies of its shortest win, and with fewer.

    Of boards of six by six and seven by seven, only those files with fewer plies can be solved here whose encoding
    leaves 25 squares or fewer.
    """
    plies: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for name, results in hein().items():
        puzzle, _, count = name.rpartition("-" if "-" in name else "_")
        plies[puzzle] += [(int(count), result) for result in results["plain"]]
    small = {puzzle for puzzle in plies if not puzzle.endswith(("6x6", "7x7"))}
    assert len(small) == 15
    for puzzle, known in plies.items():
        values = [value for _, value in sorted(known)]
        assert values == ["loss"] * (len(values) - (puzzle in small)) + ["win"] * (puzzle in small), puzzle


def test_championship_positions_are_worth_what_their_folder_says() -> None:
    rows = [row for row in SOLVED if "/unsat/" in row["file"] and "White_flipped" not in row["file"]]
    assert len(rows) == 8
    assert {row["result"] for row in rows} == {"loss"}


def test_more_plies_never_lose_a_win() -> None:
    """The files of one game with more and more plies."""
    games: dict[str, list[tuple[int, str]]] = defaultdict(list)
    for row in SOLVED:
        game, found, plies = row["file"].removesuffix(".pg").rpartition("_m_")
        if found:
            games[game].append((int(plies), row["result"]))
    for game, known in games.items():
        results = [result == "win" for _, result in sorted(known)]
        assert results == sorted(results), game


CODES = {
    "0010": "domino", "000111": "el", "001020": "tic", "00011011": "fatty", "00011020": "elly", "00101120": "knobby",
    "00101121": "tippy", "00102030": "skinny",
}  # fmt: skip


def test_animals_are_won_where_gardner_says() -> None:
    """The files of GTTT(1,1) on three by three and four by four, whose names list the squares of the animal."""
    animals = json.loads((ROOT / "data" / "facts" / "positional.json").read_text(encoding="utf-8"))["animals"]
    compared = 0
    for row in SOLVED:
        found = re.fullmatch(r"gttt-.x./gttt_1_1_(\d+)_(.)x._([bw])\.pg", row["file"])
        if found:
            smallest = animals[CODES[found[1]]]
            first_wins = smallest is not None and smallest[0] <= int(found[2])
            assert row["result"] == (("win" if found[3] == "b" else "loss") if first_wins else "draw"), row["file"]
            compared += 1
    assert compared == 30
