"""Engines with a stated convention: every count equals that of a plain minimax."""

from functools import cache
from itertools import product
from pathlib import Path

import pytest

from solver.verification.verify import verify
from tests.commands import TableFile
from tests.verification.makers import Form, assert_exact, write_engine
from tests.verification.referee import Game

FORMS = {
    "rows": Form("rows", ("X", "O", " "), "mark", "row,column"),
    "flat": Form("flat", ("X", "O", None), "none", "index"),
    "string": Form("string", ("x", "o", "-"), "mark", "index from 1"),
    "array": Form("array", (1, -1, 0), (0, 1), "column,row"),
    "flat array": Form("flat array", (1, 2, 0), "mark", "row,column from 1", as_type="list"),
    "notation": Form("notation", ("X", "O", "."), "none", "name"),
    "position": Form("position", ("X", "O", "."), ("first", "second"), "column,row from 1"),
    "boards": Form("rows", (True, False, ""), "mark", "board"),
}
GAMES = {"3,3,3": (3, 3, 3, False), "3,4,3": (3, 4, 3, False), "4,4,4,gravity": (4, 4, 4, True)}


@cache
def make_game(name: str) -> Game:
    return Game(*GAMES[name])


@pytest.mark.parametrize(
    ("game_name", "form", "engine"),
    [
        pytest.param(*case, marks=pytest.mark.sampled if case[0] == "3,3,3" else pytest.mark.slow)
        for case in product(GAMES, FORMS, ("perfect", "first", "drawn"))
    ],
)
def test_counts_are_those_of_a_minimax(
    game_name: str, form: str, engine: str, tmp_path: Path, table_file: TableFile
) -> None:
    game, small = make_game(game_name), game_name == "3,3,3"
    decide = getattr(game, engine)
    mind = "def choose(cells, side):\n    return DATA[cells]"
    spec = write_engine(tmp_path / "agent.py", FORMS[form], mind, game.columns, {one: decide(one) for one in game.live})
    more = {} if small else {"sample": 500, "seed": 5, "tables": table_file(game_name).parent}
    report = verify(spec, game_name, **FORMS[form].stated, **more)  # type: ignore[arg-type]  # options by name
    assert len(report.verdicts) == (len(game.live) if small else 500)
    assert_exact(report, game, decide)


@pytest.mark.slow
@pytest.mark.parametrize("moves", ["column", "column from 1"])
def test_a_column_is_a_move_with_gravity(moves: str, tmp_path: Path, table_file: TableFile) -> None:
    game, form = make_game("4,4,4,gravity"), Form("rows", (1, 2, 0), "none", moves)
    mind = "def choose(cells, side):\n    return max(square for square in range(4) if cells[square] == '.')"
    spec = write_engine(tmp_path / "agent.py", form, mind, 4)
    tables = table_file(game.name).parent
    report = verify(spec, game.name, **form.stated, sample=500, tables=tables)
    top = [max(range(4), key=lambda column: (cells[column] == ".", column)) for cells in game.live]
    falls = {
        cells: next(one for one in game.legal(cells) if one % 4 == at) for cells, at in zip(game.live, top, strict=True)
    }
    assert_exact(report, game, falls.__getitem__)
