"""Game classes and Monte Carlo tree search in the shape of Russell and Norvig's Artificial Intelligence (AIMA).

Notebook code for `Game`, `GameState`, `TicTacToe(h, v, k)` and players `strategy(game, state)` runs unchanged over the
rules of this package, with all their variants, and against its engines:

    game = TicTacToe(4, 4, 4, gravity=True)
    play_game(game, {"X": alpha_beta_player, "O": engine_player("mcts:playouts=2000,seed=7")})

The notebook prints no figures, so the experiment compares the states with what its code returns. These parts of the
notebook are wrong:

* Its minimax prints the time before the search begins, and all its searches read the clock with `.microseconds`, which
  drops whole seconds. Here it is the time of the search.
* Its `player(search)` calls `search(game, state)` and takes the second of two results, but its searches take (state,
  game) and return only the move. `minimax_search` and `alphabeta_search` fit `player`.
* Its `play_game` asks the same player forever if a move is illegal, and `Game.play_game` lets the other player move
  twice. Here an illegal move still changes nothing in `result`, but ends the game with an error.
* Its Monte Carlo tree search counts only wins, so that a draw is as bad as a loss, as with the option `draw=0` of the
  engine `mcts`. The engine has the same parameters, UCB1 with the constant 1.4, 1000 playouts and the most visited
  move, but counts a draw as half a win, tries moves in random order, and adds one node per playout, not all children.

`mnk verify --profile aima` gives agents this game and its states.
"""

import random
from ast import literal_eval
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import redirect_stdout, suppress
from io import StringIO
from math import inf
from time import perf_counter
from typing import Any, NamedTuple

from solver.course.and_or import turn
from solver.course.experiments import Row
from solver.engines.builtin.mcts import MonteCarlo
from solver.engines.builtin.minimax import walk_moves
from solver.engines.engine import Engine, Tables, make_engine, read_engine
from solver.engines.match import Terms, play_match
from solver.errors import EngineError, IllegalMove, PositionError
from solver.game.games import parse_game
from solver.game.lines import completed, mask_of
from solver.game.position import Position, own_and_other
from solver.game.rules import Rules
from solver.search.small import InMemoryTable
from solver.verification.positions import live_positions

Move = tuple[int, int]
Strategy = Callable[[Any, Any], Any]
"""A player: a function of a game and a state that returns a move."""

PLAYOUTS = 1000


# The experiment


def run() -> list[Row]:
    """Check states and games without chance, and measure the wrong decisions and the time of the tree search."""
    return [*_states(), *_games(), *_tree_search()]


def _states() -> Iterator[Row]:
    game = TicTacToe()
    start, centre = game.initial, game.result(game.initial, (2, 2))
    won = start
    for move in [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]:
        won = game.result(won, move)
    note = "not printed there; by its code"
    yield Row("moves at the start", 9, len(game.actions(start)), note=note)
    yield Row("moves after one", 8, len(game.actions(centre)), note=note)
    yield Row("to move after one", "O", game.to_move(centre), note=note)
    unchanged = "yes" if game.result(centre, (2, 2)) is centre else "no"
    yield Row("an illegal move changes nothing", "yes", unchanged, note=note)
    yield Row("utility of three in a row for X", 1, won.utility, note=note)
    yield Row("the same for player O", -1, game.utility(won, "O"), note=note)


def _games() -> Iterator[Row]:
    players = {
        "minimax": player(minimax_search),
        "alpha-beta": player(alphabeta_search),
        "mcts": engine_player("mcts:seed=4"),
    }
    for first, second in [("minimax", "alpha-beta"), ("alpha-beta", "minimax"), ("alpha-beta", "mcts")]:
        with redirect_stdout(StringIO()):
            end = play_game(TicTacToe(), {"X": players[first], "O": players[second]})
        known = "mcts" not in {first, second}
        yield Row(f"{first} against {second}: utility", 0 if known else None, end.utility, exact=known)


def _tree_search() -> Iterator[Row]:
    rules = parse_game("3,3,3")
    engine = f"mcts:playouts={PLAYOUTS},seed=1"
    for x, o in (("alphabeta", engine), (engine, "alphabeta")):
        score = play_match([x, o], Terms(Position.start(rules), games=20)).score
        counts = " ".join(str(int(part)) for part in score.parts)
        yield Row(f"{x} against {o}, 20 games: wins, draws, losses", None, counts)
    positions, table = live_positions(rules), InMemoryTable(rules)
    for draw, words in ((0.5, "a draw worth half a win"), (0.0, "a draw worth a loss, as there")):
        for playouts in (10, 100, PLAYOUTS):
            searcher = MonteCarlo(playouts=playouts, draw=draw, seed=1)
            wrong = sum(
                -table.probe_wdl(position.play(searcher.choose(position).move)) < table.probe_wdl(position)
                for position in positions
            )
            yield Row(f"wrong decisions of {len(positions):,}, {playouts} playouts, {words}", None, wrong)
    searcher = MonteCarlo(playouts=PLAYOUTS, seed=1)
    searcher.prepare(rules, None)
    seconds = searcher.choose(Position.start(rules)).seconds or 0.0
    note = "the notebook prints no game, and a time without the whole seconds"
    yield Row(f"seconds for {PLAYOUTS} playouts from the empty board", None, round(seconds, 6), note=note)


# Games


class GameState(NamedTuple):
    """A state of `TicTacToe`."""

    to_move: str
    """The player to move, `X` or `O`."""
    utility: int
    """The utility for X."""
    board: dict[Move, str]
    """The stones: `{(row, column): "X" or "O"}`."""
    moves: list[Move]
    """The legal moves."""


class Game:
    """A game to subclass: give it `initial`, and define `actions`, `result` and `utility`.

    A missing method raises NotImplementedError when it is called, as in AIMA, because a notebook defines and tries
    them one by one.
    """

    initial: Any

    def actions(self, state: Any) -> Iterable[Any]:
        """Return the legal moves in a state."""
        raise NotImplementedError

    def result(self, state: Any, move: Any) -> Any:
        """Return the state after a move."""
        raise NotImplementedError

    def utility(self, state: Any, player: Any) -> float:
        """Return the value of a final state for a player."""
        raise NotImplementedError

    def terminal_test(self, state: Any) -> bool:
        """Return whether a state is final: by default, whether it has no moves."""
        return not list(self.actions(state))

    def to_move(self, state: Any) -> Any:
        """Return the player to move."""
        return state.to_move

    def display(self, state: Any) -> None:
        """Print a state."""
        print(state)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def play_game(self, *players: Strategy) -> float:
        """Let players move in turn, print the final state, and return its utility for the player who began.

        Raise IllegalMove.
        """
        state = self.initial
        while True:
            for strategy in players:
                state = make_move(self, state, strategy(self, state))
                if self.terminal_test(state):
                    self.display(state)
                    return self.utility(state, self.to_move(self.initial))


class TicTacToe(Game):
    """h rows and v columns, k in a row; X (the first player) is Max. Moves are (row, column), from 1.

    variants: those of the rules, such as `misere=True`. A state may be made by hand. Raise RulesError.

    >>> game = TicTacToe()
    >>> state = game.result(game.initial, (2, 2))
    >>> state.to_move, state.utility, state.board, len(state.moves)
    ('O', 0, {(2, 2): 'X'}, 8)
    """

    initial: GameState

    def __init__(self, h: int = 3, v: int = 3, k: int = 3, **variants: bool) -> None:
        self.rules = parse_game(",".join([f"{h},{v},{k}", *(name for name, given in variants.items() if given)]))
        self.h, self.v, self.k = h, v, k
        self.initial = GameState("X", 0, {}, self._list_free({}))

    def actions(self, state: GameState) -> list[Move]:
        """Return the free squares; under gravity the lowest of each column."""
        return state.moves

    def result(self, state: GameState, move: Move) -> GameState:
        """Return the state after a move, or the same state if the move is illegal."""
        if move not in self.actions(state) or self.terminal_test(state):
            return state
        board = {**state.board, move: state.to_move}
        free = self._list_free(board) if self.rules.gravity else [other for other in state.moves if other != move]
        return GameState(
            "O" if state.to_move == "X" else "X", self.compute_utility(board, move, state.to_move), board, free
        )

    def utility(self, state: GameState, player: str) -> int:
        """Return the value of a final state for a player: 1, 0 or -1."""
        return state.utility if player == "X" else -state.utility

    def terminal_test(self, state: GameState) -> bool:
        """Return whether the game is won or no square is free."""
        return state.utility != 0 or len(state.moves) == 0

    def display(self, state: GameState) -> None:
        """Print the board, a line for each row."""
        for row in range(1, self.h + 1):
            print(*[state.board.get((row, column), ".") for column in range(1, self.v + 1)], "")

    def compute_utility(self, board: Mapping[Move, str], move: Move, player: str) -> int:
        """Return 1 if X has won by this move of the player, -1 if O has, else 0."""
        through = self.rules.x_lines_through[self.square(move)]
        if not completed(through, self._stones(board, player)):
            return 0
        return 1 if (player == "X") != self.rules.misere else -1

    def k_in_row(self, board: Mapping[Move, str], move: Move, player: str, delta_x_y: Move) -> bool:
        """Return whether a player has k in a row through a square in one direction, without variants."""
        run = -1  # the square itself is counted in both directions
        for sign in (1, -1):
            row, column = move
            while board.get((row, column)) == player:
                run, row, column = run + 1, row + sign * delta_x_y[0], column + sign * delta_x_y[1]
        return run >= self.k

    def square(self, move: Move) -> int:
        """Return the number of a square, from 0, row by row."""
        return (move[0] - 1) * self.v + move[1] - 1

    def move(self, square: int) -> Move:
        """Return the row and column of a square, from 1."""
        return square // self.v + 1, square % self.v + 1

    def position(self, state: GameState) -> Position:
        """Return the position of a state, for engines; X in it is the side that began.

        Raise ImpossiblePosition if the state cannot arise in play.
        """
        x, o = (self._stones(state.board, player) for player in "XO")
        return turn(self.rules, *own_and_other(x, o, state.to_move))

    def state(self, position: Position) -> GameState:
        """Return the state of a position."""
        board = {self.move(s): cell for s, cell in enumerate(position.cells) if cell != "."}
        utility = {"X": 1, "O": -1}.get(position.outcome or "", 0)
        return GameState(position.to_move, utility, board, self._list_free(board))

    def _stones(self, board: Mapping[Move, str], player: str) -> int:
        return mask_of(self.square(move) for move, stone in board.items() if stone == player)

    def _list_free(self, board: Mapping[Move, str]) -> list[Move]:
        supports = self.rules.supports
        return [
            self.move(square)
            for square in range(self.rules.squares)
            if self.move(square) not in board and (supports[square] < 0 or self.move(supports[square]) in board)
        ]


def make_move(game: Game, state: Any, move: Any) -> Any:
    """Return the state after a move. Raise IllegalMove if `result` would not change the state."""
    moves = list(game.actions(state))
    if move not in moves and (moves or move is not None):
        raise IllegalMove(f"The player {game.to_move(state)} made the move {move}, which is not allowed in {game!r}.")
    return game.result(state, move)


def play_game(game: Game, strategies: Mapping[Any, Strategy], verbose: bool = False) -> Any:
    """Play a game between strategies by player, `{"X": ..., "O": ...}`, and return the final state.

    verbose: print every move and state, and the result. Raise IllegalMove.
    """
    state = game.initial
    while not game.terminal_test(state):
        mover = game.to_move(state)
        move = strategies[mover](game, state)
        state = make_move(game, state, move)
        if verbose:
            print("Player", mover, "move:", move)
            print("current state:")
            game.display(state)
    if verbose:
        utility = game.utility(state, "X")
        print("Player X win the game!" if utility > 0 else "Player O win the game!" if utility < 0 else "Draw Game!")
    return state


# Searches


def minimax_search(game: Game, state: Any) -> tuple[float, Any]:
    """Return the value of a state for the player to move, and the first best move, by plain minimax.

    For `TicTacToe` itself a compiled walk is hundreds of times faster; it raises EngineError if the tree is too large.
    """
    if type(game) is TicTacToe and not game.terminal_test(state):
        with suppress(PositionError):  # a state made by hand may be impossible in play
            values = walk_moves(game.position(state)).values
            best = max(game.actions(state), key=lambda move: values[game.square(move)])
            return values[game.square(best)], best
    return _search(game, state, prune=False)


def alphabeta_search(game: Game, state: Any) -> tuple[float, Any]:
    """Return the value and the move of `minimax_search`, by alpha-beta search."""
    return _search(game, state, prune=True)


def _search(game: Game, state: Any, *, prune: bool) -> tuple[float, Any]:
    player = game.to_move(state)

    def value(state: Any, alpha: float, beta: float) -> tuple[float, Any]:
        """Return the value for the player, and the first move that reaches it."""
        if game.terminal_test(state):
            return game.utility(state, player), None
        maximise = game.to_move(state) == player
        best, choice = (-inf if maximise else inf), None
        for move in game.actions(state):
            found, _ = value(game.result(state, move), alpha, beta)
            if found > best if maximise else found < best:
                best, choice = found, move
            if maximise:
                alpha = max(alpha, best)
            else:
                beta = min(beta, best)
            if prune and alpha >= beta:
                break
        return best, choice

    return value(state, -inf, inf)


def _time_search(name: str, strategy: Strategy, game: Game, state: Any) -> Any:
    began = perf_counter()
    move = strategy(game, state)
    print(f"Elapsed time for {name} algorithm: {(perf_counter() - began) * 1e6:.0f} microseconds.")
    return move


def minmax_decision(state: Any, game: Game) -> Any:
    """Return the move of `minimax_search` and print the time it took."""
    return _time_search("minimax search", player(minimax_search), game, state)


def alpha_beta_search(state: Any, game: Game) -> Any:
    """Return the move of `alphabeta_search` and print the time it took."""
    return _time_search("alpha-beta pruning", player(alphabeta_search), game, state)


def monte_carlo_tree_search(state: GameState, game: TicTacToe, N: int = 1000) -> Move:  # noqa: N803 - AIMA calls it N
    """Return the move of Monte Carlo tree search with N playouts and print the time it took. Raise EngineError."""
    move: Move = _time_search("monte carlo tree search", engine_player(f"mcts:playouts={N}"), game, state)
    return move


# Players


def player(search: Callable[[Game, Any], tuple[float, Any]]) -> Strategy:
    """Return a player that plays the move of a search, which returns (value, move)."""
    return lambda game, state: search(game, state)[1]


def engine_player(text: str, tables: Tables = None) -> Strategy:
    """Return a player of `TicTacToe` that plays the moves of an engine, such as `alphabeta:cutoff=4`.

    tables: for engines that need them. Raise EngineError for a bad name or option; the player raises it for another
    `Game`.
    """
    read_engine(text)
    engines: dict[Rules, Engine] = {}

    def strategy(game: Game, state: GameState) -> Move:
        if not isinstance(game, TicTacToe):
            raise EngineError(f"The engine {text} plays TicTacToe and its subclasses, not {game!r}.")
        if game.rules not in engines:
            engines[game.rules] = make_engine(text, game.rules, tables=tables)
        return game.move(engines[game.rules].choose(game.position(state)).move)

    return strategy


def random_player(game: Game, state: Any) -> Any:
    """Return a random legal move; None if there is no legal move."""
    moves = list(game.actions(state))
    return random.choice(moves) if moves else None


def min_max_player(game: Game, state: Any) -> Any:
    """Play the move of `minmax_decision`."""
    return minmax_decision(state, game)


def alpha_beta_player(game: Game, state: Any) -> Any:
    """Play the move of `alpha_beta_search`."""
    return alpha_beta_search(state, game)


def mcts_player(game: TicTacToe, state: GameState) -> Move:
    """Play the move of `monte_carlo_tree_search` with 1000 playouts."""
    return monte_carlo_tree_search(state, game)


def query_player(game: Game, state: Any) -> Any:
    """Ask the person at the terminal for a legal move in Python notation, such as `(1, 2)`, and return it."""
    print("current state:")
    game.display(state)
    moves = list(game.actions(state))
    print(f"available moves: {moves}\n")
    if not moves:
        print("no legal moves: passing turn to next player")
        return None
    while True:
        written = input("Your move? ")
        try:
            move = literal_eval(written)
        except (ValueError, SyntaxError):
            move = written
        if move in moves:
            return move
        print(f"{written} is not among the available moves.")
