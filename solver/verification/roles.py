"""What the parameters of an engine's function are for, told by their names."""

import inspect
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from solver.errors import EngineError

__all__ = ["Role", "roles_of"]

_NAMES: Final = {
    "board": "board state grid position pos cells squares table field matrix node b s gameboard currentboard obs "
    "observation gamestate boardstate currentstate",
    "player": "player mark symbol turn piece side me color colour letter who currentplayer tomove active p token sign "
    "computer ai mymark mysymbol playermark playersymbol playerturn role own",
    "opponent": "opponent opp other enemy them human opponentmark",
    "maximizing": "maximizing maximizingplayer ismaximizing ismaximizingplayer ismax maximize maximise maxplayer "
    "maximisingplayer ismaximising",
    "game": "game env environment problem",
    "config": "config configuration conf",
    "depth": "depth maxdepth depthleft remaining",
    "alpha": "alpha",
    "beta": "beta",
    "legal": "moves actions legalmoves legalactions availablemoves available legal possiblemoves validmoves "
    "emptysquares emptycells",
    "mask": "mask actionmask legalmask",
    "m": "m rows height nrows",
    "n": "n cols columns width ncols",
    "k": "k inarow inrow connect towin",
    "rules": "rules",
}
_ROLES: Final = {name: role for role, names in _NAMES.items() for name in names.split()}
_EVEN_IF_OPTIONAL: Final = ("player", "mask", "config")
_GUESSES: Final = ("board", "player")  # what parameters of unknown names are, in this order


@dataclass(frozen=True)
class Role:
    """What one argument is, and the keyword it is passed by, None for its place."""

    what: str
    keyword: str | None = None
    parameter: str = ""


def roles_of(function: Callable[..., Any]) -> tuple[Role, ...]:
    """The arguments a function is called with; raises EngineError when it asks for one that we can't give."""
    try:
        parameters = [*inspect.signature(function).parameters.values()]
    except (TypeError, ValueError):  # compiled functions may not tell
        return (Role("board"),)
    told = {_ROLES.get(_normal(p.name)) for p in parameters}
    guesses = [guess for guess in _GUESSES if guess not in told]
    roles: list[Role] = []
    for p in parameters:
        what = _ROLES.get(_normal(p.name))
        if p.kind is p.VAR_KEYWORD:
            continue
        if p.kind is p.VAR_POSITIONAL:
            what = None if roles else "board"
        elif what is None and p.default is p.empty:
            if not guesses:
                raise EngineError(
                    f"The function {getattr(function, '__name__', function)} asks for {p.name!r}, which we can't give; "
                    "wrap it in a function of a board, or of a board and a player."
                )
            what = guesses.pop(0)
        if what and (p.default is p.empty or what in _EVEN_IF_OPTIONAL or (what == "board" and not roles)):
            by_name = p.kind is p.KEYWORD_ONLY or p.default is not p.empty
            roles.append(Role(what, p.name if by_name else None, p.name))
    return tuple(roles)


def _normal(name: str) -> str:
    return re.sub(r"[^a-z]", "", name.lower())
