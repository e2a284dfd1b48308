"""Sphinx directives that generate parts of pages from the code and the data: commands, games, results, figures."""

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from inspect import signature
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import cells
import click
from cells import as_html
from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import solver
from solver import Position, describe_rules, parse_game
from solver.cli import main
from solver.drawing.board import draw_board
from solver.drawing.canvas import svg
from solver.errors import MnkError
from solver.game.diagrams import line_strokes
from solver.game.lines import squares_of
from solver.store.paths import SHIPPED
from solver.support.english import format_size
from solver.web import create_app
from solver.web.responses import HTTP_ERRORS, error_code

Schema = dict[str, Any]
WIDTH = 88  # of the help of a command, in characters
FENCE = "```{raw} html"
PROGRESS = '<p class="progress"><output></output><button type="button" hidden>Start over</button></p>'
LONG = "needs-numba"  # the tag of cells that take too long without Numba
WHY_FIXED = "This one needs Numba, which no browser has; it was run on a machine."


class Written(SphinxDirective):
    """A directive that is replaced by the lines of Markdown that `write` yields, all in sections."""

    def write(self) -> Iterator[str]:
        """Write the Markdown."""
        raise NotImplementedError("each directive writes its own")

    def run(self) -> list[nodes.Node]:
        """Parse the Markdown in place of the directive."""
        return self.parse_text_to_nodes("\n".join(self.write()), allow_section_headings=True)


class Commands(Written):
    """Every command with its help, as `--help` prints it."""

    def write(self) -> Iterator[str]:
        """Write a section for each command."""
        top = click.Context(main, info_name="mnk", terminal_width=WIDTH, **main.context_settings)
        yield from ["## mnk", "", "```text", main.get_help(top), "```", ""]
        for name in main.list_commands(top):
            command = main.get_command(top, name)
            assert command is not None
            context = click.Context(command, info_name=name, parent=top, terminal_width=WIDTH)
            yield from [f"## mnk {name}", "", "```text", command.get_help(context), "```", ""]


class SchemaKeys(Written):
    """The keys of a JSON Schema with their types and descriptions."""

    required_arguments = 1

    def write(self) -> Iterator[str]:
        """Write a table of the keys."""
        file = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_dependency(file)
        keys = json.loads(file.read_bytes())["properties"].items()
        rows = [(f"`{key}`", kind(schema), schema["description"]) for key, schema in keys]
        yield from table(("key", "type", "meaning"), rows)


class Addresses(Written):
    """Every address of the API with its parameters and answers, from its OpenAPI description."""

    def write(self) -> Iterator[str]:
        """Write a section for each address, then one for each type of answer."""
        description = create_app(Path(gettempdir())).openapi()
        for path, methods in description["paths"].items():
            for method, operation in methods.items():
                yield from [f"## {method.upper()} {path}", "", operation.get("description", operation["summary"]), ""]
                yield from self._parameters(operation.get("parameters", []))
                yield from self._body(operation.get("requestBody", {}))
                answer = operation["responses"]["200"].get("content", {}).get("application/json", {}).get("schema", {})
                yield from [f"Returns {kind(answer)}.", ""]
        yield from ["## Types", ""]
        for name, schema in sorted(description["components"]["schemas"].items()):
            yield from [f"### {name}", "", schema.get("description", ""), ""]
            yield from table(("field", "type", "is"), self._fields(schema))

    def _parameters(self, parameters: list[Schema]) -> Iterator[str]:
        rows = [
            (
                f"`{p['name']}`",
                p["in"],
                kind(p["schema"]),
                "required" if p.get("required") else json.dumps(p["schema"].get("default", "")).strip('"'),
                p.get("description", ""),
            )
            for p in parameters
        ]
        return table(("parameter", "in", "type", "default", "is"), rows)

    def _body(self, body: Schema) -> Iterator[str]:
        for schema in (media["schema"] for media in body.get("content", {}).values()):
            yield from ["The body is a JSON object:", "", schema["description"], ""]
            yield from table(("field", "type", "is"), self._fields(schema))
            yield from ["```json", *map(json.dumps, schema["examples"]), "```", ""]

    def _fields(self, schema: Schema) -> list[tuple[str, ...]]:
        fields = schema.get("properties", {}).items()
        return [(f"`{name}`", kind(field), field.get("description", "")) for name, field in fields]


def describe_search(positions: int, agree: int, wrong: int, unsettled: int) -> str:
    """Describe the positions that were solved again by a search."""
    return f"{positions:,} random positions by alpha-beta: {agree:,} agree, {wrong:,} differ, {unsettled:,} unsettled"


class Errors(Written):
    """A table of the errors: with the argument `http` those of HTTP responses, with `python` all exceptions."""

    required_arguments = 1

    def write(self) -> Iterator[str]:
        """Write the table."""
        kinds = sorted(descendants(MnkError), key=lambda kind: (kind.http_status, kind.__name__))
        if self.arguments[0] == "python":
            rows = [(f"`{one.__name__}`", f"{one.exit_code}", f"{one.http_status}") for one in kinds]
            yield from table(
                ("exception", "exit code", "HTTP status"), [row for row in rows if hasattr(solver, row[0][1:-1])]
            )
            return
        rows = [(f"{one.http_status}", f"`{error_code(one)}`", (one.__doc__ or "").split("\n")[0]) for one in kinds]
        rows += [(f"{status}", f"`{code}`", message.format(root="")) for status, (code, message) in HTTP_ERRORS.items()]
        yield from table(("status", "code", "cause"), sorted(rows))


def descendants(kind: type[MnkError]) -> set[type[MnkError]]:
    """Return all classes derived from a class of errors."""
    return {*kind.__subclasses__()}.union(*map(descendants, kind.__subclasses__()))


class Game(SphinxDirective):
    """The picture of a game with one of its lines, and the numbers of its squares and lines."""

    required_arguments = 1
    option_spec = {"moves": directives.unchanged, "marked": directives.unchanged}  # noqa: RUF012 - as Sphinx has it

    def run(self) -> list[nodes.Node]:
        """Draw the position after `moves`; mark the completed line, or the squares `marked`."""
        rules = parse_game(self.arguments[0])
        position = Position.from_moves(rules, self.options.get("moves", "").split())
        names = self.options.get("marked", "").split()
        marked = [rules.diagram.numbers[name] for name in names] or squares_of(position.winning_line)
        title = f"{rules}: {describe_rules(rules)}"
        board = draw_board(rules.diagram, position.cells, title=title, highlight=marked, strokes=line_strokes(rules))
        sides = {len(rules.x_lines), len(rules.o_lines)}
        lines = f"{len(rules.x_lines)} lines" if len(sides) == 1 else f"{len(rules.x_lines)} lines of X, "
        lines += "" if len(sides) == 1 else f"{len(rules.o_lines)} of O"
        words = f"<code>{escape(rules.name)}</code><br>{rules.squares} squares, {lines}"
        figure = f'<figure class="game">{svg(board)}<figcaption>{words}</figcaption></figure>'
        return [nodes.raw("", figure, format="html")]


class Solved(Written):
    """The contents of `data/solved/`: with the argument `index` a table, with `games` a section for each game."""

    required_arguments = 1

    def write(self) -> Iterator[str]:
        """Write the table or the sections, by the number of positions."""
        files = (Path(self.env.srcdir).parent / "data" / "solved").glob("*.json")
        games = sorted((json.loads(file.read_bytes()) for file in files), key=lambda game: game["positions"])
        if self.arguments[0] == "index":
            head = ("command", "positions", "value", "time", "processor time", "memory", "file")
            yield from table(head, [self._row(game) for game in games])
            return
        for game in games:
            yield from self._section(game)

    def _row(self, game: Schema) -> tuple[str, ...]:
        anchor = f"{heading(game)}".lower().replace(",", "").replace(" ", "-")
        built = game["built"]
        times = [f"{built[key]:,.0f} s" if key in built else "" for key in ("seconds", "processor_seconds")]
        sizes = f"{built['peak_memory_bytes'] / 1e9:.1f} GB", format_size(game["file_bytes"])
        return f"[`{built['command']}`](#{anchor})", f"{game['positions']:,}", value(game), *times, *sizes

    def _section(self, game: Schema) -> Iterator[str]:
        rules, built = parse_game(game["game"]), game["built"]
        names = {"digest": "digest", "blake2b": "earlier digest (BLAKE2b)"}
        machine = built["machine"]
        yield from [
            f"### {heading(game)}",
            "",
            f"{describe_rules(rules)[0].upper()}{describe_rules(rules)[1:]}. {value(game)}.",
            "",
        ]
        facts = [
            ("positions", f"{game['positions']:,}, or {game['canonical']:,} up to symmetry"),
            *((names[key], f"`{game[key]}`") for key in names if key in game),
            ("built", f"{built['date']} by `{built['command']}`, {format_size(game['file_bytes'])}"),
            ("took", f"{built['seconds']:,.0f} s of the clock, {built['peak_memory_bytes'] / 1e9:.1f} GB of memory"),
            ("on", f"{machine['cores']} cores, {machine['processor']}"),
            ("checked", game["checks"]["one move later"]),
            ("searched", describe_search(**game["checks"]["alpha-beta search"])),
        ]
        yield from table(("", ""), facts)
        columns = ("ply", "positions", "canonical", "won", "drawn", "lost", "terminal", "longest")
        rows = [[ply[column] for column in columns] for ply in game["plies"]]
        yield from table(columns, [tuple("" if cell is None else f"{cell:,}" for cell in row) for row in rows])


class Measured(Written):
    """The measurements that are made by hand."""

    def write(self) -> Iterator[str]:
        """Write a table of them."""
        rows = json.loads((Path(self.env.srcdir).parent / "data" / "benchmarks" / "by_hand.json").read_bytes())
        yield from table(("what", "measured", "how"), [(row["what"], row["measured"], row["how"]) for row in rows])


def heading(game: Schema) -> str:
    """Return the heading of a game's section: a game may be listed with and without distances."""
    return f"{game['game']} with distances" if game["metric"] == "distance" else game["game"]


def value(game: Schema) -> str:
    """Return the value of the empty board in words."""
    won = {1: "X wins", 0: "A draw", -1: "O wins"}[game["root_wdl"]]
    plies = game["root_distance"]
    return f"{won} in {plies} plies" if game["root_wdl"] and plies else won


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
        return f"list of {kind(schema.get('items', {}))}"
    types = schema.get("type", "any JSON")
    return types if isinstance(types, str) else " or ".join(types)


class Notebook(Written):
    """A notebook as cells that run in the page: its texts, its code, and its stored outputs.

    Its title is that of the first section. Cells with the tag for Numba can't be run.
    """

    required_arguments = 1

    def write(self) -> Iterator[str]:
        """Write the cells."""
        file = Path(self.env.doc2path(self.env.docname)).parent / self.arguments[0]
        self.env.note_dependency(file)
        label = ""
        for cell in json.loads(file.read_bytes())["cells"]:
            source = "".join(cell["source"])
            if cell["cell_type"] == "code":
                yield from self._code(cell, source, label)
                continue
            is_title = source.startswith("# ")
            yield from ["#" * is_title + source, "", *([FENCE, PROGRESS, "```", ""] if is_title else [])]
            if source.startswith("#"):
                label = source.partition("\n")[0].lstrip("# ")

    def _code(self, cell: Schema, source: str, label: str) -> Iterator[str]:
        is_fixed = LONG in cell["metadata"].get("tags", ())
        kind = "data-fixed" if is_fixed else "data-exercise" if cell["id"].startswith("exercise-") else ""
        note = f'<p class="note">{WHY_FIXED}</p>' if is_fixed else ""
        shown = "".join(map(stored_html, cell["outputs"]))
        yield from [FENCE, f'<div class="cell" id="{cell["id"]}" data-label="{escape(label)}" {kind}>', "```", ""]
        yield from ["```{code-block} python", source, "```", ""]
        yield from ["````{raw} html", f'{note}<div class="output" aria-live="polite">{shown}</div></div>', "````", ""]


def list_parameters(_app: Sphinx, _what: str, _name: str, documented: Any, _options: object, lines: list[str]) -> None:
    """Write the parameters that a docstring describes, as in `seed: of all random choices.`, as a list."""
    try:
        names = "|".join(signature(documented).parameters)
    except (TypeError, ValueError):
        return
    first, *parts = re.split(rf"(?:(?<=\. )|(?<=\n)|^)({names}): ", "\n".join(lines)) if names else [""]
    if parts:
        listed, after = [first, ""], ""
        for name, text in zip(parts[::2], parts[1::2], strict=True):
            meaning, after = re.split(r"(?:\n\n|(?<=\.)\s(?=Raises? )|$)", text, maxsplit=1)
            listed.append(f"- `{name}`: {' '.join(meaning.split())}")
        lines[:] = [*"\n".join(listed).splitlines(), "", *after.splitlines(), ""]


def stored_html(output: Schema) -> str:
    """Return a stored output of a notebook as HTML."""
    bundle = output.get("data") or {"text/plain": output["text"]}
    return as_html({kind: "".join(text) for kind, text in bundle.items()})


def pack_solver(app: Sphinx, _error: Exception | None) -> None:
    """Pack the code for the browser: the package without compiled kernels, its table of 3,3,3, and `cells`."""
    package, target = Path(solver.__file__).parent, Path(app.outdir) / "_static" / "solver.zip"
    files = {
        file.relative_to(package.parent): file
        for file in (*package.rglob("*.py"), *package.glob("*.pyi"), *package.glob("pictures/**/*.js"))
    }
    with ZipFile(target, "w", ZIP_DEFLATED) as archive:
        table = SHIPPED / "mnk-3-3-3.sqlite"
        for name, file in {**files, Path("data") / table.name: table, Path("cells.py"): Path(cells.__file__)}.items():
            archive.write(file, name)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the directives with Sphinx."""
    app.connect("build-finished", pack_solver)
    app.add_directive("commands", Commands)
    app.add_directive("addresses", Addresses)
    app.add_directive("errors", Errors)
    app.add_directive("game", Game)
    app.add_directive("schema", SchemaKeys)
    app.add_directive("measured", Measured)
    app.add_directive("solved", Solved)
    app.add_directive("notebook", Notebook)
    return {"parallel_read_safe": True}
