"""`mnk verify-table`: compare somebody else's table with ours."""

from pathlib import Path
from typing import Any, Final

import click

from solver.cli.options import data_option, examples, game_argument
from solver.cli.running import report_as_not_verified, report_in_any_case, show_progress
from solver.game.rules import Rules
from solver.support.files import require_writable, write_file
from solver.verification.stated_values import PERSPECTIVES
from solver.verification.tables.reporting import FORMATS, write_unverified

_EXAMPLES = examples(
    "mnk verify-table 3,3,3 theirs.csv        columns named as above",
    "mnk verify-table 3,3,3 theirs.json --value q --perspective X",
    "mnk verify-table 4,4,4 sample.jsonl --format csv > wrong.csv",
    "",
    "Ends with 0 if all that was compared is right, 1 if it is not, 2 if nothing could be compared. The report is "
    "written in any case.",
)
_FILE = click.Path(dir_okay=False, path_type=Path)
_PERSPECTIVES: Final = {"mover": PERSPECTIVES[0], "X": PERSPECTIVES[1]}


@click.command("verify-table", epilog=_EXAMPLES)
@game_argument
@click.argument("file", metavar="FILE", type=_FILE)
@click.option("--position", metavar="COLUMN", help="The column of positions.")
@click.option("--value", metavar="COLUMN", help="The column of values.")
@click.option("--distance", metavar="COLUMN", help="The column of distances.")
@click.option("--move", metavar="COLUMN", help="The column of moves, one or several in a row.")
@click.option("--marks", metavar="X,O,EMPTY", help="The signs of the boards, such as 1,-1,0 or me=1,2,0.")
@click.option("--moves", metavar="FORM", help="How moves are written, as for mnk verify.")
@click.option("--perspective", type=click.Choice([*_PERSPECTIVES]), help="Whose the values are; default: told by them.")
@click.option("--complete", is_flag=True, help="Fail also if rows can't be used, or positions are missing.")
@click.option("--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="The report's.")
@click.option("--json", "form", flag_value="json", help="The same as --format json.")
@click.option("-o", "--output", type=_FILE, metavar="FILE", help="Write the report there, and print it as text.")
@data_option
def command(
    rules: Rules,
    file: Path,
    marks: str | None,
    moves: str | None,
    perspective: str | None,
    complete: bool,
    form: str,
    output: Path | None,
    data: Path,
    **columns: Any,
) -> None:
    """Compare the table in FILE with ours: which values, distances and moves in it are wrong.

    FILE is CSV, JSON or JSON Lines (or one of them as .gz). JSON may be a list of
    objects, or one object of positions. Columns are known by their names: position, board, state or hash; value, wdl,
    result, outcome, winner or score; distance, dtm, plies or depth; move, best_move or moves. Options name others.

    A position is written as for `mnk query`, as a list of squares, or in a column a square. A value is 1, 0 or -1, a
    word (win, draw, loss; X, O), or a number on a scale of its own, whose agreement is measured; whose values they are
    is told by what agrees better.
    """
    with report_as_not_verified():
        from solver.verification.verify_table import verify_table

        if output:
            require_writable(output)
        with (
            report_in_any_case(lambda message, kind: write_unverified(rules, file, message, kind, form), form, output),
            show_progress(f"Comparing {file}") as show,
        ):
            report = verify_table(
                file,
                rules,
                columns=columns,
                marks=marks,
                moves=moves,
                perspective=_PERSPECTIVES.get(perspective or ""),
                tables=data,
                progress=show,
            )
        if output:
            write_file(output, report.format(form) + "\n")
        click.echo(report.format("text" if output else form))
        passed = bool(report) and (report.is_complete or not complete)
    raise click.exceptions.Exit(0 if passed else 1)
