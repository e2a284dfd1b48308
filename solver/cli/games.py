"""`mnk games`: list games with a name of their own, and the families that names lead to."""

from collections.abc import Iterator
from pathlib import Path

import click

from solver.cli.options import data_option, json_option
from solver.cli.output import align_columns, echo_json
from solver.gallery import GALLERY, Family, GalleryGame, families, gallery_game
from solver.store.paths import table_path

_HEADINGS = ("game", "name", "best play", "build", "table", "what it is")


@click.command("games")
@data_option
@json_option
def command(data: Path, as_json: bool) -> None:
    """List well-known games: what each is, what is known of it, how long a build takes, and whether there is a table.

    Below them stand the families that names of games lead to. A game can also be a file that ends in .json or .pg.
    """
    games = [gallery_game(entry, table=table_path(data, entry.rules).exists()) for entry in GALLERY]
    if as_json:
        echo_json({"games": games, "families": families()})
    else:
        click.echo("\n".join(_format(games, families())))


def _format(games: list[GalleryGame], forms: list[Family]) -> Iterator[str]:
    yield align_columns([_HEADINGS, *map(_row, games)], left=[0, 1, 2, 4, 5])
    yield ""
    yield "Families of games; one can also be a file that ends in .json or .pg:"
    yield ""
    yield align_columns([(each["form"], each["examples"][0], each["about"]) for each in forms], left=[0, 1, 2])


def _row(game: GalleryGame) -> list[str]:
    known = f"{game['value'] or '?'} ({game['source']})"
    return [
        game["title"],
        game["game"],
        known,
        f"{game['seconds']:g} s",
        "yes" if game["table"] else "-",
        game["about"],
    ]
