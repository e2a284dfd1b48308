"""Sphinx directives for the parts of pages that only the site has: addresses, pictures, counts, notebooks."""

import json
import re
from collections.abc import Iterator
from html import escape
from inspect import signature
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

import cells
from cells import as_html
from docutils import nodes
from docutils.parsers.rst import directives
from parts import describe_api, kind, solved_games, table, value
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import solver
from solver import Position, describe_rules, parse_game
from solver.drawing.board import draw_board
from solver.drawing.canvas import svg
from solver.game.diagrams import line_strokes
from solver.game.lines import squares_of
from solver.store.paths import SHIPPED
from solver.support.english import format_size

Schema = dict[str, Any]
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


class Addresses(Written):
    """Every address of the API with its parameters and answers, from its OpenAPI description."""

    def write(self) -> Iterator[str]:
        """Write a section for each address, then one for each type of answer."""
        description = describe_api()
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
    """The games of `data/solved/` with their counts by ply, by the number of positions."""

    def write(self) -> Iterator[str]:
        """Write a section for each game."""
        for game in solved_games():
            yield from self._section(game)

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


def heading(game: Schema) -> str:
    """Return the heading of a game's section: a game may be listed with and without distances."""
    return f"{game['game']} with distances" if game["metric"] == "distance" else game["game"]


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
    app.add_directive("addresses", Addresses)
    app.add_directive("game", Game)
    app.add_directive("solved", Solved)
    app.add_directive("notebook", Notebook)
    return {"parallel_read_safe": True}
