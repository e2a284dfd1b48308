"""`mnk forecast`: say what building a table would need, before it is built."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from solver.cli.options import count_option, game_argument, json_option, memory_option, mnk_command, threads_option
from solver.cli.output import align_columns, echo_json, format_seconds, format_size
from solver.game.descriptions import describe_rules
from solver.game.rules import MAX_SQUARES, Rules
from solver.store.schema import METRICS, Metric
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.solve.forecast import Forecast
    from solver.solve.sample import PageSample

_READABLE = 10**15  # larger numbers are given by their order of magnitude
_OUT_OF_REACH = 10**22  # bytes: all the world's disks together
_PERIODS = ((365 * 86400, "year"), (86400, "day"), (3600, "hour"), (60, "minute"))


@mnk_command(
    "forecast",
    "mnk forecast 5,5,4              memory, disk and time of a build",
    "mnk forecast 5,6,4 --workers 8 --cores 16    the same on a cluster",
    "mnk forecast 19,19,5            also for games that nobody will ever solve",
)
@game_argument
@click.option("--metric", type=click.Choice(METRICS), help="As for `mnk build`.")
@memory_option
@threads_option
@count_option("--workers", "Say also what so many workers of a cluster would need.")
@count_option("--cores", "Cores of a worker, each as fast as here; default: as many.")
@click.option(
    "--network", type=click.FloatRange(0.001), metavar="GBITS", default=10.0, help="Gbit/s of a worker; default: 10."
)
@json_option
def command(
    rules: Rules,
    metric: Metric | None,
    memory: int | None,
    threads: int | None,
    workers: int | None,
    cores: int | None,
    network: float,
    as_json: bool,
) -> None:
    """Say what building the table of GAME would need: memory, disk and time.

    Nothing is built. The time is that of this machine, which solves some pages of the game for ten seconds or so to
    find out. (`mnk tree` prints a plan of play: what to answer to every move.)
    """
    from solver.solve import default_metric  # these load the compiler
    from solver.solve.forecast import forecast, measure_pages

    metric = metric or default_metric(rules)
    samples = measure_pages(rules, metric, threads)
    found = forecast(rules, metric, memory, threads, samples)
    cluster = _on_cluster(rules, metric, samples, workers, cores, network) if workers else {}
    if as_json:
        echo_json({**_forecast_json(rules, metric, found), **({"cluster": cluster} if cluster else {})})
    else:
        click.echo("\n".join([*_format_forecast(rules, metric, memory, found), *_format_cluster(cluster)]))


def _on_cluster(
    rules: Rules, metric: Metric, samples: "Sequence[PageSample]", workers: int, cores: int | None, network: float
) -> dict[str, float]:
    """Forecast the build on a cluster. Raises RulesError for a game that is not built in shards."""
    from dataclasses import asdict

    from solver.solve.plan import plan_build
    from solver.solve.shards.forecast import Machines, forecast_cluster
    from solver.support.threads import available_cores

    machines = Machines(workers, cores or available_cores(), network)
    return {**asdict(machines), **asdict(forecast_cluster(plan_build(rules, metric), samples, machines))}


def _format_cluster(found: dict[str, float]) -> Iterator[str]:
    if found:
        yield f"\nOn {found['workers']} workers of {found['cores']} cores, at {found['network']:g} Gbit/s each:"
        writing = _format_duration(found["writing_seconds"])
        facts = {
            "Memory": f"{_format_bytes(int(found['worker_memory']))} for the largest shard",
            "Traffic": f"{_format_bytes(int(found['worker_traffic']))} to and from each worker",
            "Store": f"{_format_bytes(int(found['store_bytes']))} until the table is written",
            "Time": f"{_format_duration(found['seconds'])}, with {writing} to write the table",
        }
        yield align_columns([*facts.items()], left=[0, 1])


def _format_forecast(rules: Rules, metric: Metric, memory: int | None, found: "Forecast") -> Iterator[str]:
    yield f"{rules}: {describe_rules(rules)}"
    yield ""
    limit = "" if found.exact else ", counting every way to place the stones"
    about = "" if found.pages_exact else "about "
    temporary = _format_bytes(found.temporary_bytes)
    facts = {
        "Positions": f"{'' if found.exact else 'at most '}{_format_number(found.positions)}{limit}",
        "Pages": f"{about}{_format_number(found.pages)}{_format_symmetries(rules)}",
        "Metric": metric,
        "Work": f"{about}{_format_number(found.work)} words of 64 positions",
        "Memory": f"{_format_bytes(found.peak_memory)} at the peak",
        "Disk": f"{_format_bytes(found.file_bytes)} for the table, {temporary} more while it is built",
        "Time": f"{_format_duration(found.seconds or 0)} on this machine",
    }
    yield align_columns([*facts.items()], left=[0, 1])
    if found.file_bytes > _OUT_OF_REACH:
        yield f"\nAbout {_format_power(found.positions)} positions: out of reach of any machine."
    elif rules.squares > MAX_SQUARES:
        yield f"\n{rules.squares} squares are more than the {MAX_SQUARES} that a table can be built for."
    elif memory is not None and found.peak_memory > memory:
        yield f"\nA budget of {_format_bytes(memory)} is too small: {_format_bytes(found.peak_memory)} is the least."


def _format_symmetries(rules: Rules) -> str:
    """Say how many symmetries pages are shared by, where those are not all."""
    if rules.squares > MAX_SQUARES or not rules.has_lines or rules.group.order == len(rules.symmetries):
        return ""
    return f", each for its images under {len(rules.symmetries):,} of {rules.group.order:,} symmetries"


def _forecast_json(rules: Rules, metric: Metric, found: "Forecast") -> dict[str, object]:
    from dataclasses import asdict

    game = {"game": rules.name, "description": describe_rules(rules), "metric": metric}
    return {**game, "buildable": rules.squares <= MAX_SQUARES, **asdict(found)}


def _format_number(count: int) -> str:
    """Format a number, to two digits and a power of ten if it is long.

    >>> _format_number(5478), _format_number(36064309311811000)
    ('5,478', '3.6 x 10^16')
    """
    if count < _READABLE:
        return f"{count:,}"
    digits = str(count)
    return f"{digits[0]}.{digits[1]} x 10^{len(digits) - 1}"


def _format_power(count: int) -> str:
    """Format the nearest power of ten.

    >>> _format_power(2 * 10**20), _format_power(9 * 10**170)
    ('10^20', '10^171')
    """
    digits = str(count)
    return f"10^{len(digits) - (int(digits[:3]) < 317)}"


def _format_bytes(count: int) -> str:
    """Format a number of bytes, by its order of magnitude if there is no unit that people know.

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
