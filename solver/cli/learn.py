"""`mnk learn`: learn by temporal differences in self-play, and count errors against the table on the way."""

from pathlib import Path
from typing import Any

import click

from solver.cli.options import (
    OUTPUT_FILE,
    count_option,
    data_option,
    game_argument,
    json_option,
    mnk_command,
    svg_option,
)
from solver.cli.output import align_columns, echo_json
from solver.cli.running import open_table
from solver.game.rules import Rules
from solver.support.files import write_file

_SHARE = click.FloatRange(0, 1)


@mnk_command(
    "learn",
    "mnk learn 3,3,3                            the notebook's 10,000 episodes",
    "mnk learn 3,3,3 --episodes 1000000 --draw 0.5 -o curve.svg --save td.npz",
    "mnk match td:file=td.npz perfect --swap    let what was learned play",
)
@game_argument
@count_option("--episodes", "Games of self-play.", default=10_000, show_default=True)
@click.option(
    "--alpha", type=_SHARE, metavar="A", default=0.3, show_default=True, help="How far a value moves to the next one."
)
@click.option("--epsilon", type=_SHARE, metavar="E", default=0.1, show_default=True, help="The share of random moves.")
@click.option(
    "--draw", type=_SHARE, metavar="D", default=0.0, show_default=True, help="What a draw is worth; 0 is as a loss."
)
@click.option("--seed", type=int, metavar="S", default=0, show_default=True, help="Makes the same learner again.")
@click.option("--save", type=OUTPUT_FILE, metavar="FILE", help="Keep the learner, for td:file=FILE.")
@svg_option("Draw its learning curve there.")
@data_option
@json_option
def command(
    rules: Rules,
    episodes: int,
    save: Path | None,
    svg: Path | None,
    data: Path,
    as_json: bool,
    **how: Any,
) -> None:
    """Let two learners play GAME against each other, and count how often they still err.

    After 1, 2, 5, 10, 20, ... episodes every decision is compared with the table.
    """
    from solver.engines.curve import ReferenceResults, draw_curves, train_and_measure
    from solver.engines.learner import Learner

    learner = Learner(rules, **how)
    with open_table(data, rules) as table:
        learned = train_and_measure(learner, ReferenceResults.from_tables(table, rules), episodes=episodes)
    if save:
        learner.save(save)
    if svg:
        write_file(svg, draw_curves({f"draw worth {learner.draw:g}": learned}))
    if as_json:
        echo_json(learned.json())
        return
    click.echo(f"{rules}: wrong decisions of {learned.decisions:,}, and how far the values are from the truth\n")
    rows = [(f"{point.episodes:,}", f"{point.wrong:,}", f"{point.error:.3f}") for point in learned.points]
    click.echo(align_columns([("episodes", "wrong", "error"), *rows], left=[]))
