"""`mnk play`, as dialogues of input and output."""

import json
import re
from pathlib import Path
from string import ascii_lowercase

import pytest

from solver.cli.play import Dialogue, _help
from solver.engines.engine import Choice, Engine
from solver.errors import EngineFailed
from solver.game.games import parse_game
from solver.game.position import Position
from solver.search.sources import SmallSearch
from solver.search.truth import Truth, open_tablebase
from tests.commands import TableFile, mnk

RULES = parse_game("3,3,3")
START = [Position.start(RULES)]


@pytest.fixture
def data(table_file: TableFile) -> Path:
    """A folder with the table of 3,3,3."""
    return table_file("3,3,3").parent


@pytest.fixture
def table(table_file: TableFile) -> Truth:
    """The table of 3,3,3."""
    return open_tablebase(table_file("3,3,3"))


def played(data: Path, typed: str, *options: str) -> str:
    """Return the output while these words are typed, one per line."""
    result = mnk("play", "3,3,3", "--data", data, *options, typed="\n".join([*typed.split(), ""]))
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def test_a_whole_game_of_two_people(data: Path) -> None:
    said = played(data, "b2 a2 a1 c3 C1 b1 6 q", "--side", "both")
    assert said.startswith("3,3,3: 3 rows, 3 columns, 3 in a row\nYou play both sides.\n")
    assert "O> a2\na2 throws the draw away: X wins in 5 plies; a1, c1, a3 or c3 draws.\n" in said
    assert "1   X   O  (X)\n2   O  (X)  .\n3  (X)  .   O\n\nThe game is over: X has won.\n" in said
    assert "\nO: accuracy 0.0 %, kept the result in 0 of 1 decision.\nMove 2, a2, was the mistake. " in said
    assert said.endswith("X has won.\nu, r or q> q\n")


@pytest.mark.parametrize("strength", ["perfect", "Strong", "medium", "weak", "0", "12.5%", "100", "Easy"])
def test_the_same_seed_plays_the_same_game(strength: str, data: Path) -> None:
    typed = "a1 b1 c1 a2 b2 c2 a3 b3 c3"
    first, second = (played(data, typed, "--opponent", strength, "--seed", "7") for _ in range(2))
    assert first == second
    assert "The table plays O on " in first


def test_the_case_of_a_strength_does_not_matter(data: Path) -> None:
    assert "You play X against random." in played(data, "q", "--opponent", "Random", "--seed", "7")


@pytest.mark.parametrize("strength", ["-1", "101", "nan"])
def test_an_unknown_strength_is_refused(strength: str, data: Path) -> None:
    result = mnk("play", "3,3,3", "--data", data, "--opponent", strength)
    assert result.exit_code == 2
    assert "write perfect, strong, medium, weak, random, a number from 0 to 100, or an engine" in result.stderr


def test_hints_stay_until_they_are_switched_off(data: Path) -> None:
    said = played(data, "h b2 h a1 q", "--side", "both")
    assert "Hints are on.\n\n   a b c\n1  = = =\n2  = = =\n3  = = =\n" in said
    assert "X> b2\n\n   a   b   c\n1  =   L6  =\n2  L6  X   L6\n3  =   L6  =\n\nOn an empty square: " in said
    assert "Hints are off.\n\n   a b c\n1  . . .\n2  . X .\n3  . . .\n\nO> a1\n" in said
    assert "1  = = =\n" in played(data, "q", "--hints")


def test_undo_goes_back_to_the_persons_last_turn(data: Path) -> None:
    start = "\n   a b c\n1  . . .\n2  . . .\n3  . . .\n\nX> "
    assert played(data, "b2 u q").endswith(f"X> u\n{start}q\n")
    assert "You have no move to take back." in played(data, "u q", "--side", "O")
    assert f"O> u\n{start}" in played(data, "b2 u q", "--side", "both")


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("z9", "'z9' is not a square of 3,3,3; write a1 to c3, or 0 to 8."),
        ("9", "'9' is not a square of 3,3,3"),
        ("hello", "'hello' is not a square"),
        ("b2 b2", "b2 (square 4) is taken; play an empty square."),
        ("?", "Type a square such as b2"),
    ],
)
def test_a_word_that_is_not_a_move_is_explained(typed: str, reason: str, data: Path) -> None:
    said = played(data, f"{typed} q", "--side", "both")
    assert reason in said.partition(f"> {typed.rsplit(maxsplit=1)[-1]}\n")[2]
    assert said.endswith("> q\n")


def test_a_column_is_a_move_where_stones_drop(table_file: TableFile) -> None:
    folder = table_file("3,3,3,gravity").parent
    said = mnk("play", "3,3,3,gravity", "--side", "both", "--data", folder, typed="b\nb\nb\nb\nq\n").stdout
    assert "Type a column such as b;" in said
    assert "   a b c\n1  . X .\n2  . O .\n3  . X .\n" in said
    assert "The column b is full; choose another." in said


def test_a_draw_and_a_defeat_are_announced(data: Path, table: Truth) -> None:
    beaten = played(data, "a1 b1 c1 a2 b2 c2 a3 b3 c3", "--seed", "7")
    assert "The game is over: O has won. The table wins.\n" in beaten
    line = " ".join(str(square) for square in table.mainline(Position.start(RULES)))
    assert "The game is over: a draw.\n" in played(data, f"{line} q", "--side", "both")


def test_the_end_of_the_input_ends_the_dialogue(data: Path) -> None:
    assert played(data, "b2").endswith("\nX> \nThe input has ended, and so does the game.\n")


def test_in_misere_the_verdict_is_reversed(table_file: TableFile) -> None:
    said = mnk("play", "3,3,3,misere", "--side", "both", "--data", table_file("3,3,3,misere").parent, typed="a1\nq\n")
    assert "X> a1\na1 throws the draw away: O wins in 8 plies; only b2 draws.\n" in said.stdout


def test_a_board_without_a_table_is_played_against_an_engine(tmp_path: Path) -> None:
    result = mnk("play", "4,4,3", "--opponent", "random", "--seed", "1", "--data", tmp_path, typed="c3\nh\nq\n")
    assert result.exit_code == 0
    without = "No table has this game's values: moves are judged, and hints shown, only where a search settles them.\n"
    assert f"You play X against random.\n{without}Type a square" in result.stdout
    assert "X> h\nHints are on.\nNo move is settled here.\n" in result.stdout


def test_the_table_judges_a_game_against_an_engine(data: Path) -> None:
    said = played(data, "b1 a2 c3 q", "--opponent", "perfect:seed=1", "--side", "O", "--hints")
    assert "perfect:seed=1 plays X on a1.\n" in said
    assert "O> b1\nb1 throws the draw away: X wins in 5 plies; only b2 draws.\n" in said
    assert "On an empty square: a move there wins" in said


class Diary(Engine):
    """Plays the first legal move, or `answer`, and records the seeds of its games."""

    name = "diary"

    def __init__(self, answer: int | None = None) -> None:
        self.answer = answer
        self.seeds: list[int | None] = []

    def choose(self, position: Position) -> Choice:
        return Choice(position.legal_moves[0] if self.answer is None else self.answer)

    def new_game(self, seed: int | None = None) -> None:
        self.seeds.append(seed)


def search() -> Truth:
    return Truth(START[0].rules, [SmallSearch(START[0].rules)])


def test_an_engine_forgets_the_game_after_undo_and_after_restart() -> None:
    engine = Diary()
    game = Dialogue(past=START.copy(), people="X", engine=engine, name="Diary", truth=search(), seed=9)
    for word in ("b2", "c3"):
        game.move(word)
    assert (game.past[-1].board, engine.seeds) == ("OO./.X./..X", [])
    game.undo()
    assert (game.past[-1].board, engine.seeds) == ("O../.X./...", [9])
    game.return_to(1)
    assert (game.past, engine.seeds) == (START, [9, 9])
    game.undo()
    assert engine.seeds == [9, 9]


def test_an_illegal_reply_is_refused_and_not_played() -> None:
    game = Dialogue(past=START.copy(), people="X", engine=Diary(answer=4), name="Diary", truth=search())
    with pytest.raises(EngineFailed, match="diary chose an illegal move"):
        game.move("b2")
    assert game.past[-1].board == ".../.X./..."


@pytest.mark.parametrize(("letter", "plies"), [("h", 1), ("q", 1), ("r", 0), ("u", 0)])
def test_a_letter_that_names_a_column_is_a_move_and_its_command_takes_a_colon(
    letter: str, plies: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = parse_game(f"2,{ascii_lowercase.index(letter) + 1},2,gravity")
    typed = iter([letter, f":{letter}", ":q"])
    monkeypatch.setattr("builtins.input", lambda _: next(typed))
    game = Dialogue([Position.start(rules)], people="XO", engine=Diary(), name="Diary", truth=Truth(rules, []))
    game.run()
    assert (game.past[-1].ply, [*typed]) == (plies, [":q"] if letter == "q" else [])
    assert ("Hints are on." in capsys.readouterr().out) == (letter == "h")


@pytest.mark.parametrize(("game", "keys"), [("2,7,2,gravity", "h u r q"), ("2,21,2,gravity", ":h :u :r :q")])
def test_the_help_names_the_keys_that_work(game: str, keys: str) -> None:
    hints, back, restart, leave = keys.split()
    assert _help(parse_game(game)).endswith(f"; {hints} hints, {back} takes back, {restart} restarts, {leave} quits.")


def test_a_square_with_the_name_of_a_command_is_a_move(tmp_path: Path) -> None:
    game = {"squares": ["q", "undo", "help"], "lines": [["q", "help"]]}
    (tmp_path / "words.json").write_text(json.dumps(game))
    said = mnk("play", tmp_path / "words.json", "--side", "both", typed="q\nundo\nhelp\n:r\n:q\n")
    assert (said.exit_code, said.stderr) == (0, "")
    assert "The game is over: X has won." in said.stdout
    assert "u, r or :q> :r\n" in said.stdout


def test_an_opponent_that_knows_no_best_move_says_so_and_defends(tmp_path: Path) -> None:
    words: list[str | Path] = ["play", "15,16,5", "--seconds", "0.01", "--data", tmp_path, "--seed", "1"]
    for level, does in (("perfect", "knows no best move and tries"), ("99", "plays")):
        told = mnk(*words, "--opponent", level, typed="h8\nh9\nh10\nh11\nq\n")
        assert told.exit_code == 0
        replies = re.findall(rf"The search {does} O on (\w+)\.\n", told.stdout)
        assert {*replies} & {"h7", "h11", "h12"}, told.stdout
