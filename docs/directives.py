"""Directives of Sphinx that write parts of pages from the code: the commands, and the addresses of the API."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import click
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from solver.cli import main
from solver.web import create_app

Schema = dict[str, Any]
WIDTH = 88  # of the help of a command, in characters


class Written(SphinxDirective):
    """A directive that stands for Markdown: what `write` yields, in lines."""

    def write(self) -> Iterator[str]:
        """Write the Markdown."""
        raise NotImplementedError

    def run(self) -> list[nodes.Node]:
        """Read the Markdown in the place of the directive."""
        return self.parse_text_to_nodes("\n".join(self.write()), allow_section_headings=True)


class Commands(Written):
    """Every command with its help, as `--help` prints it."""

    def write(self) -> Iterator[str]:
        """Write a section for each command."""
        top = click.Context(main, info_name="mnk", terminal_width=WIDTH)
        yield from ["```text", main.get_help(top), "```", ""]
        for name in main.list_commands(top):
            command = main.get_command(top, name)
            assert command is not None
            context = click.Context(command, info_name=name, parent=top, terminal_width=WIDTH)
            yield from [f"## mnk {name}", "", "```text", command.get_help(context), "```", ""]


class Addresses(Written):
    """Every address of the API with its parameters and answers, from the description that it gives of itself."""

    def write(self) -> Iterator[str]:
        """Write a section for each address, then one for each type of answer."""
        description = create_app(Path(gettempdir())).openapi()
        for path, methods in description["paths"].items():
            for method, operation in methods.items():
                yield from [f"## {method.upper()} {path}", "", operation.get("description", operation["summary"]), ""]
                yield from self._parameters(operation.get("parameters", []))
                answer = operation["responses"]["200"].get("content", {}).get("application/json", {}).get("schema", {})
                yield from [f"Answers {kind(answer)}.", ""]
        yield from ["## Types", ""]
        for name, schema in sorted(description["components"]["schemas"].items()):
            yield from [f"### {name}", "", schema.get("description", ""), ""]
            yield from table(("field", "type", "is"), self._fields(schema))

    def _parameters(self, parameters: list[Schema]) -> Iterator[str]:
        rows = [(f"`{p['name']}`", p["in"], kind(p["schema"]), p.get("description", "")) for p in parameters]
        return table(("parameter", "in", "type", "is"), rows)

    def _fields(self, schema: Schema) -> list[tuple[str, ...]]:
        fields = schema.get("properties", {}).items()
        return [(f"`{name}`", kind(field), field.get("description", "")) for name, field in fields]


def table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Write a table, or nothing if it has no rows."""
    if rows:
        for line in (head, ("---",) * len(head), *rows):
            cells = [cell.replace("|", "\\|").replace("\n", " ") for cell in line]
            yield f"| {' | '.join(cells)} |"
        yield ""


def kind(schema: Schema) -> str:
    """Write the type of a JSON value; one that has a section of its own is a link."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "anyOf" in schema:
        return " or ".join(kind(part) for part in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema.get("enum", [schema.get("const")]))
    if schema.get("type") == "array":
        return f"list of {kind(schema.get('items', {}))}"
    return str(schema.get("type", "any JSON"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the directives known to Sphinx."""
    app.add_directive("commands", Commands)
    app.add_directive("addresses", Addresses)
    return {"parallel_read_safe": True}
