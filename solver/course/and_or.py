"""And-or search: strategies and their node counts on tic-tac-toe, and matches against a random player.

The notebook lets the opponent reply to a move that has already won, as `search_board` does with `late=True`. So it
misses some strategies, and two of the ten node counts that it prints are those of another search:

    board            player  goal    its nodes   correct
    .../.o./...      x       win           720      1215
    .../.../...      x       win         13023     14022

The experiment compares the node counts of the notebook's search and notes the correct ones beside them.

Players have the shape of the notebook, `fun(board, player)`, which returns the square to play. A board is a list with
`x`, `o` or a blank for each square, row by row; `player` is `x` or `o`. Each shape can play in place of the other:

    fun = function_of(make_engine("mcts:seed=1", rules), rules)     # fun(board, "x") -> square
    engine = FunctionEngine(fun, "mine")                            # plays in matches

An engine sees a position in which X has begun: if both sides have the same number of stones, the player to move is X,
otherwise O.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from solver.course.experiments import Row
from solver.engines.builtin.and_or import search_board
from solver.engines.engine import Choice, Engine, make_engine
from solver.errors import IllegalMove
from solver.game.games import parse_game
from solver.game.lines import completed, mask_of
from solver.game.notation import parse_square, square_name
from solver.game.position import Position, own_and_other
from solver.game.rules import Rules
from solver.game.strategies import parse_player, read_board

Function = Callable[[list[str], str], int]

SEARCHES: Final = [
    # board, player, whether a draw is a success, nodes, first action
    ("xo./ox./...", "x", True, 22, 2),
    ("xo./ox./...", "x", False, 27, 2),
    ("xox/.o./...", "x", True, 56, 7),
    ("xox/.o./...", "x", False, 52, None),
    ("oo./ox./..x", "x", True, 7, None),
    ("oo./ox./..x", "o", False, 2, 2),
    (".../.o./...", "x", True, 370, 0),
    (".../.o./...", "x", False, 720, None),
    (".../.../...", "x", True, 833, 0),
    (".../.../...", "x", False, 13023, None),
]
_MATCHES: Final = [
    # X, O, games, wins of X and O and draws
    ("and-or", "random", 100, {"x": 95, "o": 0, "d": 5}),
    ("random", "and-or", 100, {"x": 0, "o": 69, "d": 31}),
    ("random", "random", 100, {"x": 63, "o": 25, "d": 12}),
    ("and-or", "and-or", 1, {"x": 0, "o": 0, "d": 1}),
]


def run() -> list[Row]:
    """Run all searches and four matches, of which only the zeros and the game without chance are exact."""
    rules = parse_game("3,3,3")
    return [*_searches(rules), *_matches(rules)]


def _searches(rules: Rules) -> Iterator[Row]:
    def describe(square: int | None) -> str:
        return "no plan" if square is None else square_name(rules, square)  # the word of the notebook

    for board, player, draw_ok, nodes, action in SEARCHES:
        what = f"{board} {player} {'win or draw' if draw_ok else 'win only'}"
        found = search_board(rules, board, player, draw_ok, late=True)
        correct = search_board(rules, board, player, draw_ok).nodes
        note = "" if correct == nodes else f"{correct} without its mistake: replies to a won game"
        yield Row(f"{what}: nodes", nodes, found.nodes, note=note)
        first = found.strategy[0] if isinstance(found.strategy, list) else None
        yield Row(f"{what}: first action", describe(action), describe(first))


def _matches(rules: Rules) -> Iterator[Row]:
    for first, second, games, theirs in _MATCHES:
        x, o = (
            function_of(make_engine(f"{name}:seed={seed}", rules), rules) for seed, name in enumerate((first, second))
        )
        ours = play(x, o, games, rules)
        for result, count in theirs.items():
            what = {"x": f"{first} as X wins", "o": f"{second} as O wins", "d": "draws"}[result]
            label = f"{first} against {second}, {games} game{'s' if games > 1 else ''}: {what}"
            yield Row(label, count, ours[result], exact=count == 0 or games == 1)


def position_of(rules: Rules, board: object, player: str) -> Position:
    """Return the position with `player` to move on a board in any notation; X in it is the side that began.

    Raise NotationError, and ImpossiblePosition if it cannot be this player's turn whichever side began.

    >>> position_of(parse_game("3,3,3"), [" ", " ", " ", " ", "o", " ", " ", " ", " "], "x")
    Position.parse(parse_game('3,3,3'), '.../.X./...')
    """
    x, o = read_board(rules, board)
    return turn(rules, *own_and_other(x, o, parse_player(player)))


def turn(rules: Rules, own: int, other: int) -> Position:
    """Return the position in which the side to move has the stones `own`. Raise ImpossiblePosition if none does."""
    is_x = own.bit_count() == other.bit_count()
    return Position(rules, *((own, other) if is_x else (other, own)))


def board_of(position: Position) -> list[str]:
    """Return the squares as `x`, `o` and blanks."""
    return [" " if cell == "." else cell.lower() for cell in position.cells]


def check_win(rules: Rules, board: Sequence[str]) -> str:
    """Return `x` or `o` for the winner, `d` for a draw, or `n` if the game is not over.

    >>> check_win(parse_game("3,3,3"), list("xxxoo    "))
    'x'
    """
    for symbol, other in ("xo", "ox"):
        if completed(rules.x_lines, mask_of(s for s, cell in enumerate(board) if cell == symbol)):
            return other if rules.misere else symbol
    return "n" if " " in board else "d"


def function_of(engine: Engine, rules: Rules) -> Function:
    """Return an engine as a function of board and player, which raises what `position_of` and the engine raise."""
    return lambda board, player: engine.choose(position_of(rules, board, player)).move


@dataclass
class FunctionEngine(Engine):
    """A function of board and player as an engine."""

    function: Function
    name: str = "function"

    def choose(self, position: Position) -> Choice:
        """Return the square that the function returns (any integer type)."""
        move = self.function(board_of(position), position.to_move.lower())
        return Choice(parse_square(position.rules, move))


def play(x: Function, o: Function, games: int = 100, rules: Rules | None = None) -> dict[str, int]:
    """Return the wins of x and o and the draws of games between two functions: `{'x': 63, 'o': 25, 'd': 12}`.

    rules: by default tic-tac-toe. Raise IllegalMove, with the name of the player; the notebook lets players overwrite
    stones.
    """
    rules = rules or parse_game("3,3,3")
    results = {"x": 0, "o": 0, "d": 0}
    for _ in range(games):
        position = Position.start(rules)
        while not position.is_over:
            player = position.to_move.lower()
            move = (x if player == "x" else o)(board_of(position), player)
            try:
                position = position.play(parse_square(rules, move))
            except IllegalMove as error:
                raise IllegalMove(f"The player {player} made an illegal move: {error}") from error
        results["d" if position.outcome == "draw" else str(position.outcome).lower()] += 1
    return results
