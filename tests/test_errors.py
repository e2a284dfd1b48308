"""Errors: missing extras and quoted input."""

import re
import tomllib

from solver.errors import MissingExtra, MissingTable, MnkError, missing_extra, quoted
from tests.conftest import PACKAGE, ROOT


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    error = missing_extra("Parquet", "export")
    assert isinstance(error, MissingExtra)
    assert str(error).endswith("run `pip install 'mnk-tablebase[export]'`.")
    assert str(missing_extra("PNG", "pictures", "draw SVG")).endswith(", or draw SVG.")


def test_every_extra_that_a_message_names_exists() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    code = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    named = {*re.findall(r'missing_extra\("[^"]+", "(\w+)"', code)}
    assert named
    assert named <= {*project["optional-dependencies"]}


def test_a_message_has_no_control_characters_and_a_bounded_length() -> None:
    for error in (MnkError("\x1b[31m\x9b\u202e\udcff\r"), MissingTable("\x1b[31m\x9b\u202e\udcff\r", "build")):
        assert str(error) == r"\x1b[31m\x9b\u202e\udcff\r"
    assert str(MnkError("Zwölf\nboxes → 2")) == "Zwölf\nboxes → 2"
    long = str(MnkError(f"The word {'a' * 10_000} is wrong; write another."))
    assert len(long) < 2100
    assert long.startswith("The word a")
    assert long.endswith("a is wrong; write another.")


def test_long_input_is_quoted_short_and_on_one_line() -> None:
    assert quoted("4,4") == "'4,4'"
    assert quoted("a\nb") == r"'a\nb'"
    assert quoted("x" * 1000, limit=20) == repr("x" * 17 + "...")
