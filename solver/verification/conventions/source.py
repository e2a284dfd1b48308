"""Read an engine's source for what it says of its convention: signs, whose they are, whether it counts stones.

Only what the engine reaches from the place where it is defined counts, as far as names tell. Nothing is run.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from solver.verification.conventions.parameters import find_flags, kind_of
from solver.verification.outline import UNKNOWN, Function, called_name, constant_of, names_in

_ROLES: Final = {
    "X": "x playerx xplayer cross crosses player1 p1 playerone first firstplayer",
    "O": "o playero oplayer nought noughts circle circles player2 p2 playertwo second secondplayer",
    "empty": "empty blank emptycell emptysquare free vacant none e",
    "own": "ai aiplayer computer computerplayer comp cpu bot agent machine me my player",
    "other": "human humanplayer hu huplayer person user opponent opp enemy you them adversary",
}
_TURNS: Final = {
    "player", "turn", "tomove", "currentplayer", "getplayer", "nextplayer", "playertomove", "sidetomove", "whoseturn",
    "currentturn", "getturn", "getcurrentplayer", "nexttomove", "mover", "whomoves",
}  # fmt: skip
_SUFFIX: Final = re.compile(r"_?(?:mark|symbol|sign|letter|token|piece|stone|char)$|_")
_OWN_WORDS: Final = re.compile(
    r"\b(?:own|mine|my|itself|its|me|ours?|current player|(?:side|player) to move|mover)\b", re.IGNORECASE
)
_STONES: Final = re.compile(r"\b(?:stones?|pieces?|marks?|discs?|tokens?|squares?|cells?|planes?)\b", re.IGNORECASE)
_SUBJECTS: Final = re.compile(rf"{_STONES.pattern}|\b(?:boards?|grid|array|players?|signs?|letters?)\b", re.IGNORECASE)
_PLACING: Final = re.compile(r"drop|place|put|play|insert|mark|make_?move|do_?move|select", re.IGNORECASE)
_WORTH: Final = re.compile(r"\b(?:wins?|values?|scores?|returns?|loss|loses?|utility|worth|rewards?)\b", re.IGNORECASE)

Sign = str | int | float | None
_EMPTY: Final = (" ", None, "", ".", "_", "-", 0, "0", UNKNOWN)  # what a square may hold that is no stone


@dataclass(frozen=True)
class Evidence:
    """What a source says."""

    signs: frozenset[str] = frozenset()
    """The constants, as `repr` writes them, that squares or players are compared with or made of."""
    texts: frozenset[str] = frozenset()
    """All constants that are text, and the signs that comments and docstrings name: lesser hints."""
    roles: Mapping[str, tuple[str, Sign]] = field(default_factory=dict)
    """The names and values of the constants for `X`, `O`, `empty`, its `own` side and the `other`."""
    names: frozenset[str] = frozenset()
    """The functions and classes of the file."""
    has_turn: bool = False
    """True if it tells from the board whose turn it is."""
    own_sign: int | None = None
    """The number that its words give to its own stones, whoever began."""
    maximizer: tuple[Sign, ...] = ()
    """The one sign that it places where a `maximizing` parameter is true, if that is told."""
    player_signs: frozenset[str] = frozenset()
    """The constants that a parameter which names the player is compared with."""

    def count_missing(self, *signs: object) -> tuple[int, int]:
        """Return how many of these are not among its signs, and how many not among its texts either.

        The first two are those of the sides, of which one alone in a text, such as a 0, tells nothing.
        """
        missing = [sign not in self.signs for sign in map(repr, signs)]
        unsaid = [gone and sign not in self.texts for gone, sign in zip(missing, map(repr, signs), strict=True)]
        return sum(missing), sum(unsaid[2:]) + (2 if any(unsaid[:2]) else 0)


def read_source(text: str, line: int = 0) -> Evidence:
    """Read the source of a module, for the function or class that begins in a line (0: all of it)."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Evidence()
    nodes = [*_reach(tree, line)]
    values = _read_bindings(nodes)
    everything = [node for top in nodes for node in ast.walk(top)]
    reader = _Reader({name: value for name, value in values.items() if value is not UNKNOWN}, tree)
    for node in everything:
        reader.note_cells(node)
    for node in everything:
        reader.read(node)
    roles = reader.find_roles()
    said = _read_words(text, [*dict.fromkeys([tree, *nodes])])
    texts = [repr(value) for node in everything if isinstance(value := reader.value(node), str)]
    return Evidence(
        signs=frozenset(map(repr, (*reader.signs, *(value for _, value in roles.values())))),
        texts=frozenset([*texts, *_find_signs(said)]),
        roles=roles,
        names=frozenset(node.name for node in tree.body if isinstance(node, Function | ast.ClassDef)),
        has_turn=reader.has_turn,
        own_sign=_find_own_sign(said),
        maximizer=(reader.maximizer[0],) if len({*reader.maximizer}) == 1 else (),
        player_signs=frozenset(map(repr, reader.player_signs)),
    )


def _reach(tree: ast.Module, line: int) -> Iterator[ast.AST]:
    """Yield the definitions that the one in a line leads to, by the names in them, that one first; or the module."""
    entry = _find_definition(tree, line)
    if entry is None:
        yield tree
        return
    known: dict[str, list[ast.AST]] = {}
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef):
            known.setdefault(node.name, []).append(node)
            if isinstance(node, ast.ClassDef):  # with a method goes what its object is made with
                made = [one for one in node.body if isinstance(one, Function) and one.name == "__init__"]
                for method in node.body:
                    if isinstance(method, Function):
                        known.setdefault(f"made for {method.name}", []).extend(made)
    for statement in tree.body:
        if isinstance(statement, ast.Assign | ast.AnnAssign):
            for target in statement.targets if isinstance(statement, ast.Assign) else [statement.target]:
                for name in names_in(target):
                    known.setdefault(name, []).append(statement)
    waiting, seen = [entry], set[ast.AST]()
    while waiting:
        top = waiting.pop(0)
        if top in seen:
            continue
        seen.add(top)
        yield top
        names = [f"made for {top.name}"] if isinstance(top, Function) else []
        waiting += [node for name in [*names, *names_in(top)] for node in known.get(name, ())]


def _find_definition(tree: ast.Module, line: int) -> ast.AST | None:
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef | ast.Lambda):
            first = min([node.lineno, *[one.lineno for one in getattr(node, "decorator_list", ())]])
            if first == line:
                return node
    return None


def _read_bindings(nodes: list[ast.AST]) -> dict[str, Any]:
    """Return the constants that names are bound to; those bound to several are unknown."""
    found: dict[str, Any] = {}
    for node in dict.fromkeys(node for top in nodes for node in ast.walk(top)):
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = [(node.target, node.value)]
        else:
            continue
        for target, value in pairs:
            several = isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple)
            both = zip(target.elts, value.elts, strict=False) if several else [(target, value)]  # type: ignore[attr-defined]
            for one, its in both:
                name = one.id if isinstance(one, ast.Name) else one.attr if isinstance(one, ast.Attribute) else ""
                constant = constant_of(its)
                if name in found and found[name] != constant:
                    constant = UNKNOWN
                found[name] = constant
    return found


class _Reader:
    """Collects from the nodes of a source what `Evidence` holds; `values` are the constants of names."""

    def __init__(self, values: Mapping[str, Any], tree: ast.Module) -> None:
        self._values = values
        functions = [node for node in ast.walk(tree) if isinstance(node, Function)]
        self._parameters = {node.name: [argument.arg for argument in node.args.args] for node in functions}
        self._flags = frozenset[str]().union(*map(find_flags, functions))
        self._cells = set[str]()  # names that run through the squares of a board or a line
        self.signs: list[Any] = []
        self.player_signs: list[Any] = []
        self.maximizer: list[Any] = []
        self.has_turn = False

    def value(self, node: ast.AST) -> Any:
        """Return the constant that an expression is, by itself or by its name, or UNKNOWN."""
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
        return constant_of(node) if name is None else self._values.get(name, UNKNOWN)

    def find_roles(self) -> dict[str, tuple[str, Sign]]:
        """Return the names of constants that say whose they are; both sides' have to be of one type."""
        roles: dict[str, tuple[str, Sign]] = {}
        for role, words in _ROLES.items():
            known = {word.replace("_", "") for word in words.split()}
            for name, value in self._values.items():
                plain = _SUFFIX.sub("", name.lower())
                if plain in known and role not in roles and (role == "empty" or type(value) in {str, int}):
                    roles[role] = name, value
        for one, other in (("X", "O"), ("own", "other")):
            first, second = roles.get(one), roles.get(other)
            if not first or not second or type(first[1]) is not type(second[1]) or first[1] == second[1]:
                roles.pop(one, None)
                roles.pop(other, None)
        return roles

    def note_cells(self, node: ast.AST) -> None:
        """Note the names that a loop takes from something else than a range of numbers."""
        if isinstance(node, ast.For | ast.comprehension):
            called = called_name(node.iter) if isinstance(node.iter, ast.Call) else ""
            if called not in {"range", "len", "sorted", "product"}:
                self._cells.update([*names_in(node.target)][called in {"enumerate", "items"} :])

    def read(self, node: ast.AST) -> None:
        """Read one node; those in it are read by themselves."""
        if isinstance(node, ast.Compare):
            self._read_comparison(node)
        elif isinstance(node, ast.Assign):
            if any(isinstance(target, ast.Subscript) for target in node.targets):
                self._add(node.value)
        elif isinstance(node, ast.Call):
            self._read_call(node)
        elif isinstance(node, ast.Dict):
            self._add(*[key for key in node.keys if key is not None], *node.values)
        elif isinstance(node, ast.IfExp):
            self._add(node.body, node.orelse)
        elif isinstance(node, ast.Return) and node.value is not None and isinstance(self.value(node.value), str):
            self._add(node.value)
        elif isinstance(node, ast.BinOp):
            self._read_operation(node)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and self._is_player(node.operand):
            self.signs += [1, -1]  # -player is the other one
        elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Dict) and self._is_player(node.slice):
            self.player_signs += [self.value(key) for key in node.value.keys if key is not None]
        elif isinstance(node, ast.If):
            self._read_branch(node)
        elif isinstance(node, ast.arguments):
            given = zip(reversed([*node.posonlyargs, *node.args]), reversed(node.defaults), strict=False)
            self._add(*[value for argument, value in given if kind_of(argument.arg) in {"player", "opponent"}])

    def _add(self, *nodes: ast.AST, kinds: type = object) -> None:
        for node in nodes:
            parts = node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]
            values = [self.value(part) for part in parts]
            self.signs += [value for value in values if value is not UNKNOWN and isinstance(value, kinds)]

    def _read_comparison(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        is_of_squares = any(isinstance(side, ast.Subscript) or self._is_player(side) for side in sides)
        is_of_squares |= any(isinstance(side, ast.Name) and side.id in self._cells for side in sides)
        for side in sides:
            self._add(side, kinds=object if is_of_squares else str)
            if any(self._is_player(other) for other in sides) and not self._is_player(side):
                value = self.value(side)
                self.player_signs += [] if value is UNKNOWN else [value]
        counts = [side for side in sides if isinstance(side, ast.Call) and called_name(side) in {"sum", "len"}]
        self.has_turn |= any(not one.keywords and self._counts_stones(one) for one in counts)

    def _counts_stones(self, call: ast.Call) -> bool:
        """Tell a sum over the whole board, or over stones of one sign, from one over a line or over empty squares."""
        summed = call.args[0] if call.args else call.func
        if isinstance(summed, ast.Attribute):
            summed = summed.value
        if isinstance(summed, ast.GeneratorExp | ast.ListComp):
            compared = [part for node in ast.walk(summed) if isinstance(node, ast.Compare) for part in node.comparators]
            return any(self.value(part) not in _EMPTY for part in compared)
        return self._kind(summed) == "board" and called_name(call) == "sum"

    def _read_call(self, node: ast.Call) -> None:
        name = called_name(node)
        if name in {"count", "index"} and node.args:
            self._add(node.args[0])
            value = self.value(node.args[0])
            self.has_turn |= name == "count" and value not in _EMPTY
        self.has_turn |= re.sub(r"[^a-z]", "", name.lower()) in _TURNS or name in {"count_nonzero", "Counter"}
        places = zip(self._parameters.get(name, ()), node.args, strict=False)
        for parameter, given in [*places, *((word.arg or "", word.value) for word in node.keywords)]:
            if kind_of(parameter) in {"player", "opponent"}:
                self._add(given)

    def _read_operation(self, node: ast.BinOp) -> None:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Sub) and type(left) is int and self._is_player(node.right):
            self.signs += {3: [1, 2], 1: [0, 1]}.get(left, [])  # 3 - player is the other one
        elif isinstance(node.op, ast.Mod) and right == 2:
            self.has_turn |= not isinstance(node.left, ast.Name) or len(node.left.id) > 1
        elif isinstance(node.op, ast.Mult) and isinstance(node.left, ast.List) and len(node.left.elts) == 1:
            self._add(node.left)  # [" "] * 9

    def _read_branch(self, node: ast.If) -> None:
        """Note which sign is placed where `maximizing` is true."""
        test = node.test.left if isinstance(node.test, ast.Compare) else node.test
        body = node.body
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, body = test.operand, node.orelse
        if self._kind(test) != "maximizing":
            return
        placed = [
            self.value(one.value)
            for statement in body
            for one in ast.walk(statement)
            if isinstance(one, ast.Assign) and any(isinstance(target, ast.Subscript) for target in one.targets)
        ]
        calls = [one for statement in body for one in ast.walk(statement) if isinstance(one, ast.Call) and one.args]
        placed += [self.value(one.args[-1]) for one in calls if _PLACING.search(called_name(one)) and len(one.args) > 1]
        self.maximizer += [value for value in placed if value not in _EMPTY and type(value) is not bool][:1]

    def _is_player(self, node: ast.AST) -> bool:
        return self._kind(node) == "player" and self.value(node) is UNKNOWN

    def _kind(self, node: ast.AST) -> str | None:
        if not isinstance(node, ast.Name):
            return None
        return kind_of(node.id) or ("maximizing" if node.id in self._flags else None)


def _read_words(text: str, tops: list[ast.AST]) -> list[str]:
    """Return the sentences in lines of comments and docstrings that are about boards and players."""
    lines = text.splitlines()
    said: list[str] = []
    for top in tops:
        inside = () if isinstance(top, ast.Module) else lines[top.lineno - 1 : top.end_lineno]  # type: ignore[attr-defined]
        said += [line.partition("#")[2] for line in inside]
        for node in ast.walk(top) if not isinstance(top, ast.Module) else [top]:
            if isinstance(node, Function | ast.ClassDef | ast.Module):
                said += (ast.get_docstring(node) or "").splitlines()
    said = [sentence for line in said for sentence in re.split(r"(?<=[.;:])\s", line)]
    return [line for line in said if _SUBJECTS.search(line) and not _WORTH.search(line)]


def _find_signs(said: list[str]) -> Iterator[str]:
    """Yield the signs that words name, as `repr` writes them: small numbers, X and O."""
    for line in said:
        yield from (repr(int(number)) for number in re.findall(r"(?<![\w.])-?[012]\b(?!\.\d)", line))
        yield from (repr(letter) for letter in re.findall(r"\b[XOxo]\b", line))


def _find_own_sign(said: list[str]) -> int | None:
    """Return the number that words give to its own stones, as in `its own stones are 1`."""
    for line in said:
        own = _OWN_WORDS.search(line)
        if own and _STONES.search(line):
            numbers = [(abs(one.start() - own.start()), int(one[0])) for one in re.finditer(r"-?\b[012]\b", line)]
            return min(numbers)[1] if numbers else None
    return None
