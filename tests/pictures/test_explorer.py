"""The board that answers clicks: its script agrees with the table on every position."""

from __future__ import annotations

import json
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from py_mini_racer import MiniRacer

from solver import MissingTable, Position, RulesError, open_tablebase, parse_game
from solver.pictures import explorer
from solver.pictures.explorer import Explorer, explore
from tests.conftest import PACKAGE

SCRIPT = (PACKAGE / "pictures" / "explorer.js").read_text(encoding="utf-8").strip()

# Every position that can be reached from the first, as the script knows it.
WALK = """
(data) => {
  const game = api.gameOf(data), found = {}, waiting = [data.start];
  while (waiting.length) {
    const hash = waiting.pop();
    if (hash in found) continue;
    const moves = [...game.moves(hash)];
    found[hash] = { cells: game.cells(hash), moves, status: game.status(hash), lines: [...game.lines(hash)] };
    for (const [square] of moves) waiting.push(game.after(hash, square));
  }
  return JSON.stringify(found);
}
"""

# As much of a page as the script touches.
PAGE = """
const made = (tag) => ({
  tag, style: {}, dataset: {}, attributes: {}, on: {}, textContent: "", children: [],
  setAttribute(name, value) { this.attributes[name] = value; },
  addEventListener(kind, action) { this.on[kind] = action; },
});
const squares = [...Array(count)].map(() => made("td")), status = made("p"), root = made("div"), buttons = [];
root.dataset.explorer = data;
root.querySelectorAll = (what) => ({ td: squares })[what];
root.querySelector = (what) => ({ ".mnk-status": status })[what];
root.insertBefore = (element, before) => { if (before === status) buttons.push(element); };
const document = { querySelectorAll: () => [root], createElement: made };
const shown = () => ({ squares: squares.map((one) => one.textContent), status: status.textContent });
"""


class Squares(HTMLParser):
    """The texts of the cells, the data of the script, and the line below the board."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.squares: list[str] = []
        self.json = ""
        self.status = ""
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._inside = tag
        self.json = dict(attrs).get("data-explorer") or self.json
        if tag == "td":
            self.squares.append("")

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "td":
            self.squares[-1] += data
        if self._inside == "p":
            self.status += data


def walked(board: Explorer) -> dict[int, dict[str, Any]]:
    """What the script says of all positions that it can reach, by hash."""
    engine = MiniRacer()
    engine.eval(f"const document = {{ querySelectorAll: () => [] }}; const api = {SCRIPT}")
    found = engine.eval(f"({WALK})({json.dumps(board.json())})")
    return {int(number): entry for number, entry in json.loads(str(found)).items()}


def expected_words(position: Position, value: object) -> str:
    outcome = position.outcome
    if outcome is not None:
        return "A draw." if outcome == "draw" else f"{outcome} has won."
    return f"{position.to_move} to move: {value}."


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("game", "metric"),
    [
        ("3,3,3", "distance"),
        ("3,3,3", "wdl"),
        ("3,3,3,misere", "distance"),
        pytest.param("2,5,3,exact", "distance", marks=pytest.mark.slow),
        ("3,4,3,gravity", "distance"),
        ("affine,2", "distance"),
        ("2x2x2,2", "distance"),
        ("3,3,3,maker,x=a1,without=c3", "distance"),
        ("2,3,2,plies=4", "distance"),
    ],
)
def test_the_script_agrees_with_the_table_on_every_position(
    game: str, metric: str, table_file: Callable[..., Path]
) -> None:
    rules = parse_game(game)
    with open_tablebase(table_file(game, metric=metric)) as table:
        board = explore(rules, table)
        found = walked(board)
        assert set(found) == set(board.entries)
        assert len(found) == int(str(table.meta["positions"]))
        for number, entry in found.items():
            position = Position.from_hash(rules, number)
            assert entry["cells"] == [cell.replace(".", "") for cell in position.cells]
            assert dict(map(tuple, entry["moves"])) == {s: value.label for s, value in table.moves(position)}
            assert entry["status"] == expected_words(position, table.probe(position))
            assert sum(1 << square for square in entry["lines"]) == position.winning_line


@pytest.mark.slow
def test_a_larger_game_ends_with_the_page(table_file: Callable[..., Path]) -> None:
    with open_tablebase(table_file("4,4,4")) as table:
        board = explore("4,4,4", table)
        found = walked(board)
    assert len(found) == len(board.entries) == 1 + 16 + 240 + 1680 + 10_920
    said = "The values end here; explore this position to go on."
    ends = [entry for entry in found.values() if entry["status"].endswith(said)]
    assert len(ends) == 10_920
    assert not any(entry["moves"] for entry in ends)
    assert board.deepest == 4


@pytest.mark.parametrize("shown", ["", "XO./.X./...", "XXX/OO./...", "XOX/XOO/OXX"])
def test_without_its_script_it_is_the_board_with_every_verdict(shown: str, table_file: Callable[..., Path]) -> None:
    rules = parse_game("3,3,3")
    position = Position.parse(rules, shown or "start")
    with open_tablebase(table_file("3,3,3")) as table:
        board = explore(position, table)
        labels = {square: value.label for square, value in table.moves(position)}
        words = expected_words(position, table.probe(position))
    page = Squares(board.html())
    assert page.squares == [labels.get(s, cell.replace(".", "")) for s, cell in enumerate(position.cells)]
    assert page.status == words
    assert board._repr_mimebundle_() == {"text/html": board.html(), "text/plain": board.text()}
    assert all(label in board.text() for label in labels.values())
    if not shown:
        names = Squares(explore("2x2x2,2", table_file("2x2x2,2")).html()).squares
        assert (len(names), names[:2]) == (8, ["1a1\nW3", "1b1\nW3"])
    picture = [element.text for element in ElementTree.fromstring(board.svg()).iter() if element.tag.endswith("}text")]
    assert picture[6:] == [*dict(sorted(labels.items())).values(), words.rstrip(".")]


def test_clicks_and_keys_play_and_buttons_take_back(table_file: Callable[..., Path]) -> None:
    board = explore("3,3,3", table_file("3,3,3"))
    page = Squares(board.html())
    script = board.html().partition("<script>")[2].partition("</script>")[0]
    engine = MiniRacer()
    engine.eval(f"const data = {json.dumps(page.json)}, count = 9; {PAGE}; {script}")

    def do(action: str) -> dict[str, Any]:
        return dict(json.loads(str(engine.eval(f"{action}; JSON.stringify(shown())"))))

    first = do("0")
    assert (first["squares"], first["status"]) == (page.squares, page.status)
    assert do("squares[4].on.click()")["status"] == "O to move: draw. Played: b2."
    key = 'squares[1].on.keydown({ key: "Enter", preventDefault() {} })'
    assert do(key)["squares"] == ["W5", "O", "W5", "W5", "X", "W5", "W5", "=", "W5"]
    assert do(key)["status"] == do("squares[4].on.click()")["status"] == "X to move: win in 5. Played: b2 b1."
    end = do("for (const s of [0, 8, 3, 2, 5]) squares[s].on.click()")
    assert end["status"] == "X has won. Played: b2 b1 a1 c3 a2 c1 c2."
    assert engine.eval('squares[3].attributes.style.includes("outline")')
    assert not engine.eval('squares[0].attributes.style.includes("outline")')
    assert do("squares[7].on.click()") == end
    assert do("buttons[0].on.click()")["status"].endswith("Played: b2 b1 a1 c3 a2 c1.")
    assert do("buttons[1].on.click()") == first
    assert engine.eval("buttons.every((button) => button.disabled)")


def test_a_given_table_stays_open_and_a_missing_table_is_an_error(
    table_file: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(explorer, "MOST_POSITIONS", 1)
    with open_tablebase(table_file("3,3,3")) as table:
        board = explore("3,3,3", table)
        assert (len(board.entries), board.deepest) == (10, 1)  # at least the first moves
        assert table.probe(Position.start(parse_game("3,3,3"))).wdl == 0
    with pytest.raises(MissingTable, match="build it with `mnk build 3,3,3"):
        explore("3,3,3", tmp_path)
    with pytest.raises(RulesError):
        explore("3,3", tmp_path)
