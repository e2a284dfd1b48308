"""Share a position: its picture, and what a page that links to it shows (Open Graph, https://ogp.me)."""

from html import escape
from typing import Final, Literal
from urllib.parse import urlencode

from starlette.requests import Request

from solver.errors import MnkError
from solver.game.descriptions import describe_rules, describe_value
from solver.game.position import Position
from solver.game.squares import parse_move
from solver.pictures import png_of
from solver.pictures.position import draw_position
from solver.tablebase import Tablebase
from solver.web.tables import ServedTables

MEDIA_TYPES: Final = {"svg": "image/svg+xml", "png": "image/png"}


def picture(table: Tablebase, position: Position, form: Literal["svg", "png"], *, hints: bool) -> bytes:
    """Draw a position, with what every move is worth or without. Raises MissingExtra where PNG can't be drawn."""
    drawn = draw_position(position, table if hints else None)
    return png_of(drawn) if form == "png" else drawn.encode()


def head_tags(request: Request, tables: ServedTables) -> str:
    """Write the tags for the head of the page that a link leads to; none where the link leads to no position."""
    query = request.query_params
    try:
        served = tables.table(tables.game(query.get("game", "")))
        position = _find_position(served.table, query.get("position", "start"), query.get("moves", ""), query.get("at"))
        worth = position.result or f"{position.to_move} to move {describe_value(served.table.probe(position))}"
    except MnkError:
        return ""
    hints = {"hints": "off"} if query.get("hints") == "off" else {}
    asked = urlencode({"position": position.board, "format": "png", **hints})
    rules = position.rules
    tags = {
        "og:title": f"{rules}: {f'{position.to_move} to move' if hints and not position.is_over else worth}",
        "og:description": f"{describe_rules(rules)}.",
        "og:image": f"{request.base_url}v1/{rules}/picture?{asked}",
        "og:type": "website",
    }
    return "".join(f'  <meta property="{name}" content="{escape(content)}">\n' for name, content in tags.items())


def _find_position(table: Tablebase, start: str, moves: str, at: str | None) -> Position:
    """Follow the moves of a link, as many as stand on its board. Raises PositionError."""
    position = Position.parse(table.rules, start)
    words = moves.replace(",", " ").split()
    for word in words[: int(at) if at and at.isdecimal() else len(words)]:
        position = position.play(parse_move(table.rules, position.x | position.o, word))
    return position
