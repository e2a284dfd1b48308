"""Read games as people and programs write them."""

import json

import pytest

from solver.engines.match import Terms, play_match
from solver.errors import IllegalMove, MnkError, NotationError
from solver.game.games import parse_game
from solver.game.json_file import from_json
from solver.game.position import Position
from solver.study.played import read_played_game, split_games, write_psq
from tests.commands import mnk

RULES = parse_game("3,3,3")
MOVES = (0, 4, 8)


@pytest.mark.parametrize(
    "given",
    [
        *("a1 b2 c3", "A1,B2,C3", "0 4 8", "a1b2c3", "?game=3,3,3&moves=a1,b2,c3", "?game=3,3,3&moves=a1b2c3"),
        "http://127.0.0.1:8000/?game=3,3,3&moves=a1,b2,c3&at=1&x=perfect",
        '{"game": "3,3,3", "moves": ["a1", "b2", "c3"]}', {"moves": [0, 4, 8]}, {"moves": "a1b2c3"},
        {"start": ".../.../...", "moves": ["a1", "b2", "c3"], "outcome": None, "x": "me", "o": "you"},
        *([0, 4, 8], ["a1", "b2", "c3"], (0, "b2", 8), "X a1, O b2?, X c3, X wins", "X a1, O b2, X c3"),
        *("a1! b2?? c3!?", "a1!b2?c3", "a1!, b2?, c3", "1. a1 b2? 2. c3", "0! 4? 8"),
    ],
)  # fmt: skip
def test_a_game_is_read_in_every_form(given: object) -> None:
    game = read_played_game(RULES, given)
    assert (game.positions[0], game.positions[-1]) == (Position.start(RULES), Position.from_moves(RULES, MOVES))
    assert game.moves == MOVES


@pytest.mark.parametrize(
    "given", ["?game=3,3,3&position=XO./.../...&moves=b2", {"start": "XO./.../...", "moves": ["b2"]}]
)
def test_a_game_may_begin_anywhere(given: object) -> None:
    game = read_played_game(RULES, given)
    assert (game.positions[0].board, game.moves) == ("XO./.../...", (4,))
    assert read_played_game(RULES, "b2", "a1 b1") == game


@pytest.mark.parametrize(("rules", "moves", "start"), [("3,3,3", "b2", "XO./.../..."), ("hex,3", "b2", "a1 c3")])
def test_the_link_leads_back_to_the_game(rules: str, moves: str, start: str) -> None:
    game = read_played_game(parse_game(rules), moves, start)
    assert "#" not in game.link  # the holes of a board
    assert read_played_game(parse_game(rules), game.link) == game


@pytest.mark.parametrize("given", ["a A b", "aab", "112", "1 1 2", "?game=3,3,3,gravity&moves=112", [6, 3, 7]])
def test_with_gravity_a_column_is_a_move(given: object) -> None:
    rules = parse_game("3,3,3,gravity")
    assert read_played_game(rules, given)._replace(reading=None) == read_played_game(rules, "a3 a2 b3")
    assert read_played_game(rules, "a", "a3 a2").moves == (0,)


@pytest.mark.parametrize(
    ("given", "moves", "reading"),
    [
        ("1. b2 a1 2. c3 a3", "b2 a1 c3 a3", None), ("(1,1) (0,0)", "b2 a1", "rows and columns counted from 0"),
        ("[4,0,8]", "b2 a1 c3", None), ("5 1 9", "b2 a1 c3", "squares counted from 1"),
        ("519", "b2 a1 c3", "squares counted from 1"), ("1 2", "b1 c1", "squares counted from 0"),
        ("(1,3)", "c1", "rows and columns counted from 1"), ("2 3", "c1 a2", "squares counted from 0"),
        ("[[2,0],[0,1]]", "a3 b1", "rows and columns counted from 0"),
    ],
)  # fmt: skip
def test_numbers_are_read_so_that_the_game_is_legal(given: str, moves: str, reading: str | None) -> None:
    game = read_played_game(RULES, given)
    assert game.moves == read_played_game(RULES, moves).moves
    assert game.reading == (reading and f"The numbers are read as {reading}.")


def test_squares_with_numbers_as_names_are_squares() -> None:
    edges = parse_game("clique,5,3")
    assert read_played_game(edges, "12 34 15").moves == tuple(
        edges.diagram.numbers[name] for name in ("12", "34", "15")
    )


def test_squares_come_before_columns_and_numbers_of_moves() -> None:
    """Their names can look like either."""
    drop = from_json({"squares": 16, "gravity": 4, "lines": [[1, 2, 3, 4]]})
    game = read_played_game(drop, "13 14 9")
    assert game.moves == (12, 13, 8)
    assert read_played_game(drop, game.link).moves == game.moves
    assert read_played_game(drop, "a b a").moves == game.moves
    dots = from_json({"squares": ["1.1", "1.2", "2.1", "2.2"], "lines": [["1.1", "1.2"]]})
    assert read_played_game(dots, "1.1 2.1 1.2").moves == read_played_game(dots, "1. 1.1 2.1 2. 1.2").moves == (0, 2, 1)


def test_a_link_may_name_its_game_in_any_way() -> None:
    for game in ("tic-tac-toe", "3-3-3", "3, 3, 3"):
        assert read_played_game(RULES, f"?game={game}&moves=a1,b1").moves == (0, 1)


def test_the_games_of_a_match_are_read() -> None:
    records = []
    terms = Terms(Position.start(RULES), games=2, seed=1)
    play_match(["random", "random:seed=3"], terms, watch=lambda record, _: records.append(record))
    text = mnk("match", "3,3,3", "random", "random:seed=3", "--games", "2", "--seed", "1", "--json").stdout
    assert [read_played_game(RULES, game).moves for game in split_games(text)] == [tuple(one.moves) for one in records]
    text = mnk("match", "3,3,3", "random", "random", "--games", "1", "--json").stdout
    assert read_played_game(RULES, text) == read_played_game(RULES, text.splitlines()[0])
    for record in records:
        assert read_played_game(RULES, json.dumps(record.json())).moves == tuple(record.moves)


@pytest.mark.parametrize(
    ("given", "error", "part"),
    [
        ("", NotationError, "at least one move"), ("XO./.X./...", NotationError, "not a square"),
        ("a1 z9", NotationError, "'z9' is not a square"), ("a1 a1", IllegalMove, "Move 2 of the game"),
        ("a1 a2 b1 b2 c1 c2", IllegalMove, "Move 6 of the game can't be played: The game is over"),
        ("{", NotationError, "starts as JSON"), ('{"outcome": "X"}', NotationError, "'moves'"),
        ({"game": "4,4,4", "moves": ["a1"]}, NotationError, "a game of '4,4,4'"),
        ("?game=4,4,4&moves=a1", NotationError, "a game of '4,4,4'"),
        ("http://[?moves=a1,z9", NotationError, "'z9' is not a square"),
        ("a1b9", NotationError, "'a1b9' is not a square"), (12.5, MnkError, "not a square"),
        ("(;SZ[3]AB[bb];W[aa];B[cc])", NotationError, "has stones that were not played"),
        ("(;SZ[19];B[aa];W[bb])", NotationError, "played on a board of size 19"),
        ("(;SZ[3:4];B[aa];W[bb])", NotationError, "played on a board of size 3:4"),
        ("(;B[];W[bb])", NotationError, "has a pass"), ("(;B[aa];B[bb])", NotationError, "two moves of a side"),
    ],
)  # fmt: skip
def test_invalid_records_of_games_are_refused(given: object, error: type[MnkError], part: str) -> None:
    with pytest.raises(error, match=part):
        read_played_game(RULES, given)


PSQ = "Piskvorky 3x3, 11:11, 1\n1,1,0\n2,2,15\n3,1,8\nours.dll\ntheirs.dll\n-1\n"
ONLINE = (
    "Piskvorky 3x3, 11:11, 0\r\n 1, 1\r\n2,2,-15\r\n3,1,8\r\nOURS25.zip\r\nours\r\n-1\r\n2,2,0\r\n0,Freestyle15_1\r\n"
)
SGF = "(;GM[4]FF[4]SZ[3]C[odd (;B[cc\\] x)] ;B[aa]C[);W[ab]];W[bb](;B[ca];W[cb])(;B[cc]))"


@pytest.mark.parametrize(("text", "moves"), [(PSQ, (0, 4, 2)), (ONLINE, (0, 4, 2)), (SGF, (0, 4, 2, 5))])
def test_the_records_of_other_programs_are_read(text: str, moves: tuple[int, ...]) -> None:
    """Columns come before rows, and both are counted from the top left corner; of an SGF, the main line is read."""
    assert read_played_game(RULES, text).moves == moves


@pytest.mark.parametrize(
    "text",
    [
        "(;SZ[ 3 : 3 ];B[bb];W[aa])",
        "(;AB[]B[bb];W[aa];B[];W[])",
        "(;C [a][B[cc\\]]B\n[bb];W[aa]",
        "(;B[bb];W[aa];AB[bb",
    ],
)
def test_properties_that_change_nothing_are_no_obstacle(text: str) -> None:
    assert read_played_game(RULES, text).moves == (4, 0)


@pytest.mark.parametrize("text", ["(;{}[", "(;{}B[", "(;{}A", "(;{} ", "(;{}\\", "{}a"])
def test_no_long_text_takes_quadratic_time(text: str) -> None:
    """In quadratic time, each would take hours."""
    start, repeated = text.split("{}")
    long = start + 1_000_000 * repeated + "."
    assert split_games(long) == ([long] if not start else [])
    with pytest.raises(NotationError):
        read_played_game(RULES, long)


def test_a_game_in_psq_is_written_as_the_manager_reads_it() -> None:
    """The header, the moves as column, row and milliseconds, the players' names and a code (`savePsq` of Piskvork)."""
    rules = parse_game("3,4,3")
    start, names = Position.from_moves(rules, "a1 c2"), ["an engine", "two\nlines"]
    text = write_psq(start, [11, 1], [0.0124, 2], names)
    assert text == "Piskvorky 4x3, 11:11, 0\n1,1,0\n3,2,0\n4,3,12\n2,1,2000\nan engine\ntwo lines\n0\n"
    assert read_played_game(rules, text).moves == (0, 6, 11, 1)
    assert write_psq(start, [], [], names, is_lost=True).splitlines()[3:] == ["an engine", "two lines", "-2"]


def test_a_game_on_another_board_is_refused() -> None:
    with pytest.raises(NotationError, match="played on 20 columns and 15 rows, and 15,15,5 has 15 and 15"):
        read_played_game(parse_game("15,15,5"), "Piskvorky 20x15, 11:11, 0\n8,8,0\n-1\n")


@pytest.mark.parametrize(
    ("game", "opening", "moves"),
    [
        ("15,15,5", "1,-3, 0,0, -7,7", "i5 h8 a15"), ("15,15,5", "0,0, 1,0,   1,3\r", "h8 i8 i11"),
        ("6,9,4", "-4,2, 4,-3", "a6 i1"), ("3,3,3", "1,0, 0,0", "c2 b2"), ("3,3,3", "[1, 0, 2]", "b1 a1 c1"),
        ("3,3,3", "1, 0, 2", "b1 a1 c1"), ("4,4,4,gravity", "1,1, 2,3", "a a b c"),
    ],
)  # fmt: skip
def test_an_opening_of_gomocup_counts_from_the_centre(game: str, opening: str, moves: str) -> None:
    """Column before row; a board with an even number of columns has the centre right of the middle."""
    rules = parse_game(game)
    assert read_played_game(rules, opening).moves == read_played_game(rules, moves).moves


def test_an_opening_off_the_board_is_refused() -> None:
    with pytest.raises(NotationError, match=r"Move 1 of the file is off the board of 15,15,5"):
        read_played_game(parse_game("15,15,5"), "8,8, 9,9")


def test_a_file_has_one_game_a_collection_or_a_game_in_each_line() -> None:
    assert split_games(PSQ) == [PSQ.strip()]
    assert [read_played_game(RULES, game).moves for game in split_games(f"{SGF}\n{SGF}")] == [(0, 4, 2, 5)] * 2
    assert split_games("a1 b2\n\n b2 a1\n") == ["a1 b2", " b2 a1"]
