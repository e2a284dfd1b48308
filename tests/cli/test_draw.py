"""`mnk draw`: positions, posters and charts."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from tests.commands import TableFile, assert_refused, mnk

TITLE = "{http://www.w3.org/2000/svg}title"

PICTURES = {
    "3,3,3: O to move after 3 plies": ["XO./.X./..."],
    "3,3,3: how X never loses": ["--poster"],
    "3,3,3: how O never loses": ["--poster", "--side", "o"],
    "3,3,3: who wins": ["--chart"],
}


@pytest.mark.sampled
@pytest.mark.parametrize("title", PICTURES)
def test_a_picture_goes_to_standard_output_or_a_file(table_file: TableFile, tmp_path: Path, title: str) -> None:
    arguments = ["draw", "3,3,3", *PICTURES[title], "--data", str(table_file("3,3,3").parent)]
    printed, kept = mnk(*arguments), mnk(*arguments, "-o", tmp_path / "a.svg")
    assert (printed.exit_code, kept.exit_code, printed.stderr, kept.stderr) == (0, 0, "", "")
    assert kept.stdout == f"Wrote {tmp_path / 'a.svg'}\n"
    assert ET.fromstring(printed.stdout).findtext(TITLE) == title
    assert (tmp_path / "a.svg").read_text() == printed.stdout


def test_a_picture_without_values_is_advised_where_none_are_known(tmp_path: Path) -> None:
    refused = mnk("draw", "4,4,3", "-o", tmp_path / "a.svg", "--data", tmp_path)
    assert_refused(refused, 3, "; --plain draws the stones without values.\n")


def test_plain_positions_need_no_table(tmp_path: Path) -> None:
    result = mnk("draw", "9,9,5", "e5", "d4", "--plain", "-o", tmp_path / "board.png")
    assert (result.exit_code, result.output) == (0, f"Wrote {tmp_path / 'board.png'}\n")
    assert (tmp_path / "board.png").read_bytes().startswith(b"\x89PNG")
    assert "<title>O to move</title>" in mnk("draw", "9,9,5", "e5", "--plain").stdout
    assert "<title>X has won</title>" in mnk("draw", "2,2,2", "a1", "b2", "a2", "--plain").stdout


@pytest.mark.parametrize(
    "options", [["--poster", "--chart"], ["--poster", "--plain"], ["--side", "X"], ["b2", "--poster"]]
)
def test_options_of_different_pictures_exclude_each_other(options: list[str]) -> None:
    assert mnk("draw", "3,3,3", *options).exit_code == 2


def test_a_picture_that_cannot_be_drawn_is_refused_and_leaves_no_file(table_file: TableFile, tmp_path: Path) -> None:
    out = ["-o", str(tmp_path / "a.svg")]
    data = ["--data", str(table_file("4,4,4").parent)]
    assert_refused(mnk("draw", "4,4,4", "--poster", *data, *out), 2, "can't be drawn legibly", "mm wide", "mnk tree -o")
    assert_refused(mnk("draw", "3,3,3", "--poster", *data, "-o", tmp_path / "a.pdf"), 2, ".svg or .png")
    assert_refused(mnk("draw", "2,3,2", "--chart", "--data", tmp_path, *out), 3, "mnk build 2,3,2")
    assert_refused(mnk("draw", "3,3,3", "XX./.../...", *data, *out), 2, "can't arise")
    affine = table_file("affine,2").parent
    assert_refused(mnk("draw", "affine,2", "--poster", "--data", affine, *out), 2, "affine,2", "rectangle")
    assert_refused(mnk("draw", "3,3,3", "start", "--plain", "-o", tmp_path / "b" / "a.svg"), 5, "can't be written")
    assert not [*tmp_path.iterdir()]
