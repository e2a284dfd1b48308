"""`mnk forecast`: estimate the memory, disk and time of a build."""

from math import log10
from typing import Any

import click

from solver.cli.options import build_options, game_argument, json_option, mnk_command
from solver.cli.output import align_columns, echo_json, format_seconds, format_size
from solver.game.descriptions import describe_rules
from solver.game.rules import MAX_SQUARES, Rules
from solver.store.schema import Metric
from solver.support.english import plural

_READABLE = 10**15  # greater numbers are rounded to a power of ten
_PERIODS = ((365 * 86400, "year"), (86400, "day"), (3600, "hour"), (60, "minute"))


@mnk_command(
    "forecast",
    "mnk forecast 5,5,4              memory, disk and time of a build",
    "mnk forecast 19,19,5            works for games that are far too large, too",
    "mnk forecast 7,8,4,gravity      an opening table",
)
@game_argument
@build_options
@json_option
def command(
    rules: Rules, metric: Metric | None, plies: int | None, memory: int | None, threads: int | None, as_json: bool
) -> None:
    """Estimate the memory, disk and time to build the table of GAME.

    Nothing is built. Some pages of the table are solved for a few seconds, to measure the speed of this machine and how
    well pages compress. For an opening table, some positions are searched.
    """
    from solver.solve import default_metric, opening_plies  # these load the compiler
    from solver.solve.forecast import forecast, forecast_opening, measure_costs, sample_opening
    from solver.solve.plan import plan_build

    plies = opening_plies(rules, plies)
    if plies is None:
        wanted, buildable = metric or default_metric(rules), rules.squares <= MAX_SQUARES
        table = forecast(rules, wanted, memory, threads, measure_costs(plan_build(rules, wanted), threads))
        found: dict[str, Any] = {"metric": wanted, "buildable": buildable, **table._asdict()}
        at_most, about = "" if table.exact else "at most ", "" if table.pages_exact else "about "
        facts = {
            "Positions": f"{at_most}{_format_large(table.positions)}",
            "Pages": f"{about}{_format_large(table.pages)}",
            "Metric": wanted,
        }
    else:
        opening = forecast_opening(rules, plies, sample_opening(rules, plies, threads))
        found = {"metric": "distance", "buildable": True, **opening._asdict()}
        facts = {
            "Positions": f"{opening.positions:,} of plies 0 to {plies}",
            "Searched": f"{opening.searched:,} of ply {plies}, up to mirror images",
        }
    if as_json:
        echo_json({"game": rules.name, "description": describe_rules(rules), **found})
        return
    needs = {name: _format_bytes(found[name]) for name in ("peak_memory", "file_bytes", "temporary_bytes")}
    least = found.get("least_memory", found["peak_memory"])
    facts |= {
        "Memory": f"{needs['peak_memory']} at the peak" + (f", at least {_format_bytes(least)}" if plies else ""),
        "Disk": f"about {needs['file_bytes']} for the table, {needs['temporary_bytes']} more during the build",
        "Time": "unknown, because the sample took too long"
        if found["seconds"] is None
        else f"about {_format_duration(found['seconds'])} on this machine",
    }
    click.echo(f"{rules}: {describe_rules(rules)}\n\n{align_columns([*facts.items()], left=[0, 1])}")
    if not found["buildable"]:
        click.echo(f"\n{rules.squares} squares are more than the {MAX_SQUARES} that a table can be built for.")
    elif memory is not None and least > memory:
        budget, needed = _format_bytes(memory), _format_bytes(least)
        click.echo(f"\nA budget of {budget} is too small: the build needs at least {needed}.")


def _format_large(count: int, usual: str = "", unit: str = "") -> str:
    """Format a number: from _READABLE on, as a power of ten with `unit`; below that, as `usual` or else in digits.

    >>> _format_large(5478), _format_large(36064309311811000)
    ('5,478', 'about 10^17')
    """
    return usual or f"{count:,}" if count < _READABLE else f"about 10^{round(log10(count))}{unit}"


def _format_bytes(count: int) -> str:
    """Return a number of bytes as a string with a unit.

    >>> _format_bytes(1_827_675_629), _format_bytes(3_875_606_093_375), _format_bytes(3 * 10**30)
    ('1.8 GB', '3.9 TB', 'about 10^30 bytes')
    """
    return _format_large(count, format_size(count), " bytes")


def _format_duration(time: float) -> str:
    """Return a time in seconds as a string, in the largest unit that fits.

    >>> _format_duration(2.14), _format_duration(7000), _format_duration(4e30)
    ('2.1 s', '2 hours', 'about 10^23 years')
    """
    for period, unit in _PERIODS:
        if time >= 1.5 * period:
            return _format_large(round(time / period), plural(round(time / period), unit), f" {unit}s")
    return format_seconds(time)
