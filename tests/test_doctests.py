"""The examples in docstrings say what comes out.

pytest could find them too, but then each process that runs tests would import and search every module, which takes
longer than to collect all other tests.
"""

import doctest
from importlib import import_module

import pytest

from solver import parse_game
from tests.conftest import PACKAGE

MODULES = sorted(
    ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts)
    for file in PACKAGE.rglob("*.py")
    if ">>> " in file.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples_of_a_module(name: str) -> None:
    module = import_module(name.removesuffix(".__init__"))
    failed, tried = doctest.testmod(module, extraglobs={"parse_game": parse_game})
    assert tried > 0
    assert failed == 0
