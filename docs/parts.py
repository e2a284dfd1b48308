"""Parts of pages that are written from the code and the data: help texts, errors, keys, results, measurements.

A page holds such a part between `<!-- part: NAME -->` and `<!-- end -->`. `scripts/test --renew` updates it.
"""

import csv
import inspect
import json
import re
import tempfile
import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import cache
from importlib import import_module
from os.path import relpath
from pathlib import Path
from typing import Any, Final

import click

import solver
from solver.cli import main
from solver.errors import MnkError
from solver.support.english import format_size
from solver.web.responses import HTTP_ERRORS, error_code

Schema = dict[str, Any]
ROOT: Final = Path(__file__).resolve().parent.parent
WIDTH: Final = 88  # of the help of a command, in characters


def commands() -> Iterator[str]:
    """Write the options that commands share, then a section for each command: its help without these and examples."""
    top = click.Context(main, info_name="mnk", terminal_width=WIDTH, **main.context_settings)
    contexts = {}
    for name in main.list_commands(top):
        command = main.get_command(top, name)
        assert command is not None
        contexts[name] = click.Context(command, info_name=name, parent=top, terminal_width=WIDTH)
    uses = Counter(option for context in contexts.values() for option in _options(context).values())
    shared = [option for option, count in uses.items() if count > 1]
    yield from ["## Options of several commands", ""]
    yield from table(("option", "meaning"), [(f"`{option}`", meaning) for option, meaning in shared])
    for name, context in contexts.items():
        page = _EXPLAINED.get(name, "")
        yield from [f"## mnk {name}", "", "```text", *_help(context, {*shared}, brief=bool(page)), "```", ""]
        yield from [f"[How-to]({page})", ""] if page else []


_EXPLAINED: Final = {
    "forecast": "../how-to/build.md",
    "build": "../how-to/build.md",
    "query": "../how-to/look-up.md",
    "play": "../how-to/play.md#in-a-terminal",
    "review": "../how-to/play.md#review-a-game",
    "puzzles": "../how-to/play.md#train-with-puzzles",
    "tree": "../how-to/look-up.md#print-a-strategy",
    "serve": "../how-to/web.md#run-a-server",
    "site": "../how-to/web.md#write-a-static-site",
    "draw": "../how-to/look-up.md#draw-positions",
    "export": "../how-to/data.md",
    "engines": "../how-to/play.md#let-engines-play-each-other",
    "match": "../how-to/play.md#let-engines-play-each-other",
    "verify": "../how-to/grade.md",
    "check": "../explanation/right.md",
    "games": "games.md",
    "experiments": "../course.md#five-other-notebooks",
}
"""The pages that explain commands; of their helps, only the first paragraph is written."""


def _help(context: click.Context, shared: Set[tuple[str, str]], *, brief: bool) -> Iterator[str]:
    """Write the help of a command: if `brief`, only its first paragraph, and of options in `shared` only the names."""
    command, formatter = context.command, context.make_formatter()
    command.format_usage(context, formatter)
    about = inspect.cleandoc(command.help or "").split("\n\n")
    for paragraph in about[:1] if brief else about:
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(paragraph)
    options = _options(context)
    if own := [option for option in options.values() if option not in shared]:
        with formatter.section("Options"):
            formatter.write_dl(own)
    yield formatter.getvalue().rstrip("\n")
    if names := [name for name, option in options.items() if option in shared and name != "--help"]:
        yield from ["", *textwrap.wrap(f"Also {', '.join(names)}.", WIDTH, break_on_hyphens=False)]


def _options(context: click.Context) -> dict[str, tuple[str, str]]:
    """Return the help on each option of a command, by its longest name."""
    options = [each for each in context.command.get_params(context) if isinstance(each, click.Option)]
    found = {max(option.opts, key=len): option.get_help_record(context) for option in options}
    return {name: record for name, record in found.items() if record}


def file_keys() -> Iterator[str]:
    """Write a table of the keys of game files."""
    keys = json.loads((ROOT / "docs" / "reference" / "game.schema.json").read_bytes())["properties"].items()
    return table(("key", "type", "meaning"), [(f"`{key}`", kind(each), each["description"]) for key, each in keys])


def exceptions() -> Iterator[str]:
    """Write a table of the public exceptions."""
    rows = [(f"`{one.__name__}`", f"{one.exit_code}", f"{one.http_status}") for one in _errors()]
    public = [row for row in rows if hasattr(solver, row[0][1:-1])]
    return table(("exception", "exit code", "HTTP status"), public)


def http_errors() -> Iterator[str]:
    """Write a table of the errors of HTTP responses."""
    rows = [(f"{one.http_status}", f"`{error_code(one)}`", (one.__doc__ or "").split("\n")[0]) for one in _errors()]
    rows += [(f"{status}", f"`{code}`", message.format(root="")) for status, (code, message) in HTTP_ERRORS.items()]
    return table(("status", "code", "cause"), sorted(rows))


def addresses() -> Iterator[str]:
    """Write a table of the addresses of the HTTP API."""
    rows = [
        (f"`{method.upper()} {path}`", operation["description"].partition("\n")[0])
        for path, methods in describe_api()["paths"].items()
        for method, operation in methods.items()
    ]
    return table(("address", "answer"), rows)


@cache
def describe_api() -> Schema:
    """Return the OpenAPI description of the HTTP API."""
    from solver.web import create_app

    description: Schema = create_app(Path(tempfile.gettempdir())).openapi()
    return description


def _errors() -> list[type[MnkError]]:
    import_module("solver.web.app")  # defines errors of its own
    found = [kind for kind in _descendants(MnkError) if kind.__module__.startswith(("solver.errors", "solver.web"))]
    return sorted(found, key=lambda kind: (kind.http_status, kind.__name__))


def _descendants(kind: type[MnkError]) -> set[type[MnkError]]:
    return {*kind.__subclasses__()}.union(*map(_descendants, kind.__subclasses__()))


def solved_games() -> list[Schema]:
    """Return the contents of `data/solved/`, by the number of positions."""
    files = (ROOT / "data" / "solved").glob("*.json")
    return sorted((json.loads(file.read_bytes()) for file in files), key=lambda game: int(game["positions"]))


def solved_index() -> Iterator[str]:
    """Write a table of the games in `data/solved/`."""
    rows = []
    for game in solved_games():
        built = game["built"]
        times = [f"{built[key]:,.0f} s" if key in built else "" for key in ("seconds", "processor_seconds")]
        sizes = f"{built['peak_memory_bytes'] / 1e9:.1f} GB", format_size(game["file_bytes"])
        rows.append((f"`{built['command']}`", f"{game['positions']:,}", value(game), *times, *sizes))
    return table(("command", "positions", "value", "time", "processor time", "memory", "file"), rows)


def stored_proofs() -> Iterator[str]:
    """Write a table of the checks in `data/solved/strategies.csv`, the shortest first."""
    with (ROOT / "data" / "solved" / "strategies.csv").open(encoding="utf-8", newline="") as file:
        found = sorted(csv.DictReader(file), key=lambda row: int(row["replies"] or 10**12))
    rows = [
        (
            f"`{row['command']}`",
            f"X wins within {row['within']} plies" if row["within"] else "O holds",
            *(row[key] and f"{int(row[key]):,}" for key in ("moves", "positions", "replies")),
            f"`{row['digest']}`",
        )
        for row in found
    ]
    return table(("command", "result", "moves", "positions", "replies", "digest"), rows)


def value(game: Schema) -> str:
    """Return the value of the empty board in words."""
    won = {1: "X wins", 0: "A draw", -1: "O wins"}[game["root_wdl"]]
    plies = game["root_distance"]
    return f"{won} in {plies} plies" if game["root_wdl"] and plies else won


def by_hand() -> Iterator[str]:
    """Write a table of the measurements that are made by hand."""
    rows = json.loads((ROOT / "data" / "benchmarks" / "by_hand.json").read_bytes())
    return table(("what", "measured", "how"), [(row["what"], row["measured"], row["how"]) for row in rows])


_PARTS: Final[Mapping[str, Callable[[], Iterator[str]]]] = {
    "commands": commands,
    "keys of game files": file_keys,
    "exceptions": exceptions,
    "HTTP addresses": addresses,
    "HTTP errors": http_errors,
    "solved games": solved_index,
    "stored proofs": stored_proofs,
    "measured by hand": by_hand,
}

_MARKED: Final = re.compile(r"<!-- part: (.+?) -->\n.*?<!-- end -->", re.DOTALL)


def parts(page: str) -> Iterator[tuple[str, str]]:
    """Yield (as it stands, as it should be) of each generated part of a page."""
    for found in _MARKED.finditer(page):
        written = "\n".join(_PARTS[found[1]]()).strip()
        yield found[0], f"<!-- part: {found[1]} -->\n\n{written}\n\n<!-- end -->"


def without_parts(page: str) -> str:
    """Return a page without its generated parts."""
    return _MARKED.sub("", page)


@cache
def _including() -> dict[Path, Path]:
    """Return the pages that include files, by the files."""
    included = re.compile(r"^```\{include\} (\S+)$", re.MULTILINE)
    pages = {page: page.read_text(encoding="utf-8") for page in (ROOT / "docs").rglob("*.md")}
    return {(page.parent / file).resolve(): page for page, text in pages.items() for file in included.findall(text)}


def with_links_to_pages(page: Path, text: str) -> str:
    """Return the text of a page in which a link to a file that a page includes leads to that page.

    The site has no other files in Markdown than the pages.
    """

    def link(found: re.Match[str]) -> str:
        target = _including().get((page.parent / found[1]).resolve())
        return f"]({relpath(target, page.parent)}" if target else found[0]

    return re.sub(r"\]\(([^)\s#]+)", link, text)


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Write a table, or nothing if it has no rows."""
    if rows:
        numbers = [
            all(cell.replace(",", "").isdecimal() for cell in column if cell) for column in zip(*rows, strict=True)
        ]
        for line in (head, tuple("---:" if number else "---" for number in numbers), *rows):
            cells = [cell.replace("|", "\\|").replace("\n", " ") for cell in line]
            yield f"| {' | '.join(cells)} |"
        yield ""


def kind(schema: Schema) -> str:
    """Return the type of a JSON value; a type with its own section is a link."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"list of {name}" if "$defs" in schema["$ref"] else f"[{name}](#{name.lower()})"
    if choices := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(kind(part) for part in choices)
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(f"`{'null' if value is None else value}`" for value in values)
    if schema.get("type") == "array":
        items = kind(schema.get("items", {}))
        return f"list of ({items})" if " " in items else f"list of {items}"
    types = schema.get("type", "any JSON")
    return types if isinstance(types, str) else " or ".join(types)
