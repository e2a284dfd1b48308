"""`mnk forecast`: estimate the memory, disk and time of a build."""

from collections.abc import Iterator, Mapping
from math import log10
from typing import Any

import click

from solver.cli.options import (
    game_argument,
    json_option,
    memory_option,
    mnk_command,
    search_seconds_option,
    threads_option,
)
from solver.cli.output import align_columns, echo_json, format_seconds, format_size
from solver.cli.running import show_progress
from solver.game.descriptions import describe_rules
from solver.game.rules import MAX_SQUARES, Rules
from solver.store.schema import METRICS, Metric
from solver.support.english import plural

_READABLE = 10**15  # larger numbers are rounded to a power of ten
_OUT_OF_REACH = 10**22  # bytes: all the world's disks together
_PERIODS = ((365 * 86400, "year"), (86400, "day"), (3600, "hour"), (60, "minute"))


@mnk_command(
    "forecast",
    "mnk forecast 5,5,4              memory, disk and time of a build",
    "mnk forecast 19,19,5            works for games that are far too large, too",
    "mnk forecast 7,8,4,gravity      an opening table, and the plies for a search",
)
@game_argument
@click.option("--metric", type=click.Choice(METRICS), help="As for `mnk build`.")
@click.option("--plies", type=click.IntRange(1), metavar="N", help="As for `mnk build`: an opening table of N plies.")
@search_seconds_option()
@memory_option
@threads_option
@json_option
def command(
    rules: Rules,
    metric: Metric | None,
    plies: int | None,
    seconds: float,
    memory: int | None,
    threads: int | None,
    as_json: bool,
) -> None:
    """Estimate the memory, disk and time to build the table of GAME.

    Nothing is built. Some pages of the game are solved for a few seconds, to measure the speed of this machine and how
    well pages compress. For an opening table, positions are searched; on boards that are too large for a whole table,
    random positions show the first ply at which a search ends within --seconds.
    """
    from solver.solve import default_metric, opening_plies  # these load the compiler
    from solver.solve.forecast import forecast
    from solver.solve.sample import sample_pages

    plies = opening_plies(rules, plies)
    if plies is not None:
        _forecast_opening(rules, plies, seconds, memory, threads, as_json)
        return
    metric = metric or default_metric(rules)
    with show_progress(f"Sampling {rules}") as show:
        costs = sample_pages(rules, metric, threads, show)
    found = forecast(rules, metric, memory, threads, costs)._asdict()
    if as_json:
        game = {"game": rules.name, "description": describe_rules(rules), "metric": metric}
        echo_json({**game, "buildable": rules.squares <= MAX_SQUARES, **found})
        return
    click.echo("\n".join(_format_forecast(rules, metric, memory, found)))


def _forecast_opening(
    rules: Rules, plies: int, seconds: float, memory: int | None, threads: int | None, as_json: bool
) -> None:
    """Print the forecast of an opening table."""
    from solver.solve.opening_forecast import first_settled_ply, forecast_opening, sample_opening

    with show_progress(f"Sampling {rules}") as show:
        each = sample_opening(rules, plies, threads, show)
    found, settled = forecast_opening(rules, plies, each), None
    if rules.squares > MAX_SQUARES:
        with show_progress(f"Searching {rules}") as show:
            settled = first_settled_ply(rules, seconds, show)
    if as_json:
        game = {"game": rules.name, "description": describe_rules(rules), "metric": "distance"}
        echo_json({**game, "buildable": True, **found._asdict(), "settled_from": settled})
        return
    least, peak, table, temporary = map(
        format_size, (found.least_memory, found.peak_memory, found.file_bytes, found.temporary_bytes)
    )
    facts = {
        "Positions": f"{found.positions:,} of plies 0 to {plies}",
        "Searched": f"{found.searched:,} of ply {plies}, up to mirror images",
        "Memory": f"{peak} at the peak, at least {least}",
        "Disk": f"about {table} for the table, {temporary} more during the build",
        "Time": "unknown, because the sample took too long"
        if found.seconds is None
        else f"about {_format_duration(found.seconds)} on this machine",
    }
    if settled is not None:
        facts["Search"] = f"settles random positions from ply {settled} on within {seconds:g} s each"
    click.echo(f"{rules}: {describe_rules(rules)}\n\n{align_columns([*facts.items()], left=[0, 1])}")
    if memory is not None and found.least_memory > memory:
        click.echo(f"\nA budget of {_format_bytes(memory)} is too small: the build needs at least {least}.")


def _format_forecast(rules: Rules, metric: Metric, memory: int | None, found: Mapping[str, Any]) -> Iterator[str]:
    yield f"{rules}: {describe_rules(rules)}\n"
    most, bound = ("", "") if found["exact"] else ("at most ", ", counting every way to place the stones")
    about = "" if found["pages_exact"] else "about "
    table, temporary, peak = (_format_bytes(found[name]) for name in ("file_bytes", "temporary_bytes", "peak_memory"))
    facts = {
        "Positions": f"{most}{_format_number(found['positions'])}{bound}",
        "Pages": f"{about}{_format_number(found['pages'])}{_format_symmetries(rules)}",
        "Metric": metric,
        "Work": f"{about}{_format_number(found['work'])} words of 64 positions",
        "Memory": f"{peak} at the peak",
        "Disk": f"{table} for the table, {temporary} more during the build",
        "Time": f"{_format_duration(found['seconds'])} on this machine",
    }
    yield align_columns([*facts.items()], left=[0, 1])
    if found["file_bytes"] > _OUT_OF_REACH:
        yield f"\nAbout {_format_power(found['positions'])} positions: out of reach of any machine."
    elif rules.squares > MAX_SQUARES:
        yield f"\n{rules.squares} squares are more than the {MAX_SQUARES} that a table can be built for."
    elif memory is not None and found["peak_memory"] > memory:
        yield f"\nA budget of {_format_bytes(memory)} is too small: the build needs at least {peak}."


def _format_symmetries(rules: Rules) -> str:
    """Describe the symmetries that share a page; return nothing if all of them do."""
    if rules.squares > MAX_SQUARES or not rules.has_lines or rules.group.order == len(rules.symmetries):
        return ""
    return f", each for its images under {len(rules.symmetries):,} of {rules.group.order:,} symmetries"


def _format_number(count: int) -> str:
    """Format a number; use two digits and a power of ten for a long one.

    >>> _format_number(5478), _format_number(36064309311811000)
    ('5,478', '3.6 x 10^16')
    """
    return f"{count:,}" if count < _READABLE else f"{str(count)[0]}.{str(count)[1]} x 10^{len(str(count)) - 1}"


def _format_power(count: float) -> str:
    """Format the nearest power of ten.

    >>> _format_power(2 * 10**20), _format_power(9 * 10**170)
    ('10^20', '10^171')
    """
    return f"10^{round(log10(count))}"


def _format_bytes(count: int) -> str:
    """Format a number of bytes, or its power of ten if there is no common unit.

    >>> _format_bytes(1_827_675_629), _format_bytes(3_875_606_093_375), _format_bytes(3 * 10**30)
    ('1.8 GB', '3.9 TB', 'about 10^30 bytes')
    """
    if count >= _READABLE:
        return f"about {_format_power(count)} bytes"
    return f"{count / 10**12:.1f} TB" if count >= 10**12 else format_size(count)


def _format_duration(time: float) -> str:
    """Format a time in the largest unit that fits.

    >>> _format_duration(2.14), _format_duration(7000), _format_duration(4e20)
    ('2.1 s', '2 hours', 'about 10^13 years')
    """
    for period, unit in _PERIODS:
        if time >= 1.5 * period:
            count = round(time / period)
            return f"about {_format_power(count)} {unit}s" if count >= 10**6 else plural(count, unit)
    return format_seconds(time)
