"""Compile kernels: the one place that sets compile flags and decides when machine code on the disk is out of date.

Numba keeps machine code beside the source and compiles again when the file of the function has changed. But the
machine code of a kernel also contains the functions of other files that it calls. So the key used here is the content
of the kernel's own file and, transitively, of the files beside it that it imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit
from numba.core.caching import InTreeCacheLocator, UserProvidedCacheLocator, UserWideCacheLocator

F = TypeVar("F", bound=Callable[..., object])

_IMPORT = re.compile(r"^(?:from|import) [^(\n]*(?:\([^)]*\))?", re.MULTILINE)
_WORD = re.compile(r"\w+")


def jit(function: F) -> F:
    """Compile with Numba: cached on disk, and free of the interpreter lock so that threads run side by side."""
    with _keyed_by_content():
        return cast(F, njit(cache=True, nogil=True)(function))


def digest_sources(file: Path) -> str:
    """The digest of a source file and, transitively, of the files in its folder that it imports."""
    sources: set[Path] = set()
    waiting = {file}
    while waiting:
        sources |= waiting
        waiting = {imported for source in waiting for imported in _imports(source)} - sources
    digest = blake2b(digest_size=16)
    for source in sorted(sources):
        digest.update(_content(source))
    return digest.hexdigest()


@cache
def _content(file: Path) -> bytes:
    """The name of a file and the digest of its content."""
    return file.name.encode() + blake2b(file.read_bytes()).digest()


@cache
def _imports(file: Path) -> frozenset[Path]:
    """The files in the same folder that the import statements of a file name."""
    statements = _IMPORT.findall(file.read_text(encoding="utf-8"))
    named = {word for statement in statements for word in _WORD.findall(statement)}
    return frozenset(beside for beside in file.parent.glob("*.py") if beside.stem in named)


class _ByContent:
    """Override the key of a cache locator, the class by which Numba finds the machine code of a function."""

    def __init__(self, function: object, file: str) -> None:
        super().__init__(function, file)  # type: ignore[call-arg] # of the locator that this is mixed into
        self._stamp = digest_sources(Path(file))

    def get_source_stamp(self) -> str:
        """The key: machine code with another one is not used, and is overwritten."""
        return self._stamp


class InChosenFolder(_ByContent, UserProvidedCacheLocator):
    """The folder that NUMBA_CACHE_DIR names."""


class InSource(_ByContent, InTreeCacheLocator):
    """The folder __pycache__ beside the source."""


class InHome(_ByContent, UserWideCacheLocator):
    """A folder of the user's, where the source can't be written."""


_LOCATORS = ",".join(f"{__name__}.{locator.__name__}" for locator in (InChosenFolder, InSource, InHome))


@contextmanager
def _keyed_by_content() -> Iterator[None]:
    """Use the locators above inside the block only: other packages may compile with Numba too."""
    settings: Any = config  # it makes its names at run time
    before, settings.CACHE_LOCATOR_CLASSES = settings.CACHE_LOCATOR_CLASSES, _LOCATORS
    try:
        yield
    finally:
        settings.CACHE_LOCATOR_CLASSES = before
