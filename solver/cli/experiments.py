"""`mnk experiments`: reproduce the numbers quoted in the course notebooks."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from shutil import get_terminal_size
from time import perf_counter

import click

from solver.cli.options import mnk_command
from solver.cli.output import align_columns, format_seconds
from solver.course.experiments import NAMES, Row
from solver.errors import CheckFailed
from solver.support.english import plural

_WIDTHS = (48, 26, 26, 40)  # characters of a column, at most


@mnk_command(
    "experiments", "mnk experiments                 all of them", "mnk experiments alpha_beta      of one notebook"
)
@click.argument("names", metavar="[NAME]...", nargs=-1)
def command(names: tuple[str, ...]) -> None:
    """Reproduce the numbers quoted in the course notebooks, and print them beside the originals.

    A NAME is aima, alpha_beta, and_or_search, game_trees or temporal_difference; default: all. It is an error if an
    exact number differs from the notebook's.
    """
    for name in names:
        if name not in NAMES:
            raise click.UsageError(f"There is no experiment {name!r}; choose among {', '.join(NAMES)}.")
    wrong = []
    for name in names or NAMES:
        module, begun = import_module(f"solver.course.{name}"), perf_counter()
        rows, (title, *_) = module.run(), (module.__doc__ or "").split("\n", 1)
        click.echo("\n".join(_format_experiment(f"{name}: {title}", rows, perf_counter() - begun)))
        wrong += [f"{name}: {row.what}" for row in rows if not row.agrees]
    if wrong:
        raise CheckFailed(f"{plural(len(wrong), 'figure')} different from the notebook, first {wrong[0]}.")


def _format_experiment(title: str, rows: Sequence[Row], duration: float) -> Iterator[str]:
    yield title
    yield ""
    lines = [
        ("figure", "theirs", "ours", ""),
        *((row.what, str(row.theirs), str(row.ours), _compare(row)) for row in rows),
    ]
    yield align_columns(lines, left=[0, 3], widths=_fit_widths())
    yield ""
    yield f"{plural(len(rows), 'figure')} in {format_seconds(duration)}"
    yield ""


def _fit_widths() -> list[int]:
    """Return the widths of the columns, so that a terminal wraps no line again."""
    gaps, least = 2 * (len(_WIDTHS) - 1), 8
    room = get_terminal_size((gaps + sum(_WIDTHS), 24)).columns - gaps
    return [min(width, max(least, width * room // sum(_WIDTHS))) for width in _WIDTHS]


def _compare(row: Row) -> str:
    sampled = "" if row.note else "another sample"
    verdict = "same" if row.theirs == row.ours else sampled if row.agrees else "DIFFERS"
    return ", ".join(filter(None, (verdict, row.note)))
