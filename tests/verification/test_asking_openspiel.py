"""OpenSpiel is an extra: without it there is one sentence that says how to have it. (With it: tests/peers.)"""

import sys

import pytest

from solver.errors import EngineError
from solver.verification.adapters.openspiel import _BotRecipe
from tests.verification.fakes import THREE


def test_without_the_extra_it_is_told_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(EngineError, match=r"install it with: pip install 'mnk-tablebase\[openspiel\]'\.$"):
        _BotRecipe("minimax", 0).open(THREE)
