"""The game classes: TicTacToe(h, v, k), its states and players, and games between them.

The notebook prints no figures: theirs is what its code returns. Of its players minimax and alpha-beta are
deterministic, and draw against each other.
"""

from contextlib import redirect_stdout
from dataclasses import replace
from io import StringIO

from solver.course.aima import GameState, TicTacToe, alphabeta_player, engine_player, minimax_player, play_game
from solver.course.experiments import Row


def run() -> list[Row]:
    """Check the states, and play deterministic games."""
    game = TicTacToe()
    start, centre = game.initial, game.result(game.initial, (2, 2))
    rows = [
        Row("moves at the start", 9, len(game.actions(start))),
        Row("moves after one", 8, len(game.actions(centre))),
        Row("to move after one", "O", game.to_move(centre)),
        Row("an illegal move changes nothing", "yes", "yes" if game.result(centre, (2, 2)) is centre else "no"),
        Row("utility of three in a row for X", 1, _three_in_a_row(game).utility),
        Row("the same for player O", -1, game.utility(_three_in_a_row(game), "O")),
    ]
    rows = [replace(row, note="not printed there; by its code") for row in rows]
    players = {"minimax": minimax_player, "alpha-beta": alphabeta_player, "mcts": engine_player("mcts:seed=4")}
    for first, second in [("minimax", "alpha-beta"), ("alpha-beta", "minimax"), ("alpha-beta", "mcts")]:
        with redirect_stdout(StringIO()):
            end = play_game(game, {"X": players[first], "O": players[second]})
        known = "mcts" not in {first, second}
        rows.append(Row(f"{first} against {second}: utility", 0 if known else None, end.utility, exact=known))
    return rows


def _three_in_a_row(game: TicTacToe) -> GameState:
    state = game.initial
    for move in [(1, 1), (2, 1), (1, 2), (2, 2), (1, 3)]:
        state = game.result(state, move)
    return state
