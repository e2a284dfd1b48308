"""`mnk forecast`: estimate the memory, disk and time of a build."""

import click

from solver.cli.options import build_options, game_argument, json_option, mnk_command
from solver.cli.output import align_columns, echo_json, format_seconds
from solver.cli.running import show_seconds
from solver.game.descriptions import describe_rules
from solver.game.rules import Rules
from solver.store.advice import may_fit, suggest_build
from solver.store.paths import default_folder, find_strategy_file
from solver.store.schema import Metric
from solver.store.strategy_file import is_unfinished_proof
from solver.support.english import format_size
from solver.support.memory import available_memory


@mnk_command(
    "forecast",
    "mnk forecast 5,5,4          memory, disk and time of a build",
    "mnk forecast 7,8,4,gravity  an opening table",
)
@game_argument
@build_options
@json_option
def command(
    rules: Rules, metric: Metric | None, plies: int | None, memory: int | None, threads: int | None, as_json: bool
) -> None:
    """Estimate the memory, disk and time to build the table of GAME.

    Nothing is built. To measure this machine, the command solves a part of the game, which takes a few seconds. If no
    machine could hold the table, the command says whether `mnk build` looks for a proof instead.
    """
    from solver.count import count_pages, require_countable  # these load the compiler
    from solver.solve.build import default_metric, opening_plies, require_possible
    from solver.solve.forecast import forecast, forecast_opening, sample_opening

    plies = opening_plies(rules, plies)
    limit = memory or available_memory()
    if plies is None and rules.has_threats and not may_fit(rules):
        advice, _ = suggest_build(rules, default_folder())
        path = find_strategy_file(default_folder(), rules)
        if path and is_unfinished_proof(path, rules):
            state = f"the strategy in {path} is unfinished; {advice}"
        else:
            state = f"its strategy is in {path}" if path else f"how long a proof takes is unknown; {advice}"
        if as_json:
            echo_json({"game": rules.name, "metric": None, "plies": None, "strategy": str(path) if path else None})
        else:
            click.echo(f"{rules}: {describe_rules(rules)}\n\nThe table would fit no machine; {state}.")
        return
    require_possible(rules, metric or default_metric(rules, plies), plies)
    if plies is None:
        metric = metric or default_metric(rules)
        with show_seconds("Counting positions and measuring this machine"):
            found = forecast(rules, metric, memory, threads)
            if not found.exact and not (limit and found.least_memory > limit):
                require_countable(rules)
        counted = f"{'' if found.exact else 'at most '}{found.positions:,}"
        about = "" if count_pages(rules).exact else "about "
        facts = {"Positions": counted, "Pages": f"{about}{found.pages:,}", "Metric": metric}
    else:
        with show_seconds("Counting positions and measuring this machine"):
            found = forecast_opening(rules, plies, sample_opening(rules, plies, threads), memory)
        facts = {
            "Positions": f"{found.positions:,} of plies 0 to {plies}",
            "Searched": f"{found.searched:,} of ply {plies}, up to mirror images",
        }
    if as_json:
        echo_json(
            {"game": rules.name, "metric": metric or default_metric(rules, plies), "plies": plies, **found._asdict()}
        )
        return
    needed = {name: format_size(value) for name, value in found._asdict().items() if name.endswith(("memory", "bytes"))}
    facts |= {
        "Memory": f"{needed['peak_memory']} at the peak, at least {needed['least_memory']} with --memory",
        "Disk": f"about {needed['file_bytes']} for the table, {needed['temporary_bytes']} more during the build",
    }
    if found.seconds is None:
        facts["Time"] = "unknown, because the sample took too long"
    else:
        duration = format_seconds(found.seconds) if found.seconds < 3600 else f"{found.seconds / 3600:.1f} hours"
        about = "about" if found.exact else "at least"  # the time to count the positions is unknown
        facts["Time"] = f"{about} {duration} on this machine"
    click.echo(f"{rules}: {describe_rules(rules)}\n\n{align_columns([*facts.items()], left=[0, 1])}")
    if limit and found.least_memory > limit:
        where = f"--memory allows {format_size(limit)}" if memory else f"{format_size(limit)} of memory are free here"
        proof = "; `mnk build` looks for a proof instead" if rules.has_threats and not memory else ""
        click.echo(f"\nThe table does not fit: {where}{proof}.")
