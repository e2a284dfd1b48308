"""Tell what a function is called with by the names of its parameters."""

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from solver.errors import EngineError
from solver.verification.conventions.board_formats import BoardFormat, Marks
from solver.verification.conventions.convention import Argument
from solver.verification.outline import list_self_calls

_NAMES: Final = {
    "board": "board state grid position pos cells squares table field matrix node b s gameboard currentboard obs "
    "observation gamestate boardstate currentstate tablero tabuleiro plateau grille brett spielfeld griglia scacchiera",
    "player": "player mark symbol turn piece side me color colour letter who currentplayer tomove active p token sign "
    "computer ai mymark mysymbol playermark playersymbol playerturn role own aimark aiplayer aipiece aisymbol "
    "ailetter computerletter computermark computersymbol computerplayer computerpiece currentmark currentsymbol "
    "myletter mypiece marker playerid playerletter playerpiece jugador joueur jogador spieler giocatore",
    "opponent": "opponent opp other enemy them human opponentmark humanmark humanplayer humanpiece "
    "humansymbol humanletter opponentsymbol opponentletter opponentpiece opponentplayer enemymark otherplayer",
    "maximizing": "maximizing maximizingplayer ismaximizing ismaximizingplayer ismax maximize maximise maxplayer "
    "maximisingplayer ismaximising",
    "game": "game env environment problem",
    "config": "config configuration conf",
    "depth": "depth maxdepth depthleft remaining",
    "alpha": "alpha",
    "beta": "beta",
    "legal": "moves actions legalmoves legalactions availablemoves available legal possiblemoves validmoves "
    "emptysquares emptycells positions availablepositions freepositions",
    "mask": "mask actionmask legalmask",
    "m": "m rows height nrows size boardsize dimension numrows",
    "n": "n cols columns width ncols numcols numcolumns",
    "k": "k inarow inrow connect towin winlength winsequence winsize winlen ninrow tilestowin",
    "rules": "rules",
    "setting": "difficulty level mode difficultylevel gamemode",
    "name": "name label nickname username playername",
    "screen": "screen window win surface canvas display gui ui root clock font",
}
_KINDS: Final = {name: kind for kind, names in _NAMES.items() for name in names.split()}
_EVEN_IF_OPTIONAL: Final = ("player", "mask", "config")
_SIZES: Final = ("m", "n", "k")
_GUESSES: Final = ("board", "player")  # the kinds of parameters of unknown names, in this order


def read_parameters(
    function: Callable[..., Any],
    known: Mapping[str, str] | None = None,
    *,
    is_method: bool = False,
    sizes: bool = False,
) -> tuple[Argument, ...]:
    """Return the arguments to call a function with; raises EngineError when it asks for one that we can't give.

    known: the kinds of parameters that are known already, by their names. is_method: leave the first parameter out.
    sizes: give the size of the board even where that is optional.
    """
    known = known or {}
    try:
        parameters = [*inspect.signature(function).parameters.values()][is_method:]
    except (TypeError, ValueError):  # compiled functions may not tell
        return (Argument("board"),)
    kinds = {known.get(p.name) or kind_of(p.name) for p in parameters}
    guesses = [
        guess
        for guess in _GUESSES
        if guess not in kinds and (guess != "board" or not {"own board", "first board"} & kinds)
    ]
    arguments: list[Argument] = []
    for p in parameters:
        kind = known.get(p.name) or kind_of(p.name)
        if p.kind is p.VAR_KEYWORD:
            continue
        if p.kind is p.VAR_POSITIONAL:
            kind = None if arguments else "board"
        elif kind in {None, "setting"} and p.default is p.empty:
            if not guesses or kind == "setting":  # which a user has to say
                raise EngineError(
                    f"The function {getattr(function, '__name__', function)} asks for {p.name!r}, which we can't give; "
                    f"say it with --arg {p.name}=VALUE, or wrap it in a function of a board and a player."
                )
            kind = guesses.pop(0)
        wanted = p.name in known or kind in _EVEN_IF_OPTIONAL or (kind == "board" and not arguments)
        if kind and (p.default is p.empty or wanted or (sizes and kind in _SIZES)):
            by_name = p.kind is p.KEYWORD_ONLY or p.default is not p.empty
            arguments.append(Argument(kind, p.name, by_name))
    return tuple(arguments)


def find_flags(function: ast.AST | None) -> frozenset[str]:
    """Return the parameters of a search that it gives True and False when it calls itself: whose turn it is to gain."""
    if not isinstance(function, ast.FunctionDef):
        return frozenset()
    names = [one.arg for one in function.args.args]
    given: dict[str, set[object]] = {}
    for call in list_self_calls(function):
        places = names[isinstance(call.func, ast.Attribute) :]  # a method is given itself
        for name, value in zip(places, call.args, strict=False):
            given.setdefault(name, set()).add(value.value if isinstance(value, ast.Constant) else value)
    return frozenset(
        name for name, values in given.items() if values == {True, False} and {*map(type, values)} == {bool}
    )


def kind_of(name: str) -> str | None:
    """Return the kind of value that a parameter of this name takes, or None."""
    return _KINDS.get(re.sub(r"[^a-z]", "", name.lower()))


@dataclass(frozen=True)
class Signature:
    """Facts about an engine that is loaded and has not been asked yet."""

    arguments: tuple[Argument, ...]
    """The arguments it is called with."""
    made_with: tuple[Argument, ...] = ()
    """The arguments that its class is made with."""
    source: str = ""
    """The text of its module."""
    line: int = 0
    """The line in which it begins there; 0 if that is not known."""
    start: Any = None
    """The board that its file begins a game with, plain, if it has one."""
    board: BoardFormat | None = None
    """The board that its class asks for, if it is known."""
    helpers: tuple[str, ...] = ()
    """The kinds of its helper functions (`solver.verification.helpers`)."""
    marks: tuple[Marks, ...] = ()
    """The marks that its own board can have, the likeliest first; () for any."""
    notes: tuple[str, ...] = ()
    """Remarks for a person on how it was loaded and what was taken for the engine."""

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of values that it is called with."""
        return frozenset(argument.kind for argument in self.arguments)
