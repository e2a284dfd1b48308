"""`mnk experiments`: reproduce the figures of the course notebooks."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import zip_longest
from textwrap import wrap
from time import perf_counter

import click

from solver.cli.options import json_option, mnk_command
from solver.cli.output import align_columns, echo_json, format_seconds
from solver.course.experiments import Experiment, Row, list_experiments
from solver.errors import CheckFailed
from solver.support.english import plural

_WIDTHS = (48, 26, 26, 40)  # characters of a column, at most


@mnk_command(
    "experiments",
    "mnk experiments                 all of them",
    "mnk experiments alpha_beta      of one notebook",
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
@json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Reproduce the figures of the course notebooks, and print theirs beside ours.

    A NAME is aima, alpha_beta, and_or, game_trees, speed or temporal_difference; default: all. Exact figures that
    differ are an error.
    """
    chosen = _choose(names)
    rows: dict[str, list[Row]] = {}
    for experiment in chosen:
        begun = perf_counter()
        rows[experiment.name] = experiment.run()
        if not as_json:
            click.echo("\n".join(_format_experiment(experiment, rows[experiment.name], perf_counter() - begun)))
    if as_json:
        echo_json({name: [{**asdict(row), "agrees": row.agrees} for row in found] for name, found in rows.items()})
    wrong = [f"{name}: {row.what}" for name, found in rows.items() for row in found if not row.agrees]
    if wrong:
        raise CheckFailed(f"{plural(len(wrong), 'figure')} different from the notebook, first {wrong[0]}.")


def _choose(names: Sequence[str]) -> list[Experiment]:
    """Return the experiments of these names, by default all. Raise click.UsageError for an unknown name."""
    known = {experiment.name: experiment for experiment in list_experiments()}
    for name in names:
        if name not in known:
            raise click.UsageError(f"There is no experiment {name!r}; choose among {', '.join(known)}.")
    return [known[name] for name in names or known]


def _format_experiment(experiment: Experiment, rows: Sequence[Row], duration: float) -> Iterator[str]:
    yield f"{experiment.name}: {experiment.title}"
    yield ""
    cells = [(row.what, _format_figure(row.theirs), _format_figure(row.ours), _compare(row)) for row in rows]
    yield align_columns(
        [("figure", "theirs", "ours", ""), *(line for row in cells for line in _wrap_cells(row))], left=[0, 3]
    )
    yield ""
    yield f"{plural(len(rows), 'figure')} in {format_seconds(duration)}"
    yield ""


def _wrap_cells(cells: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Break a row into lines whose cells fit their columns."""
    return zip_longest(*(wrap(cell, width) or [""] for cell, width in zip(cells, _WIDTHS, strict=True)), fillvalue="")


def _format_figure(value: str | float | None) -> str:
    return "-" if value is None else str(value)


def _compare(row: Row) -> str:
    if not row.agrees:
        verdict = "DIFFERS"
    elif row.theirs is None:
        verdict = "ours alone"
    elif row.theirs == row.ours:
        verdict = "same"
    else:
        verdict = "another sample" if not row.note else ""
    return ", ".join(filter(None, (verdict, row.note)))
