"""The course notebook says what is so: run afresh it shows what it shows, and its exercises can be solved."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from solver import Position, Rules, verify
from tests.conftest import ROOT, Kept

COURSE = ROOT / "data" / "examples" / "course.ipynb"
RULES = Rules.parse("3,3,3")

# What an engine took for its moves is the only thing that differs from run to run.
SECONDS = re.compile(r"seconds=[\d.e-]+")
LONG = re.compile(r"\bverify\(|\bmcts:|\btrain_and_measure\(|\bcurves\b")
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+")


def course() -> Any:
    return nbformat.read(COURSE, as_version=4)  # type: ignore[no-untyped-call]  # a package without types


@pytest.fixture(scope="module")
def stored() -> Any:
    return course()


def run(notebook: Any, folder: Path) -> Any:
    """Run a notebook in an empty folder, by a kernel of the Python under test."""
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(ROOT))
        patch.delenv("MNK_DATA", raising=False)
        NotebookClient(notebook, timeout=120, resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


def outputs(notebook: Any) -> Iterator[tuple[str, str, str]]:
    """(cell, kind, text) of everything that is shown."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            shown = {output.name: output.text} if output.output_type == "stream" else output.data
            for kind, text in shown.items():
                yield cell.id, kind, SECONDS.sub("seconds=_", text)


def comparable(text: str) -> list[tuple[str, str, str]]:
    """Everything that a stored notebook shows, but for how long it took."""
    return sorted(outputs(nbformat.reads(text, as_version=4)))  # type: ignore[no-untyped-call]  # as in `course`


@pytest.mark.slow
def test_a_fresh_run_shows_what_is_stored(tmp_path: Path, kept: Kept) -> None:
    now = nbformat.writes(run(course(), tmp_path)) + "\n"  # type: ignore[no-untyped-call]  # as in `course`
    kept.whole(COURSE, now, comparable)


@pytest.mark.slow
def test_what_is_quick_shows_what_is_stored(stored: Any, tmp_path: Path) -> None:
    """All but the cells that grade an engine or learn, which take most of the time, and no later one needs."""
    notebook = course()
    notebook.cells = [cell for cell in notebook.cells if not LONG.search(cell.source)]
    assert len(notebook.cells) > len(stored.cells) / 2
    shown = {*outputs(run(notebook, tmp_path))}
    assert shown
    assert shown <= {*outputs(stored)}


def test_it_is_stored_as_it_is_run_from_the_top(stored: Any) -> None:
    nbformat.validate(stored)
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    kinds = {kind for _, kind, _ in outputs(stored)}
    assert kinds == {"text/plain", "text/html", "image/svg+xml", "stdout"}


def test_its_text_and_its_outputs_name_the_same_numbers(stored: Any) -> None:
    shown = "\n".join(text for _, _, text in outputs(stored)).replace(",", "")
    said = {number for cell in stored.cells if cell.cell_type == "markdown" for number in NUMBER.findall(cell.source)}
    assert len(said) > 5
    for number in said - {f"{3**9:,}", "10,000"}:  # 3⁹ and a number of games are nobody's result
        assert re.search(rf"\b{number.replace(',', '')}\b", shown), number


def test_every_section_ends_with_an_exercise_that_grades_itself(stored: Any) -> None:
    sections = [cell.source for cell in stored.cells if re.match(r"## \d", cell.source)]
    exercises = [cell for cell in stored.cells if cell.id.startswith("exercise-") and cell.cell_type == "code"]
    assert len(sections) == len(exercises) == 6
    assert all("Edit me" in cell.source for cell in exercises)
    assert all("verify(" in cell.source or "table.probe" in cell.source for cell in exercises)


def cells_of(notebook: Any) -> dict[str, str]:
    return {cell.id: cell.source for cell in notebook.cells}


@pytest.fixture(scope="module")
def names(stored: Any) -> dict[str, Any]:
    """What the cells that define the algorithms define, without what they show."""
    found: dict[str, Any] = {"cache": cache, "rules": RULES, "start": Position.start(RULES)}
    for cell in ("and-or-code", "alphabeta-code"):
        exec(cells_of(stored)[cell], found)
    return found


def test_exercise_1_can_be_solved() -> None:
    def taking(position: Position) -> int:
        wins = [s for s in position.legal_moves if position.play(s).outcome == position.to_move]
        return (wins or position.legal_moves)[0]

    report = verify(taking, RULES)
    assert report.takes_wins_in_one
    assert 0.5865 < report.score < 1


@pytest.mark.slow
def test_exercise_2_can_be_solved(names: dict[str, Any]) -> None:
    def planning(position: Position) -> int:
        me = position.to_move
        plans = [
            square
            for goals in ((me,), (me, "draw"))
            for square in position.legal_moves
            if names["succeeds"](position.play(square), me, goals)
        ]
        return (plans or list(position.legal_moves))[0]

    assert verify(planning, RULES).score == 1


@pytest.mark.slow
def test_exercise_3_can_be_solved() -> None:
    @cache
    def quick(position: Position) -> float:
        over = position.value_if_over
        return over.wdl if over else max(-0.9 * quick(position.play(square)) for square in position.legal_moves)

    def move(position: Position) -> int:
        return max(position.legal_moves, key=lambda square: -quick(position.play(square)))

    report = verify(move, RULES)
    assert (report.score, report.is_fastest, report.missed_wins_in_one) == (1, True, 0)


def test_exercise_4_can_be_solved(names: dict[str, Any]) -> None:
    def order(position: Position) -> list[int]:
        return sorted(position.legal_moves, key=[1, 2, 1, 2, 0, 2, 1, 2, 1].__getitem__)

    value, nodes = names["alphabeta"](Position.start(RULES), order)
    assert value == 0
    assert nodes < 10_000


def test_exercises_5_and_6_leave_room(stored: Any) -> None:
    scores = {name: float(re.findall(r"\((0\.\d+),", text)[0]) for name, _, text in outputs(stored) if name in ROOM}
    assert set(scores) == ROOM
    assert all(0.8 < score < 0.99 for score in scores.values())


ROOM = {"exercise-5-code", "exercise-6-code"}


def test_it_holds_no_path_of_the_machine_it_was_run_on(stored: Any) -> None:
    assert str(Path.home()) not in COURSE.read_text(encoding="utf-8")
    assert not [text for _, _, text in outputs(stored) if re.search(r"(^|[\s'\"])/\w+/|0x[0-9a-f]{6}", text)]
