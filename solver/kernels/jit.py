"""Compile kernels: set the compile flags, and decide when cached machine code is out of date.

Numba keeps machine code beside the source and compiles again if the file of the function has changed. But the machine
code of a kernel also contains functions that it calls from other files. So the key used here is the content of the
kernel's own file and, transitively, of the files beside it that it imports.

Without Numba, as in a browser, kernels are plain Python, about a hundred times slower.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, TypeVar, cast

numba: Any
try:
    import numba
except ModuleNotFoundError as error:
    if error.name != "numba":  # it is there, and lacks something
        raise
    numba = None

HAS_NUMBA: Final = numba is not None

F = TypeVar("F", bound=Callable[..., object])

_IMPORT = re.compile(r"^(?:from|import) [^(\n]*(?:\([^)]*\))?", re.MULTILINE)
_WORD = re.compile(r"\w+")


def jit(function: F) -> F:
    """Compile with Numba, cached on the disk, and without the interpreter lock, so that threads run in parallel.

    The wrapper for calls from C is left out: it would take a tenth of the time to compile. References to arrays are not
    counted: each count locks a cache line, which took a quarter of the time of solving. So the function cannot make
    arrays; its arguments live until it returns.
    """
    return _compile(function)


def jit_allocating(function: F) -> F:
    """Compile like `jit` a function that makes arrays, or calls one that returns a new array."""
    return _compile(function, _nrt=True)


def jit_inline(function: F) -> F:
    """Compile like `jit`, inlined into each caller, because a call with many arrays takes up to a microsecond."""
    return _compile(function, inline="always")


def jit_within(function: F) -> F:
    """Compile like `jit`, and make LLVM inline the function, so that it uses the constants of its caller."""
    return _compile(function, forceinline=True)


def _compile(function: F, **options: object) -> F:
    if not HAS_NUMBA:
        return function
    options = {"_nrt": False, **options}  # Numba's runtime, which counts references
    kernel = cast(F, numba.njit(cache=True, nogil=True, no_cfunc_wrapper=True, **options)(function))
    if kernel is not function:  # it is with NUMBA_DISABLE_JIT
        _key_by_content(kernel, Path(inspect.getfile(function)))
        _ignore_constants(kernel)
    return kernel


def _key_by_content(kernel: object, file: Path) -> None:
    """Replace Numba's key, the time of the source, by the digest of all sources.

    Numba first compares the version of an index on the disk. It reads on only if the version is the same, because an
    old index can name missing classes. Then it compares the stamp of the source.
    """
    index = kernel._cache._cache_file  # type: ignore[attr-defined] # Numba offers no other way
    index._version = index._source_stamp = f"{index._version} {digest_sources(file)}"


def _ignore_constants(kernel: Any) -> None:
    """Compile for types alone: by default Numba compiles again for each constant that another kernel passes.

    Numba does so even for the first value of a variable.
    """
    find = kernel.get_call_template
    kernel.get_call_template = lambda types, names: find([numba.types.unliteral(one) for one in types], names)


def digest_sources(file: Path) -> str:
    """Digest a source file and, transitively, the files in its folder that it imports."""
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
    """Return the name of a file and the digest of its content."""
    return file.name.encode() + blake2b(file.read_bytes()).digest()


@cache
def _imports(file: Path) -> frozenset[Path]:
    """Find the files in the same folder that the import statements of a file name."""
    statements = _IMPORT.findall(file.read_text(encoding="utf-8"))
    named = {word for statement in statements for word in _WORD.findall(statement)}
    return frozenset(beside for beside in file.parent.glob("*.py") if beside.stem in named)
