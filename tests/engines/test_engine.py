"""The interface of engines: creation by name, options, the list, engines of other packages."""

import re
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Literal

import pytest

from solver.engines.engine import Choice, Engine, list_engines, make_engine, read_engine, register
from solver.engines.engine_options import Option, list_options, read_options
from solver.errors import EngineError
from solver.game.games import parse_game
from solver.game.position import Position
from tests.faulty_engines import forget_new_engines, installed_faulty_engines

__all__ = ["installed_faulty_engines"]

TICTACTOE = parse_game("3,3,3")


@dataclass
class Sample(Engine):
    """A sample of every kind of option.

    Only the first line is listed.
    """

    depth: int | None = None
    weight: float = 0.5
    fast: bool = False
    mode: Literal["plain", "fancy"] = "plain"
    file: str = ""
    hidden: int = field(default=3, init=False)

    def choose(self, position: Position) -> Choice:
        return Choice(position.legal_moves[-1])


@dataclass
class Needy(Engine):
    """Needs an option."""

    file: str
    names: list[str] = field(default_factory=list, init=False)

    def choose(self, position: Position) -> Choice:
        return Choice(position.legal_moves[0])


@pytest.fixture(autouse=True)
def _samples(monkeypatch: pytest.MonkeyPatch) -> None:
    forget_new_engines(monkeypatch)
    register("sample")(Sample)
    register("needy")(Needy)


@pytest.mark.parametrize(
    ("text", "changed"),
    [
        ("sample", {}), ("sample:", {}), ("sample:depth=4", {"depth": 4}), ("sample:depth=none", {}),
        (" sample : depth = 4 , weight = 1e-3 ", {"depth": 4, "weight": 0.001}), ("sample:fast", {"fast": True}),
        ("sample:fast=yes,mode=fancy", {"fast": True, "mode": "fancy"}), ("sample:fast=NO", {}),
        ("sample:file=a:b=c", {"file": "a:b=c"}),
    ],
)  # fmt: skip
def test_options_are_read(text: str, changed: dict[str, object]) -> None:
    assert read_engine(text) == Sample(**changed)  # type: ignore[arg-type]  # of as many types as options
    assert make_engine("sample:fast,depth=2", TICTACTOE).name == "sample:fast,depth=2"
    assert make_engine("sample", TICTACTOE).name == Sample().name == "sample"


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("sample:deep=4", "no option 'deep'; it knows depth=none, weight=0.5, fast=no, mode=plain, file="),
        ("sample:hidden=4", "no option 'hidden'"),
        ("sample:depth=four", "option depth of the engine sample can't be 'four'; it is a whole number or none"),
        ("sample:depth=4.5", "it is a whole number or none"), ("sample:depth", "needs a value: depth=none"),
        ("sample:weight=nan", "it is a number"), ("sample:fast=maybe", "it is yes or no"),
        ("sample:mode=odd", "it is plain or fancy"), ("sample:depth=1,depth=2", "given twice"),
        ("needy", "needs the option file=<text>"), ("random:depth=1", "no option 'depth'; it knows seed=none"),
        ("alphabet", "There is no engine 'alphabet'; choose one of "), ("", "There is no engine ''; choose one of "),
    ],
)  # fmt: skip
def test_faults_of_engines_are_reported(text: str, part: str) -> None:
    with pytest.raises(EngineError) as caught:
        make_engine(text, TICTACTOE)
    assert part in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        *("alphabeta:cutoff=0", "graded:strength=1.5", "graded:strength=-0.1", "mcts:playouts=0", "mcts:constant=-1"),
        *("mcts:constant=inf", "mcts:draw=2", "minimax:depth=0", "td:episodes=-1", "td:alpha=2", "td:epsilon=-1"),
        "td:draw=2",
    ],
)
def test_options_out_of_range_are_refused(text: str) -> None:
    with pytest.raises(EngineError, match=re.split("[:=]", text)[1]):
        make_engine(text, TICTACTOE)


@pytest.mark.parametrize(
    ("name", "game", "most"), [("mcts", "5,13,4", 64), ("minimax:depth=2", "5,13,4", 64), ("td", "3,6,3", 16)]
)
def test_large_boards_are_refused(name: str, game: str, most: int) -> None:
    with pytest.raises(EngineError, match=f"up to {most} squares"):
        make_engine(name, parse_game(game))


def test_options_are_listed_as_they_are_written() -> None:
    assert list_options(Sample) == (
        Option("depth", "a whole number or none", "none"),
        Option("weight", "a number", "0.5"),
        Option("fast", "yes or no", "no"),
        Option("mode", "plain or fancy", "plain"),
        Option("file", "text", ""),
    )
    assert [str(option) for option in list_options(Needy)] == ["file=<text>"]
    assert read_options(Sample, "sample", "") == {}


def test_the_list_has_every_engine_with_a_line_about_it() -> None:
    listed = {info.name: info for info in list_engines()}
    assert {"random", "perfect", "graded", "sample"} <= {*listed}
    assert listed["sample"].description == "A sample of every kind of option."
    assert [*listed] == sorted(listed)
    assert all(info.description and not info.problem for info in listed.values())


def test_a_name_stands_for_one_engine() -> None:
    assert register("sample")(Sample) is Sample
    with pytest.raises(EngineError, match="another engine named 'sample'"):
        register("sample")(Needy)


def test_a_deterministic_engine_knows_the_probabilities_of_its_moves() -> None:
    engine, start = Sample(), Position.start(TICTACTOE)
    assert engine.distribution(start) is None
    engine.deterministic = True
    assert engine.distribution(start) == {8: Fraction(1)}


@pytest.mark.usefixtures("installed_faulty_engines")
def test_another_package_adds_engines_by_entry_points() -> None:
    listed = {info.name: info for info in list_engines()}
    assert listed["illegal"].description == "An engine that always plays the first square, even if it is taken."
    assert [str(option) for option in listed["doubtful"].options] == ["size=0"]
    assert make_engine("illegal", TICTACTOE).name == "illegal"
    problem = "absent (tests.faulty_engines_absent:Absent) can't be loaded: ModuleNotFoundError"
    assert problem in str(listed["absent"].problem)
    with pytest.raises(EngineError, match="absent"):
        make_engine("absent", TICTACTOE)
    with pytest.raises(EngineError, match="'doubtful:size=3' can't be made: a size of 3 is out of fashion"):
        make_engine("doubtful:size=3", TICTACTOE)
