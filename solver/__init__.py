"""Solve m,n,k-games (m rows, n columns, k in a row), keep their values in tables, and probe the tables.

The public names are listed in `__init__.pyi`. Each is imported from the module given there when the name is first used
(PEP 562), so a program that only probes tables does not load NumPy, Numba or the code that builds tables.
"""

from importlib import import_module

__version__ = "0.1.0"

with open(f"{__file__}i", encoding="ascii") as _stub:  # its lines: from MODULE import NAME as NAME
    _HOMES = {words[3]: words[1] for line in _stub if (words := line.split())[:1] == ["from"]}

__all__ = ["__version__", *_HOMES]  # noqa: PLE0604 - they are strings


def __getattr__(name: str) -> object:
    """Import a public name from its module, and store it here for the next use.

    If an extra is missing, the name is a function that raises MissingExtra, so that `help(solver)` still works. Raises
    AttributeError for a name that is not public.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        value: object = getattr(import_module(_HOMES[name]), name)
    except ModuleNotFoundError as error:
        from solver.errors import MissingExtra, missing_package

        missing = missing_package(error)
        if not isinstance(missing, MissingExtra):
            raise

        def value(*_: object, **__: object) -> None:
            raise missing

        value.__doc__ = str(missing)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
