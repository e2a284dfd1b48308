"""Compile kernels: set the compile flags, and decide when cached machine code is out of date.

Numba caches machine code beside the source file, and compiles a function again if that file has changed. But the
machine code of a kernel also contains the functions that it calls from other files. So the cache key used here is a
digest of the kernel's file and of all files in the same folder that it imports, directly or indirectly.

Where no cache can be written, for example in a read-only container, each process compiles the kernels that it calls.
Without Numba, for example in a browser, kernels run as plain Python, about a hundred times slower.
"""

from __future__ import annotations

import inspect
import re
import sys
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
    """Compile a function with Numba. The machine code is cached on disk, and runs without the interpreter lock.

    The wrapper for calls from C is left out, because it would take a tenth of the compile time. References to arrays
    are not counted, because each count locks a cache line, and these locks took a quarter of the solving time. So the
    function must not create arrays, or call a function that returns one, which would never be freed. Its caller must
    keep the arguments alive until it returns.
    """
    return _compile(function)


def jit_part(function: F) -> F:
    """Compile a function as `jit` does, without the wrapper for calls from Python: only kernels can call it.

    For a small function with fifty arrays, the wrapper would take nine tenths of the compile time.
    """
    return _compile(function, no_cpython_wrapper=True)


def jit_allocating(function: F) -> F:
    """Compile a function as `jit` does, but let it create arrays and call functions that return new arrays."""
    return _compile(function, _nrt=True)


def jit_inline(function: F) -> F:
    """Compile a function as `jit_part` does, and inline it into each caller.

    This avoids passing many arrays in a call, which can take a microsecond.
    """
    return _compile(function, no_cpython_wrapper=True, inline="always")


def jit_within(function: F) -> F:
    """Compile a function as `jit_part` does, and make LLVM inline it, so that it uses its caller's constants."""
    return _compile(function, no_cpython_wrapper=True, forceinline=True)


def _compile(function: F, **options: object) -> F:
    if not HAS_NUMBA:
        return function
    options = {"_nrt": False, **options}  # Numba's runtime, which counts references
    kernel = cast(F, numba.njit(nogil=True, no_cfunc_wrapper=True, **options)(function))
    if kernel is not function:  # it is with NUMBA_DISABLE_JIT
        _enable_cache(kernel, Path(inspect.getfile(function)))
        _ignore_constants(kernel)
        if options.get("no_cpython_wrapper"):
            _refuse_calls(kernel, function.__name__)
    return kernel


def _enable_cache(kernel: Any, file: Path) -> None:
    """Cache the machine code of a kernel of the given file, unless no folder or no more space can be written."""
    try:
        kernel.enable_caching()
    except RuntimeError as error:
        if "no locator available" not in str(error):
            raise
        kernel._cache.save_overload = lambda *_: _report_no_cache()
        return
    _key_by_content(kernel, file)
    load, save = kernel._cache.load_overload, kernel._cache.save_overload

    def load_or_tell(signature: object, target: object) -> object:
        if (found := load(signature, target)) is None:
            _report_compiling()
        return found

    def save_if_possible(signature: object, compiled: object) -> None:
        try:
            save(signature, compiled)
        except OSError:
            _report_no_cache()

    kernel._cache.load_overload, kernel._cache.save_overload = load_or_tell, save_if_possible


@cache
def _report_compiling() -> None:
    """Say, once in each process, why an answer takes long."""
    if sys.stderr is not None:
        sys.stderr.write("Compiling for this machine, which can take half a minute; later starts are quick.\n")


@cache
def _report_no_cache() -> None:
    """Say, once in each process, that compiled kernels are not kept."""
    if sys.stderr is not None:
        sys.stderr.write(
            "Compiled code cannot be cached, so each start compiles again; set NUMBA_CACHE_DIR to a writable folder.\n"
        )


def _key_by_content(kernel: object, file: Path) -> None:
    """Replace the source file's modification time in Numba's cache key with a digest of all sources.

    Numba first compares its version with that of the index on disk, and stops reading if they differ, because an old
    index can refer to classes that no longer exist. Then it compares the source stamp. So both version and stamp are
    replaced.
    """
    index = kernel._cache._cache_file  # type: ignore[attr-defined] # Numba offers no other way
    index._version = index._source_stamp = f"{index._version} {digest_sources(file)}"


def _ignore_constants(kernel: Any) -> None:
    """Make Numba compile a kernel once for each combination of argument types.

    By default, Numba compiles a kernel again for each literal that another kernel passes to it, even if the literal is
    only the initial value of a variable.
    """
    find = kernel.get_call_template
    kernel.get_call_template = lambda types, names: find([numba.types.unliteral(one) for one in types], names)


def _refuse_calls(kernel: Any, name: str) -> None:
    """Make calls from Python raise TypeError: without a wrapper, they would end the process.

    Numba looks up the machine code for a call from Python by the argument types, and compiles it if it finds none.
    """

    def refuse(*_: object, **__: object) -> None:
        raise TypeError(f"{name} can be called by kernels only.")

    kernel._insert, kernel._compile_for_args = lambda *_: None, refuse


def digest_sources(file: Path) -> str:
    """Return a digest of a source file and of all files in its folder that it imports, directly or indirectly."""
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
    """Return a file's name, followed by a digest of its content."""
    return file.name.encode() + blake2b(file.read_bytes()).digest()


@cache
def _imports(file: Path) -> frozenset[Path]:
    """Return the files that the given file imports from its own folder."""
    statements = _IMPORT.findall(file.read_text(encoding="utf-8"))
    named = {word for statement in statements for word in _WORD.findall(statement)}
    return frozenset(beside for beside in file.parent.glob("*.py") if beside.stem in named)
