"""`mnk games`: list the tables of a folder, well-known games, and the families of games."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from solver.cli.options import data_option, json_option
from solver.cli.output import align_columns, describe_game_value, echo_json, summarise, summarise_strategy
from solver.errors import TableError
from solver.game.descriptions import describe_rules
from solver.game.gallery import GALLERY, Family, GalleryGame, families
from solver.game.games import ALIASES, parse_game
from solver.search.folder import Library
from solver.store.paths import SHIPPED, STRATEGY_ENDING, build_command, find_table, table_path
from solver.support.english import format_size, plural

if TYPE_CHECKING:
    from solver.cli.output import StrategySummary, TableSummary

Found: TypeAlias = "Mapping[tuple[str, Path, str], TableSummary | TableError]"
"""The summary of each table, or why it cannot be read, by (name of the game, path, description)."""


@click.command("games")
@data_option
@json_option
def command(data: Path, as_json: bool) -> None:
    """List the games that have a table or a strategy, with their values, then well-known games and families of games.

    A table that cannot be read is listed with a warning, and its error gives the exit code. A game can also be a file
    that ends in .json or .pg.
    """
    tables, strategies = _find_tables(data), _find_strategies(data)
    games: list[GalleryGame] = [
        {**game, "table": find_table(data, parse_game(game["game"])) is not None} for game in GALLERY
    ]
    if as_json:
        found = [
            {"game": name, "path": str(path), "error": str(summary)} if isinstance(summary, TableError) else summary
            for (name, path, _), summary in tables.items()
        ]
        proofs = [
            {"path": str(path), "error": str(summary)} if isinstance(summary, TableError) else summary
            for path, summary in strategies.items()
        ]
        echo_json({"tables": found, "strategies": proofs, "games": games, "families": families()})
    else:
        lists = [_format_tables(tables, data), _format_strategies(strategies), _format_games(games, families())]
        click.echo("\n\n".join(text for lines in lists if (text := "\n".join(lines))))
    errors = [error for error in (*tables.values(), *strategies.values()) if isinstance(error, TableError)]
    for error in errors:
        click.echo(f"Warning: {error}", err=True)
    if errors:
        raise click.exceptions.Exit(errors[0].exit_code)


def _find_tables(data: Path) -> Found:
    found = dict[tuple[str, Path, str], "TableSummary | TableError"]()
    with Library(data) as library:
        for rules in library.games():
            path = find_table(data, rules) or table_path(data, rules)
            shipped = "; comes with the package" if path.parent == SHIPPED else ""
            key = rules.name, path, f"{describe_rules(rules)}{shipped}"
            try:
                found[key] = summarise(library.truth(rules).table)
            except TableError as error:  # one bad file does not hide the others
                found[key] = error
        for path, problem in library.unreadable().items():
            found[path.stem.removeprefix("mnk-"), path, "?"] = problem
    return found


def _find_strategies(data: Path) -> "dict[Path, StrategySummary | TableError]":
    found: dict[Path, StrategySummary | TableError] = {}
    for path in (path for folder in (data, SHIPPED) for path in sorted(folder.glob(f"mnk-*{STRATEGY_ENDING}"))):
        try:
            found[path] = summarise_strategy(path)
        except TableError as error:  # one bad file does not hide the others
            found[path] = error
    return found


def _format_strategies(strategies: "dict[Path, StrategySummary | TableError]") -> Iterator[str]:
    rows = [("strategy", "claim", "moves", "size", "rules")]
    for path, found in strategies.items():
        if isinstance(found, TableError):
            rows.append((path.name.removeprefix("mnk-").removesuffix(STRATEGY_ENDING), "can't be read", "?", "?", "?"))
            continue
        shipped = "; comes with the package" if path.parent == SHIPPED else ""
        size = format_size(found["bytes"])
        is_open = found["within"] is None and found["claim"].startswith(f"{found['side']} wins")
        claim = f"{found['side']} wins from {plural(found['rows'], 'position')} so far" if is_open else found["claim"]
        rows.append((found["game"], claim, f"{found['rows']:,}", size, f"{found['description']}{shipped}"))
    if len(rows) > 1:
        yield align_columns(rows, left=[0, 1, 4])


def _format_tables(tables: Found, data: Path) -> Iterator[str]:
    rows = [["table", "positions", "value", "metric", "size", "rules"]]
    for (name, _, about), found in tables.items():
        facts = ["?", "can't be read", "?", "?"]
        if not isinstance(found, TableError):
            size = format_size(found["bytes"])
            facts = [f"{found['positions']:,}", describe_game_value(found), found["metric"], size]
        rows.append([name, *facts, about])
    yield align_columns(rows, left=[0, 2, 3, 5])
    if all(path.parent == SHIPPED for _, path, _ in tables):
        yield f"\nThere are no tables in {data}; build one with `{build_command('3,3,3', data)}`."


def _format_games(games: list[GalleryGame], forms: list[Family]) -> Iterator[str]:
    rows = [("game", "name", "best play", "build", "table", "description")]
    for game in games:
        value, kept = f"{game['value']} ({game['source']})", "yes" if game["table"] else "-"
        rows.append((game["title"], game["game"], value, f"{game['seconds']:g} s", kept, game["about"]))
    yield align_columns(rows, left=[0, 1, 2, 4, 5])
    yield ""
    yield "Families of games; a game can also be a file that ends in .json or .pg:"
    yield ""
    yield align_columns([(each["form"], each["examples"][0], each["about"]) for each in forms], left=[0, 1, 2])
    yield ""
    yield f"Common names: {'; '.join(f'{alias} ({name})' for alias, name in ALIASES.items())}."
