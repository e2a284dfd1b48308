"""Positions and charts as pictures: their content, their legibility, and how they are saved."""

import re
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from solver.drawing import canvas, palette
from solver.drawing.palette import Colour
from solver.errors import MissingExtra, PictureError, StorageError
from solver.export.pictures import save_picture
from solver.export.pictures.plots import draw_values
from solver.export.pictures.position import draw_position
from solver.export.pictures.poster import draw_poster
from solver.game.position import Position
from solver.search.truth import Truth, open_tablebase, open_truth
from tests.commands import TableFile
from tests.texts import words_of_chart

SVG = "{http://www.w3.org/2000/svg}"


def colours(value: object) -> list[Colour]:
    """The colours in a part of the palette."""
    if isinstance(value, Colour):
        return [value]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, tuple) else ()
    return [colour for part in parts for colour in colours(part)]


DARK = {colour.light: colour.dark for value in vars(palette).values() for colour in colours(value)}


PICTURES: dict[str, Callable[[Truth], str]] = {
    "position": lambda table: draw_position(Position.parse(table.rules, "X../.O./O.X"), table),
    "finished": lambda table: draw_position(Position.parse(table.rules, "XXX/OO./..."), table),
    "poster": lambda table: draw_poster(table, table.rules, "O"),
}


@pytest.fixture(params=PICTURES)
def picture(request: pytest.FixtureRequest, table_file: TableFile) -> str:
    """Each kind of picture of tic-tac-toe."""
    with open_tablebase(table_file("3,3,3")) as table:
        return PICTURES[request.param](table)


def texts(drawn: str) -> list[str]:
    return [text.text or "" for text in ET.fromstring(drawn).iter(f"{SVG}text")]


def described(drawn: str) -> str:
    return ET.fromstring(drawn).findtext(f"{SVG}desc") or ""


# Every picture


def test_a_picture_has_a_title_and_a_description(picture: str) -> None:
    drawn = ET.fromstring(picture)
    assert drawn.get("role") == "img"
    assert drawn[0].tag == f"{SVG}title"
    assert (drawn[0].text or "").startswith("3,3,3")
    assert drawn[0].text in texts(picture)
    assert len(described(picture)) > 40


def test_every_colour_of_a_picture_has_one_dark_counterpart(picture: str) -> None:
    assert len({colour for value in vars(palette).values() for colour in colours(value)}) == len(DARK) > 20
    used = set(re.findall(r'(fill|stroke)="(#[0-9a-f]{6})"', picture))
    style = ET.fromstring(picture).findtext(f"{SVG}style") or ""
    assert style.startswith("@media screen and (prefers-color-scheme:dark){")
    for what, colour in used:
        assert f'.mnk[{what}="{colour}"]{{{what}:{DARK[colour]}}}' in style
    for element in ET.fromstring(picture).iter():
        coloured = {element.get("fill", "none"), element.get("stroke", "none")} - {"none"}
        assert bool(coloured) == (element.get("class") == "mnk")


def luminance(colour: str) -> float:
    """Relative luminance, by WCAG 2."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        *product(["#3d3a34", "#6b675e", "#57534a"], ["#ffffff", "#efece4"]), ("#00694d", "#e0f3ec"),
        ("#a34700", "#fbe9df"), ("#5f5b53", "#f5f4f1"), ("#ffffff", "#0b4f7d"), ("#ffffff", "#b3440a"),
    ],
)  # fmt: skip
def test_letters_have_enough_contrast_on_light_and_dark_screens(ink: str, ground: str) -> None:
    assert contrast(ink, ground) >= 4.5
    assert contrast(DARK[ink], DARK[ground]) >= 4.5


# Positions


def test_a_position_shows_the_value_of_every_move(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        position = Position.parse(table.rules, "X../.O./O.X")
        drawn, start = draw_position(position, table), draw_position(Position.start(table.rules), table)
        moves = table.moves(position)
    said = texts(drawn)
    assert sorted(label for label in said if re.fullmatch(r"[WL]\d", label)) == sorted(v.label for _, v in moves)
    assert "Win in 3, best: c1" in said
    assert described(drawn).endswith("c1: win in 3. b1: loss in 2. a2: loss in 2. c2: loss in 2. b3: loss in 2.")
    assert re.findall(r' x="(\d+)" y="(\d+)" width="56"[^>]* stroke-width="3"', drawn) == [("154", "30")]
    assert 'stroke-width="3"' not in start  # no move is better than another


@pytest.mark.parametrize("game", ["1,1,1", "1,9,3,exact", "5,2,3,gravity"])
def test_a_position_of_any_shape_fits_its_picture(table_file: TableFile, game: str) -> None:
    with open_tablebase(table_file(game)) as table:
        drawn = ET.fromstring(draw_position(Position.start(table.rules), table))
    _, _, width, height = map(float, drawn.attrib["viewBox"].split())
    [group] = [g for g in drawn.findall(f"{SVG}g") if g.find(f"{SVG}svg") is not None]
    x, y = map(float, group.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
    board = group.find(f"{SVG}svg")
    assert board is not None
    assert x >= 0
    assert x + float(board.attrib["width"]) <= width
    assert y + float(board.attrib["height"]) <= height
    for text in drawn.findall(f"{SVG}text"):
        length = 0.6 * float(text.attrib["font-size"]) * len(text.text or "")
        assert float(text.attrib["x"]) + length <= width
        assert float(text.attrib["y"]) <= height


# Plots


def test_values_are_those_of_x_ply_by_ply(table_file: TableFile) -> None:
    with open_tablebase(table_file("3,3,3")) as table:
        _, words, *_ = words_of_chart(draw_values(table.table))
        assert "ply 3: 252: X wins 25.4%, draws 54.8%, O wins 19.8%" in words
        for ply in table.table.plies():
            won, drawn, lost, total = (int(ply[name] or 0) for name in ("won", "drawn", "lost", "positions"))
            x, o = (lost, won) if int(ply["ply"] or 0) % 2 else (won, lost)
            shares = f"X wins {x / total:.1%}, draws {drawn / total:.1%}, O wins {o / total:.1%}"
            assert f"ply {ply['ply']}: {total:,}: {shares}" in words


# Keeping


def test_the_key_of_a_picture_explains_a_bound() -> None:
    with open_truth("6,6,4") as truth:
        drawn = draw_position(Position.start(truth.rules), truth)
    assert "W: a move there wins (W&lt;14: within 13 plies)" in drawn


def test_png_has_twice_the_size_and_letters(tmp_path: Path) -> None:
    letter = canvas.svg(canvas.page(40, 30, [canvas.text(0, 25, "M", 30)], title="T"))
    blank = canvas.svg(canvas.page(40, 30, [], title="T"))
    save_picture(letter, tmp_path / "page.PNG")
    content = (tmp_path / "page.PNG").read_bytes()
    assert (int.from_bytes(content[16:20]), int.from_bytes(content[20:24])) == (80, 60)
    save_picture(blank, tmp_path / "page.PNG")
    assert len(content) > (tmp_path / "page.PNG").stat().st_size + 50  # the letter is there on any computer


def test_a_picture_that_cannot_be_saved_leaves_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(PictureError, match=r"must end in \.svg or \.png"):
        save_picture("<svg/>", tmp_path / "a.pdf")
    with pytest.raises(StorageError, match="can't be written"):
        save_picture("<svg/>", tmp_path / "nowhere" / "a.svg")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtra, match=r"pip install 'mnk-tablebase\[pictures\]'"):
        save_picture("<svg/>", tmp_path / "a.png")
    assert not [*tmp_path.iterdir()]
