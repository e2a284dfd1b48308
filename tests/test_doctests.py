"""The examples in docstrings show the right results.

pytest can collect them too, but then each test process would import and search every module. That takes longer than
collecting all other tests.
"""

import doctest
from importlib import import_module

import pytest

from solver import parse_game
from tests.conftest import PACKAGE, ROOT

MODULES = sorted(
    ".".join(file.relative_to(folder).with_suffix("").parts)
    for folder, package in ((PACKAGE.parent, PACKAGE.name), (ROOT / "scripts", "."))
    for file in (folder / package).rglob("*.py")
    if ">>> " in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name: str) -> None:
    module = import_module(name.removesuffix(".__init__"))
    failed, tried = doctest.testmod(module, extraglobs={"parse_game": parse_game})
    assert tried > 0
    assert failed == 0
