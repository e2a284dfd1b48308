"""Games from .pg files: read, written, and refused in one sentence."""

from pathlib import Path

import pytest

from solver.errors import RulesError
from solver.game import pg_file
from solver.game.descriptions import describe_rules
from solver.game.game_files import read_file
from solver.game.lines import Line, squares_of
from solver.game.position import Position
from tests.game.test_files import decides
from tests.texts import refused

PG = """% A comment.
#version
1.0
#times
t1 t2 t3 t4
#blackturns
t1 t3
#positions
a1 b1 c1 a2 b2   % five squares
#blackwins
a1 b1
b1 c1
#whitewins
a2 b2
#firstmoves
a1 b1
"""


def test_a_set_that_a_pg_file_repeats_counts_once() -> None:
    rules = pg_file.read(PG.replace("a1 b1\n", "a1 b1\nb1 a1\n"))
    assert decides(rules) == decides(pg_file.read(PG))
    with pytest.raises(RulesError, match=r"The set 'a1 b1 a1' in #blackwins names a square twice; once is enough\."):
        pg_file.read(PG.replace("a1 b1\n", "a1 b1 a1\n"))


def test_a_pg_file() -> None:
    rules = pg_file.read(PG)
    assert rules.diagram.names == ("a1", "b1", "c1", "a2", "b2")
    assert Position.start(rules).board == ".../..#"
    assert rules.x_lines == (Line(0b00011), Line(0b00110))
    assert rules.o_lines == (Line(0b11000),)
    assert (rules.plies, rules.unfinished, rules.x_is_white) == (4, None, False)


def test_white_may_move_first_and_is_x_then() -> None:
    text = PG.replace("t1 t3", "t2 t4")
    rules = pg_file.read(text)
    assert rules.x_lines == (Line(0b11000),)
    assert describe_rules(rules) == (
        "5 squares, 1 line of X, 2 lines of O; the game ends after 4 moves; X is white, who moves first, and O is black"
    )


def test_names_that_leave_most_of_a_grid_empty_are_written_in_a_row() -> None:
    names = [f"p{number}" for number in range(1, 8)]
    fano = pg_file.read(PG.replace("a1 b1 c1 a2 b2", " ".join(["a1 b1 c1 a2 b2", *names])))
    assert Position.start(fano).board == "." * 12


def test_the_side_without_sets_wins_if_nobody_completes_one() -> None:
    assert pg_file.read(PG.replace("#whitewins\na2 b2\n", "")).unfinished == "O"
    assert pg_file.read(PG.replace("#blackwins\na1 b1\nb1 c1\n", "#blackwins\n")).unfinished == "X"


def test_initial_stones_leave_the_board() -> None:
    rules = pg_file.read(PG + "#blackinitials\na1\n#whiteinitials\nc1\n")
    assert rules.diagram.names == ("b1", "a2", "b2")
    assert Position.start(rules).board == "X.O/..#"
    assert rules.x_lines == (Line(0b001),)
    assert rules.plies == 3
    stones = "; X has a stone on a1 from the start; O has a stone on c1 from the start"
    assert describe_rules(rules) == f"5 squares, 1 line of X, 1 line of O{stones}"


HEX_2 = """#times
t1 t2 t3 t4
#blackturns
t1 t3
#positions
a1 a2 b1 b2
#blackwins
#neighbours
a1 b1 a2
a2 b2 a1 b1
b1 a1 b2 a2
b2 a2 b1
#startboarder
a1 b1
#endboarder
a2 b2
"""

EDGES_2 = """#times
t1 t2 t3 t4
#blackturns
t1 t3
#positions
a1 a2 b1 b2
#edges
s a1
s b1
a1 b1
a1 a2
b1 a2
b1 b2
a2 b2
a2 t
b2 t
#source
s
#target
t
"""


@pytest.mark.parametrize("text", [HEX_2, EDGES_2])
def test_a_goal_may_be_to_connect_two_sides(text: str) -> None:
    rules = pg_file.read(text)
    sets = {frozenset(rules.diagram.names[s] for s in squares_of(line.mask)) for line in rules.x_lines}
    assert sets == {frozenset({"a1", "a2"}), frozenset({"b1", "a2"}), frozenset({"b1", "b2"})}
    assert rules.o_lines == ()
    assert rules.unfinished == "O"


SHAPE = """#times
t1 t2 t3
#blackturns
t1 t3
#positions
a1 a2 b1 b2
#neighbours
a1 a2 b1
a2 na b2
b1 b2 na
b2 na na
#blackgoal
up(p0,p1) side(p0,p2)
up(p0,p1)
"""


def test_a_goal_may_be_a_shape() -> None:
    rules = pg_file.read(SHAPE)
    sets = {frozenset(rules.diagram.names[s] for s in squares_of(line.mask)) for line in rules.x_lines}
    assert sets == {frozenset({"a1", "a2", "b1"}), frozenset({"a1", "a2"}), frozenset({"b1", "b2"})}


@pytest.mark.parametrize(
    ("text", "before", "after", "message"),
    [
        (PG, "#times\nt1 t2 t3 t4", "#times", "#times lists no points in time"),
        (PG, "t1 t3\n", "t1 t2\n", "several turns in a row"),
        (PG, "t1 t3\n", "t1 t3 t5\n", "#blackturns names 't5', which is not among #times"),
        (PG, "a1 b1\nb1 c1", "a1 d4", "#blackwins names 'd4', which is not among #positions"),
        (PG, "#firstmoves\na1 b1", "#firstmoves\na1 d4", "#firstmoves names 'd4', which is not among #positions"),
        (PG, "a1 b1 c1 a2 b2", "a1 a1 b1 c1 a2 b2", "Two squares are called 'a1'"),
        (PG, "a1 b1 c1 a2 b2   % five squares", "", "between 1 and 361 squares"),
        (PG, "#version", "#blackinitials\na1 b1\n#version", "would have a line from the start"),
        (PG, "#version", "#blackinitials\na1\n#whiteinitials\na1\n#version", "leave it out of one"),
        (PG, "#blackwins\na1 b1\nb1 c1", "#edges\na1", "which are not two squares"),
        (PG, "#blackwins\na1 b1\nb1 c1", "#blackgoal\nknight(p0,p1)", "not a shape"),
        (PG, "#blackwins", "#edges\na1 b1\n#blackwins", "Black has two goals, #blackwins and #edges"),
        (PG, "t1 t2 t3 t4", "t1 t1 t2 t3", "#times names 't1' twice"),
        (EDGES_2, "b2 t\n", "b2 t\nb2 zz\n", "#edges names 'zz', which is not among #positions, and neither"),
        (EDGES_2, "#source\ns", "#source\nq", "#source names 'q', which is not among #edges"),
        (EDGES_2, "#target\nt", "", "#target, a side that black must connect, is missing"),
        (HEX_2, "#endboarder\na2", "#endboarder\nzz", "#endboarder names 'zz', which is not among #positions"),
    ],
)
def test_an_invalid_pg_file_is_refused_in_one_sentence(text: str, before: str, after: str, message: str) -> None:
    assert before in text
    with refused(RulesError, message):
        pg_file.read(text.replace(before, after))


def test_a_file_keeps_the_name_of_its_game(tmp_path: Path) -> None:
    path = tmp_path / "two.pg"
    path.write_text(HEX_2)
    assert read_file(path).name.startswith("two.")
