"""The cache of machine code is keyed by the content of a kernel's file and of those it imports."""

import functools
import inspect
import os
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, get_type_hints

import numba
import pytest
from numba.core.dispatcher import Dispatcher

from solver.kernels import jit
from tests.conftest import PACKAGE
from tests.forks import Send, result_of_fork, shrink_disk

FILES = {
    "helper.py": "from solver.kernels.jit import jit\n\n@jit\ndef step(number):\n    return number + 1\n",
    "apart.py": "from solver.kernels.jit import jit\n\n@jit\ndef halve(number):\n    return number // 2\n",
    "caller.py": (
        "from solver.kernels.jit import jit\nfrom kernels import (\n    middle,\n)\n\n"
        "@jit\ndef twice(number):\n    return middle.again(number) * 2\n"
    ),
    "middle.py": (
        "from kernels.helper import step\nfrom solver.kernels.jit import jit\n\n"
        "@jit\ndef again(number):\n    return step(step(number))\n"
    ),
    "__init__.py": "",
}


@pytest.fixture
def package(tmp_path: Path) -> Path:
    folder = tmp_path / "kernels"
    folder.mkdir()
    for name, source in FILES.items():
        (folder / name).write_text(source)
    return folder


def answer(send: Send, folder: Path, cache: str) -> None:
    """Import the kernels of a folder and send what they answer; machine code lies in the folder `cache`, if any."""
    jit._report_compiling = functools.cache(inspect.unwrap(jit._report_compiling))  # not that of the tests
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    numba.config.CACHE_DIR = cache  # type: ignore[attr-defined]  # it is read from the environment
    halve, twice = import_module("kernels.apart").halve, import_module("kernels.caller").twice
    answers = twice(5), halve(5)
    send([*answers, sum(sum(kernel.stats.cache_hits.values()) for kernel in (twice, halve))])


def ask(package: Path, cache: str = "") -> Any:
    """Return the answers of a new process: twice(5), halve(5) and the number of kernels that it did not compile."""
    return result_of_fork(answer, package.parent, cache)


def edit(package: Path, name: str, old: str, new: str) -> None:
    """Change a source and leave its time as it was."""
    file = package / name
    before = file.stat()
    file.write_text(file.read_text().replace(old, new))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))


def test_a_changed_helper_of_a_helper_changes_the_answer_of_the_next_process(package: Path) -> None:
    assert ask(package) == [14, 2, 0]
    assert ask(package) == [14, 2, 2]  # nothing has changed, nothing is compiled
    edit(package, "helper.py", "number + 1", "number + 3")
    assert ask(package) == [22, 2, 1]  # and the kernel that does not need the helper is not compiled
    assert ask(package) == [22, 2, 2]
    for name in FILES:
        os.utime(package / name)
    assert ask(package) == [22, 2, 2]  # times alone do not count


@pytest.mark.slow
def test_a_renamed_class_of_an_argument_does_not_stop_the_next_process(package: Path) -> None:
    """An index names the classes of arguments, so that an old one could not be read."""
    (package / "pair.py").write_text("from typing import NamedTuple\n\nclass Pair(NamedTuple):\n    number: int\n")
    (package / "apart.py").write_text(
        "from kernels.pair import Pair\nfrom solver.kernels.jit import jit\n\n"
        "@jit\ndef first(pair):\n    return pair.number\n\n"
        "@jit\ndef halve(number):\n    return first(Pair(number)) // 2\n"
    )
    assert ask(package)[:2] == ask(package)[:2] == [14, 2]
    for name in ("pair.py", "apart.py"):
        edit(package, name, "Pair", "Both")
    assert ask(package)[:2] == [14, 2]


@pytest.mark.slow
def test_another_folder_may_hold_the_machine_code(package: Path, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    for found in (0, 2):
        assert ask(package, str(folder)) == [14, 2, found]
    edit(package, "helper.py", "number + 1", "number + 3")
    assert ask(package, str(folder)) == [22, 2, 1]
    assert not (package / "__pycache__").exists()
    assert list(folder.rglob("*.nbi"))


def answer_uncached(send: Send, folder: Path, errors: Path) -> None:
    """Answer where no folder can hold machine code, and collect what is said in the file `errors`."""
    regular = folder / "regular"
    for taken in (regular, folder / "kernels/__pycache__"):
        taken.touch()
    os.environ["XDG_CACHE_HOME"] = os.environ["HOME"] = str(regular / "home")
    with errors.open("w", buffering=1) as sys.stderr:
        answer(send, folder, str(regular / "cache"))


def test_kernels_run_where_no_cache_can_be_written_and_say_so_once(package: Path) -> None:
    errors = package / "errors"
    assert result_of_fork(answer_uncached, package.parent, errors) == [14, 2, 0]
    [line] = errors.read_text().splitlines()
    assert "set NUMBA_CACHE_DIR" in line


def answer_on_a_full_disk(send: Send, folder: Path, errors: Path) -> None:
    with errors.open("w", buffering=1) as sys.stderr:
        shrink_disk(200)
        answer(send, folder, "")


def test_kernels_run_on_a_full_disk_and_say_so_once(package: Path) -> None:
    errors = package / "errors"
    assert result_of_fork(answer_on_a_full_disk, package.parent, errors) == [14, 2, 0]
    told = errors.read_text().splitlines()
    assert [line.split()[0] for line in told] == ["Compiling", "Compiled"]


def answer_and_tell(send: Send, folder: Path, errors: Path) -> None:
    with errors.open("w", buffering=1) as sys.stderr:
        answer(send, folder, "")


def test_the_first_process_says_once_that_it_compiles(package: Path) -> None:
    errors = package / "errors"
    for compiled in (True, False):
        assert result_of_fork(answer_and_tell, package.parent, errors) == [14, 2, 0 if compiled else 2]
        assert errors.read_text().count("Compiling for this machine") == compiled


def kernels() -> Iterator[Any]:
    """Yield all kernels of the package."""
    for module in iter_modules([str(PACKAGE / "kernels")], "solver.kernels."):
        for kernel in vars(import_module(module.name)).values():
            if isinstance(kernel, Dispatcher) and kernel.__module__ == module.name:
                yield kernel


def returns_array(function: Any) -> bool:
    result = get_type_hints(function)["return"]
    fields = get_type_hints(result).values() if hasattr(result, "_fields") else [result]
    return any("ndarray" in str(field) for field in fields)


def test_arrays_are_returned_only_between_kernels_that_count_references() -> None:
    """Otherwise an array that a kernel gets from another is never freed, or is freed too early."""
    plain = [kernel.py_func for kernel in kernels() if not kernel.targetoptions["_nrt"]]
    calls = [(function, function.__globals__.get(name)) for function in plain for name in function.__code__.co_names]
    assert len(plain) > 100
    assert [function.__name__ for function in plain if returns_array(function)] == []
    assert [
        (function.__name__, called.py_func.__name__)
        for function, called in calls
        if isinstance(called, Dispatcher) and returns_array(called.py_func)
    ] == []


def test_every_file_of_kernels_is_in_the_key_of_those_that_need_it() -> None:
    folder = PACKAGE / "kernels"
    names = {
        kernel.stem: {file.stem for file in jit._imports(kernel)}
        for kernel in folder.glob("*.py")
        if kernel.name != "__init__.py"
    }
    assert all("jit" in imported for name, imported in names.items() if name != "jit")
    assert names["recheck_search"] == {"instructions", "jit"}


def test_parts_of_kernels_cannot_be_called_from_python() -> None:
    @jit.jit_part
    def half(number: int) -> int:
        return number // 2

    @jit.jit
    def quarter(number: int) -> int:
        return half(half(number))

    assert quarter(9) == 2
    with pytest.raises(TypeError, match="half can be called by kernels only"):
        half(9)
