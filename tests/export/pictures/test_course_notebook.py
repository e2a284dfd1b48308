"""The course notebook: a fresh run shows the stored outputs, and the solutions reach the goals of the exercises."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from tests.conftest import ROOT, Kept
from tests.texts import words_of_chart

COURSE = ROOT / "data" / "examples" / "course.ipynb"

# Only the times of engines and the seeds drawn at random differ from run to run.
SECONDS = re.compile(r"seconds=[\d.e-]+")
DRAWN = re.compile(r"\(order: seed \d+\)")
NUMBER = re.compile(r"\d{1,3}(?:,\d{3})+")


def course() -> Any:
    return nbformat.read(COURSE, as_version=4)


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
        NotebookClient(
            notebook, timeout=120, record_timing=False, resources={"metadata": {"path": str(folder)}}
        ).execute()
    for cell in notebook.cells:
        if cell.cell_type == "code":  # whether kernels are compiled depends on the machine
            cell.outputs = [one for one in cell.outputs if not one.get("text", "").startswith("Compiling")]
    return notebook


def outputs(notebook: Any) -> Iterator[tuple[str, str, str]]:
    """Return (cell, kind, text) of every output."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            shown = {output.name: output.text} if output.output_type == "stream" else output.data
            for kind, text in shown.items():
                # The paths of a chart differ between versions of matplotlib.
                words = "\n".join(words_of_chart(text)) if "matplotlib" in text else text
                yield cell.id, kind, DRAWN.sub("(order: seed _)", SECONDS.sub("seconds=_", words))


def comparable(text: str) -> list[tuple[str, str, str]]:
    """Return the outputs of a stored notebook, without times and seeds drawn at random."""
    return sorted(outputs(nbformat.reads(text, as_version=4)))


@pytest.mark.slow
def test_a_fresh_run_shows_the_stored_outputs(tmp_path: Path, kept: Kept) -> None:
    now = nbformat.writes(run(course(), tmp_path)) + "\n"
    kept.whole(COURSE, now, comparable)


def test_the_cells_are_stored_in_order(stored: Any) -> None:
    nbformat.validate(stored)
    cells = [cell for cell in stored.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in cells] == [*range(1, len(cells) + 1)]
    kinds = {kind for _, kind, _ in outputs(stored)}
    assert kinds == {"text/plain", "text/html", "image/svg+xml"}
    paths = re.compile(r"(^|[\s'\"])/\w+/|0x[0-9a-f]{6}")
    assert not [text for _, _, text in outputs(stored) if paths.search(text)]


def test_the_numbers_in_the_text_occur_in_the_outputs(stored: Any) -> None:
    shown = "\n".join(text for _, _, text in outputs(stored)).replace(",", "")
    said = {number for cell in stored.cells if cell.cell_type == "markdown" for number in NUMBER.findall(cell.source)}
    assert len(said) > 5
    for number in said - {f"{3**9:,}", "10,000"}:  # 3⁹ and a number of games are nobody's result
        assert re.search(rf"\b{number.replace(',', '')}\b", shown), number


def cells_of(notebook: Any) -> dict[str, str]:
    return {cell.id: cell.source for cell in notebook.cells}


@pytest.mark.parametrize("number", [4, *[pytest.param(number, marks=pytest.mark.slow) for number in (1, 2, 3, 5, 6)]])
def test_the_solution_reaches_the_goals_of_its_exercise(number: int, stored: Any, tmp_path: Path) -> None:
    cells = cells_of(stored)
    names: dict[str, Any] = {"display": str}
    setup = cells["setup"].replace('"data"', repr(str(tmp_path)))
    for code in (setup, cells["and-or-code"], cells["alphabeta-code"]):
        exec(code, names)
    exercise = cells[f"exercise-{number}-code"]
    assert not all(grade(exercise, "", names).values())
    assert all(grade(exercise, solution_of(cells, number), names).values())


def grade(exercise: str, solution: str, names: dict[str, Any]) -> dict[str, bool]:
    """Run an exercise with the definitions of a solution; return the checks that it ends with."""
    *body, last = ast.parse(solved(exercise, solution)).body
    exec(compile(ast.Module(body, []), "exercise", "exec"), names)
    assert isinstance(last, ast.Expr)
    found: dict[str, bool] = eval(compile(ast.Expression(last.value), "exercise", "eval"), names)
    return found


def solved(exercise: str, solution: str) -> str:
    """Return an exercise with the definitions of a solution in place of its own."""
    given = {defined(part): part for part in ast.parse(solution).body}
    body = [given.get(defined(part), part) for part in ast.parse(exercise).body]
    return ast.unparse(ast.Module([*(part for part in given.values() if part not in body), *body], []))


def solution_of(cells: dict[str, str], number: int) -> str:
    """The code that is folded below an exercise."""
    shown = re.search(r"<summary>A solution</summary>\n\n```python\n(.*)\n```", cells[f"solution-{number}"], re.DOTALL)
    assert shown
    return shown[1]


def defined(part: ast.stmt) -> str:
    """Return the name that a statement defines; empty if it defines none."""
    if isinstance(part, ast.Assign):
        return ast.unparse(part.targets[0])
    return part.name if isinstance(part, ast.FunctionDef) else ""
