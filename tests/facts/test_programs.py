"""The facts on public programs: each says where it is, what it is expected to be, and what was found."""

import json
from typing import Any

import pytest

from solver.game.games import parse_game
from tests.conftest import ROOT

PROGRAMS: list[dict[str, Any]] = json.loads((ROOT / "data" / "facts" / "programs.json").read_text(encoding="utf-8"))


def was_asked(program: dict[str, Any], *ways: str) -> bool:
    return any(way in program and "refused" not in program[way] for way in ways)


def test_there_are_many_programs_and_each_can_be_found_again() -> None:
    assert len(PROGRAMS) >= 75
    assert len({(program["repository"], program["file"]) for program in PROGRAMS}) == len(PROGRAMS)
    for program in PROGRAMS:
        assert program["repository"].count("/") == 1
        assert len(program["commit"]) == 40
        assert program["licence"]
        assert program["expected"]
        assert parse_game(program["game"]).squares >= 9


def test_four_of_five_that_can_run_are_asked_without_glue_or_with_the_wrapper() -> None:
    can_run = [program for program in PROGRAMS if "cannot_run" not in program]
    assert sum(was_asked(program, "found") for program in can_run) >= 0.7 * len(can_run)
    assert sum(was_asked(program, "found", "wrapped") for program in can_run) >= 0.8 * len(can_run)


def test_sixty_run_without_glue_or_with_the_wrapper_as_it_is_written_and_the_page_says_how_many() -> None:
    can_run = [program for program in PROGRAMS if "cannot_run" not in program]
    count = sum(
        was_asked(program, "found") or (program.get("wrapper") == {} and was_asked(program, "wrapped"))
        for program in can_run
    )
    assert count >= 60
    page = (ROOT / "data" / "facts" / "README.md").read_text(encoding="utf-8")
    said = "are asked without a line of glue or with the wrapper as it is written"
    assert f"of the {len(can_run)} that can run {count} {said}" in page


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program["repository"])
def test_what_was_found_is_counts_a_convention_or_a_sentence(program: dict[str, Any]) -> None:
    for found in (program["found"], program.get("wrapped", program["found"])):
        assert {"refused", "understood", "blunders"} & {*found}
        if "blunders" in found:
            assert found["blunders"] == found["win_to_draw"] + found["win_to_loss"] + found["draw_to_loss"]
            assert found["blunders"] <= found["positions"]
