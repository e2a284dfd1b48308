"""Stand in for modules that open windows or draw: whatever is asked of them is there, and does nothing."""

import builtins
import sys
from collections.abc import Iterator, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, Final

SHOWING: Final = frozenset(
    (
        *("pygame", "pygame_gui", "pygame_menu", "arcade", "pyglet", "raylib", "pyray", "ursina"),
        *("tkinter", "Tkinter", "tkMessageBox", "customtkinter", "easygui", "turtle", "fltk", "wx", "kivy", "kivymd"),
        *("PyQt5", "PyQt6", "PySide2", "PySide6", "curses", "pyautogui", "streamlit"),
    )
)
"""Modules that show something on a screen."""


class _Base:
    """What a class that is derived from a stand-in is derived from."""

    def __init__(self, *_: Any, **__: Any) -> None:
        pass

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return StandIn()


class StandIn:
    """An object that can be called, read, written, gone through and derived from, and does nothing."""

    def __call__(self, *_: Any, **__: Any) -> "StandIn":
        """Do nothing."""
        return self

    __getitem__ = __setitem__ = __enter__ = __exit__ = __call__
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __or__ = __ror__ = __and__ = __call__
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __neg__ = __call__

    def __getattr__(self, name: str) -> "StandIn":
        if name.startswith("__") or name == "tolist":  # so that nobody takes it for an array
            raise AttributeError(name)
        return self

    def __mro_entries__(self, bases: tuple[Any, ...]) -> tuple[type, ...]:
        """Let a class be derived from it; only once of several."""
        return (_Base,) if next(base for base in bases if isinstance(base, StandIn)) is self else ()

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False

    def __int__(self) -> int:
        return 0

    __index__ = __int__

    def __float__(self) -> float:
        return 0.0


class _StandInModule(ModuleType):
    __getattr__: Any = _Base.__getattr__


class StandIns(MetaPathFinder, Loader):
    """Finds a stand-in for every module that shows something, and remembers for which."""

    def __init__(self) -> None:
        self.used: set[str] = set()

    def install(self) -> None:
        """Take the place of such modules, absent or not."""
        sys.meta_path.insert(0, self)
        for name in [name for name in sys.modules if _first(name) in SHOWING]:
            del sys.modules[name]

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None) -> Any:
        """Return the spec of a stand-in, None for other modules."""
        del path, target
        return ModuleSpec(name, self, is_package=True) if _first(name) in SHOWING else None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """Make the stand-in."""
        self.used.add(_first(spec.name))
        module = _StandInModule(spec.name)
        module.__path__ = []
        return module

    def exec_module(self, module: ModuleType) -> None:
        """Do nothing."""


def bind_missing(names: set[str], module: ModuleType) -> None:
    """Bind the names that a star import of a stand-in would have brought."""
    for name in names - set(vars(module)) - set(vars(builtins)):
        setattr(module, name, StandIn())


def _first(name: str) -> str:
    return name.partition(".")[0]
