"""Get moves from engines of this package (`alphabeta:cutoff=2`) or of OpenSpiel (`openspiel:mcts,simulations=9`).

OpenSpiel's game is `connect_four` with gravity, `tic_tac_toe` for 3,3,3, and otherwise `mnk`. `openspiel:minimax`
searches the whole tree; `openspiel:mcts` takes `simulations`, `uct_c` and `seed`; any other name is a registered bot.
"""

from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from solver.engines.engine import make_engine
from solver.errors import IllegalMove
from solver.game.notation import square_name
from solver.game.position import Position
from solver.support.english import join_names
from solver.verification.host import read_rules

Chooser = Callable[[Any], tuple[int, float | None]]


def open_ours(setup: dict[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """Return a function that gets moves from the engine, which is restarted with each request's seed."""
    rules = read_rules(setup["game"])
    engine = make_engine(setup["argument"], rules, tables=setup["data"])

    def ask(request: dict[str, Any]) -> dict[str, Any]:
        engine.new_game(request["seed"])
        choice = engine.choose(Position.parse(rules, request["board"]))
        return {"move": square_name(rules, choice.move), "value": choice.value}

    return ask


def open_openspiel(setup: dict[str, Any]) -> Callable[[dict[str, Any]], Any]:
    """Return a function that gets moves from the bot. Raises LookupError if OpenSpiel has no such bot or game."""
    game, (name, *words) = setup["game"], (part.strip() for part in setup["argument"].split(","))
    given = dict(word.partition("=")[::2] for word in words)
    rules = read_rules(game)
    if rules.rectangle is None or {*rules.variants} - {"gravity"}:
        raise LookupError(
            f"OpenSpiel has no game with the rules of {rules}; choose k in a row, with gravity or without"
        )
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        raise LookupError("OpenSpiel is missing; install it with `pip install 'mnk-tablebase[openspiel]'`") from None
    m, n, k, *_ = rules.rectangle
    title = f"mnk(m={n},n={m},k={k})" if (m, n, k) != (3, 3, 3) else "tic_tac_toe"
    spiel = pyspiel.load_game(f"connect_four(rows={m},columns={n},x_in_row={k})" if rules.gravity else title)
    choose = _make_chooser(pyspiel, spiel, name, given)

    def ask(request: dict[str, Any]) -> dict[str, Any]:
        position, state = Position.parse(rules, request["board"]), spiel.new_initial_state()
        for square in _find_moves_to(position):
            state.apply_action(square % n if rules.gravity else square)
        action, value = choose(state)
        square = next((one for one in position.legal_moves if one % n == action), -1) if rules.gravity else action
        return {"move": square, "value": value}

    return ask


def _find_moves_to(position: Position) -> list[int]:
    moves: list[int] = []
    while position.ply:
        for square in range(position.rules.squares):
            with suppress(IllegalMove):
                position = position.undo(square)
                moves.insert(0, square)
                break
    return moves


def _make_chooser(pyspiel: Any, game: Any, name: str, given: dict[str, str]) -> Chooser:
    options: dict[str, list[str]] = {"minimax": [], "mcts": ["simulations", "uct_c", "seed"]}
    if name in options and (unknown := {*given}.difference(options[name])):
        known = join_names(options[name], "and") if options[name] else "none"
        raise LookupError(f"openspiel:{name} has no option {min(unknown)}; it has {known}")
    if name == "mcts":
        return _make_mcts(game, given)
    if name == "minimax":
        search: Any = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search
        plies = game.max_game_length()
        return lambda state: search(
            game, state=state, maximizing_player_id=state.current_player(), maximum_depth=plies
        )[::-1]
    if name not in pyspiel.registered_bots():
        raise LookupError(
            f"OpenSpiel has no bot {name}; choose one of {', '.join([*options, *pyspiel.registered_bots()])}"
        )
    bots = [pyspiel.load_bot(name, game, player, given) for player in range(2)]
    return lambda state: (bots[state.current_player()].step(state), None)


def _make_mcts(game: Any, given: dict[str, str]) -> Chooser:
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    numpy: Any = import_module("numpy")

    def choose(state: Any) -> tuple[int, float | None]:
        # A new bot with the same seed for every request, so that each request can be repeated alone.
        chance = numpy.random.RandomState(int(given.get("seed", 0)))
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        simulations, uct_c = int(given.get("simulations", 1000)), float(given.get("uct_c", 2))
        bot = mcts.MCTSBot(game, uct_c, simulations, evaluator, random_state=chance)
        return bot.step(state), None

    return choose
