"""Ask bots of OpenSpiel, where it is installed: `openspiel:minimax`, `openspiel:mcts,simulations=9`, `openspiel:NAME`.

The game is OpenSpiel's `mnk`, whose m is columns and n rows, `tic_tac_toe` for 3,3,3, and with gravity `connect_four`.
`minimax` searches the whole tree (alpha_beta_search); `mcts` takes `simulations`, `uct_c` and `seed`; any other name is
a bot it has registered.
"""

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import Any

from solver.errors import EngineError, RulesError, missing_extra, quoted
from solver.game.rules import Rules, require_rectangle
from solver.verification.adapters.chance import make_seed
from solver.verification.adapters.own_moves import order_moves
from solver.verification.adapters.pooled import PooledEngine
from solver.verification.adapters.python_engine import call_engine
from solver.verification.adapters.questions import Question, QuestionRunner
from solver.verification.contract import AskOptions, EngineUnderTest
from solver.verification.conventions.convention import Convention, Reply
from solver.verification.conventions.move_formats import COLUMN, INDEX, MOVE_AND_VALUE, ReplyFormat

Chooser = Callable[[Any], tuple[int, float | None]]


def open_openspiel(spec: object, rules: Rules, options: AskOptions) -> EngineUnderTest:
    """Open a bot; raises EngineError when there is no such bot, RulesError when OpenSpiel has no such game."""
    if missing := [variant for variant in rules.variants if variant != "gravity"]:
        raise RulesError(f"OpenSpiel has no game with the rules of {rules}; leave out {', '.join(missing)}.")
    require_rectangle(rules, "OpenSpiel")
    text, actions = str(spec).strip(), "columns" if rules.gravity else "row by row"
    convention = f"an OpenSpiel state after an order of moves; moves as its actions, {actions} from 0"
    make = partial(_Bot, text.partition(":")[2], options.seed)
    asked_by = Convention(reply=ReplyFormat(MOVE_AND_VALUE, COLUMN if rules.gravity else INDEX))
    return PooledEngine(text, make, rules, options, convention=convention, asked_by=asked_by)


class _Bot(QuestionRunner):
    def __init__(self, text: str, seed: int, rules: Rules) -> None:
        super().__init__(rules)
        name, *options = (part.strip() for part in text.split(","))
        given = dict(option.partition("=")[::2] for option in options)
        try:
            pyspiel: Any = import_module("pyspiel")
        except ImportError as error:
            raise missing_extra("OpenSpiel", "openspiel") from error
        self._game, self._seed = pyspiel.load_game(_name_game(rules)), seed
        self._choose = _make_chooser(pyspiel, self._game, name, given)

    def reply(self, question: Question) -> Reply:
        """Play the position in OpenSpiel, and ask there."""
        position = question.position
        state = self._game.new_initial_state()
        for square in order_moves(position):
            state.apply_action(square % position.rules.diagram.columns if position.rules.gravity else square)
        return call_engine(partial(self._choose, state), make_seed(self._seed, position, question.attempt))


def _name_game(rules: Rules) -> str:
    """Return the name and parameters of the game in OpenSpiel."""
    m, n, k, *_ = require_rectangle(rules, "OpenSpiel")
    if rules.gravity:
        return f"connect_four(rows={m},columns={n},x_in_row={k})"
    return "tic_tac_toe" if (m, n, k) == (3, 3, 3) else f"mnk(m={n},n={m},k={k})"


def _make_chooser(pyspiel: Any, game: Any, name: str, given: dict[str, str]) -> Chooser:
    makers = {"minimax": _minimax, "mcts": _mcts}
    if name in makers:
        return makers[name](game, given)
    if name not in pyspiel.registered_bots():
        known = ", ".join([*makers, *pyspiel.registered_bots()])
        raise EngineError(f"OpenSpiel has no bot {quoted(name)}; choose one of {known}.")
    bots = [pyspiel.load_bot(name, game, player, given) for player in range(2)]
    return lambda state: (bots[state.current_player()].step(state), None)


def _minimax(game: Any, given: dict[str, str]) -> Chooser:
    """Make its alpha-beta search to the end of the game."""
    if given:
        raise EngineError(f"openspiel:minimax has no option {quoted(next(iter(given)))}; leave it out.")
    search: Any = import_module("open_spiel.python.algorithms.minimax").alpha_beta_search

    def choose(state: Any) -> tuple[int, float | None]:
        player = state.current_player()
        value, move = search(game, state=state, maximizing_player_id=player, maximum_depth=game.max_game_length())
        return move, value

    return choose


def _mcts(game: Any, given: dict[str, str]) -> Chooser:
    """Make its Monte Carlo tree search with random playouts; options: simulations, exploration (`uct_c`), seed."""
    unknown = {*given} - {"simulations", "uct_c", "seed"}
    if unknown:
        raise EngineError(f"openspiel:mcts has no option {quoted(min(unknown))}; it has simulations, uct_c and seed.")
    mcts: Any = import_module("open_spiel.python.algorithms.mcts")
    numpy: Any = import_module("numpy")

    def choose(state: Any) -> tuple[int, float | None]:
        # A new bot with the same seed for every question, so that each can be asked again by itself.
        chance = numpy.random.RandomState(int(given.get("seed", 0)))
        evaluator = mcts.RandomRolloutEvaluator(1, chance)
        simulations, uct_c = int(given.get("simulations", 1000)), float(given.get("uct_c", 2))
        bot = mcts.MCTSBot(game, uct_c, simulations, evaluator, random_state=chance)
        return bot.step(state), None

    return choose
