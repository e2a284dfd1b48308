"""The tables as GamesCrafters' Universal Web API (UWAPI) has them, for its clients, GamesmanUni among them.

A game there is a size with its variants: `3,3,3` has `regular`, `misere` and so on. A position is `1_xo--x----`:
whose turn it is, 1 or 2, then the squares row by row. A draw on a full board is a `tie`, a remoteness is our
distance. (https://github.com/GamesCrafters/GamesCraftersUWAPI, README, Routes.)
"""

from collections.abc import Sequence
from itertools import groupby

from solver.errors import NotationError, quoted
from solver.game.position import Position
from solver.game.rules import Rules
from solver.game.squares import square_name
from solver.game.value import Value
from solver.support.schemas import JsonObject
from solver.tablebase import Tablebase

__all__ = ["game_view", "games_view", "instructions_view", "position_view", "read_position", "rules_of", "variant_view"]

REGULAR = "regular"
UNKNOWN = -100  # UWAPI's remoteness where there is a finite one that is not known
_VALUES = {1: "win", 0: "tie", -1: "lose"}
_GUI = "v2"  # boards drawn from images, of which the client has its own


def rules_of(game: str, variant: str) -> Rules:
    """The rules of a variant of a game, by their names here. Raises RulesError."""
    return Rules.parse(game if variant == REGULAR else f"{game},{variant}")


def games_view(games: Sequence[Rules]) -> list[JsonObject]:
    """Every game that has a table, whatever the variant; those of one size stand together."""
    sizes = [name for name, _ in groupby(games, _size)]
    return [{"id": name, "name": _title(name), "type": "twoPlayer", "gui": _GUI} for name in dict.fromkeys(sizes)]


def game_view(game: Rules, games: Sequence[Rules]) -> JsonObject:
    """One game, with those of its variants that have a table."""
    name = _size(game)
    return {
        "id": name,
        "name": _title(name),
        "allowCustomVariantCreation": False,
        "supportsWinBy": False,
        "variants": [
            {"id": _variant(rules), "name": _variant(rules), "gui": _GUI} for rules in games if _size(rules) == name
        ],
    }


def variant_view(rules: Rules) -> JsonObject:
    """One variant: where it begins, and how its board is drawn (one unit a square, in images of the client)."""
    start = _text(Position.start(rules))
    centres = [[column + 0.5, row + 0.5] for row in range(rules.m) for column in range(rules.n)]
    images = {"x": "general/blackpiece.svg", "o": "general/whitepiece.svg"}
    theme = {
        "space": [rules.n, rules.m],
        "centers": centres,
        "charImages": {stone: {"image": image, "scale": 0.8} for stone, image in images.items()},
        "circleButtonRadius": 0.2,
    }
    return {
        "id": _variant(rules),
        "name": _variant(rules),
        "gui": _GUI,
        "startPosition": start,
        "autoguiStartPosition": start,
        "imageAutoGUIData": {"defaultTheme": "stones", "themes": {"stones": theme}},
    }


def position_view(table: Tablebase, position: Position) -> JsonObject:
    """A position, and its moves from best to worst."""
    moves = table.moves(position)
    best: dict[int, int] = {}  # the remoteness after the best move of each value
    for _, value in moves:
        best.setdefault(value.wdl, _remoteness(value))
    return {
        **_reached(position, table.probe(position)),
        "moves": [
            {
                "move": square_name(position.rules, square),
                "autoguiMove": f"A_-_{square}_-",
                "moveValue": _VALUES[value.wdl],
                "deltaRemoteness": abs(_remoteness(value) - best[value.wdl]),
                **_reached(position.play(square), table.probe(position.play(square))),
            }
            for square, value in moves
        ],
    }


def instructions_view(rules: Rules) -> JsonObject:
    """The rules in words, as Markdown."""
    return {"instructions": f"# {rules.name}\n\n{rules.describe()}. X, the first player, moves first."}


def read_position(rules: Rules, text: str) -> Position:
    """The position of `1_xo--x----`, or of any text that other requests take.

    Raises NotationError (also for the wrong turn), ImpossiblePosition, IllegalMove.
    """
    turn, mark, board = text.partition("_")
    if not mark or turn not in {"1", "2"}:
        return Position.parse(rules, text)
    position = Position.parse(rules, board)
    if _text(position)[0] != turn:
        raise NotationError(f"It is not the turn of player {turn} in {quoted(text)}; X, player 1, moves first.")
    return position


def _reached(position: Position, value: Value) -> JsonObject:
    text = _text(position)
    return {
        "position": text,
        "autoguiPosition": text,
        "positionValue": _VALUES[value.wdl],
        "remoteness": _remoteness(value),
    }


def _text(position: Position) -> str:
    turn = 1 if position.to_move == "X" else 2
    return f"{turn}_{''.join(position.cells).lower().replace('.', '-')}"


def _remoteness(value: Value) -> int:
    return UNKNOWN if value.distance is None else value.distance


def _size(rules: Rules) -> str:
    return f"{rules.m},{rules.n},{rules.k}"


def _variant(rules: Rules) -> str:
    return ",".join(rules.variants) or REGULAR


def _title(size: str) -> str:
    return Rules.parse(size).describe()
