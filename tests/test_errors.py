"""The exception tree: every leaf has its place, its exit code and its HTTP status."""

import re
import tomllib

from solver import errors
from solver.errors import MissingExtra, MnkError, missing_extra, quoted
from tests.conftest import PACKAGE, ROOT

CODES = {
    "MnkError": (1, 500),
    "RulesError": (2, 400),
    "PositionError": (2, 400),
    "NotationError": (2, 400),
    "ImpossiblePosition": (2, 400),
    "IllegalMove": (2, 400),
    "TableError": (3, 500),
    "MissingTable": (3, 404),
    "Unsettled": (3, 404),
    "BeyondTable": (3, 404),
    "DamagedTable": (4, 500),
    "UnsupportedTable": (4, 500),
    "EngineError": (2, 400),
    "EngineFailed": (3, 500),
    "MissingExtra": (1, 500),
    "GraderError": (2, 400),
    "PictureError": (2, 400),
    "StorageError": (5, 507),
    "DoesNotFit": (5, 507),
    "ClusterError": (5, 500),
    "CheckFailed": (1, 500),
    "BuildInterrupted": (130, 503),
}


def test_every_error_has_its_codes() -> None:
    found = {
        name: (member.exit_code, member.http_status)
        for name, member in vars(errors).items()
        if isinstance(member, type) and issubclass(member, MnkError)
    }
    assert found == CODES


def test_the_tree_drawn_at_the_top_is_the_tree() -> None:
    drawn = re.findall(r"^( *)(?:\|   )*(?:\+-- )?([A-Z]\w+)(?:$|  )", errors.__doc__ or "", flags=re.MULTILINE)
    assert {name for _, name in drawn} == set(CODES)


def test_a_missing_extra_is_named_with_the_command_that_installs_it() -> None:
    error = missing_extra("Parquet", "export")
    assert isinstance(error, MissingExtra)
    assert str(error) == (
        "Parquet needs the extra 'export', which is not installed; "
        "run `pip install '.[export]'` in the project's folder."
    )
    assert str(missing_extra("PNG", "pictures", "draw SVG")).endswith(" in the project's folder, or draw SVG.")


def test_every_extra_that_a_message_names_is_one() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    code = "".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    named = {*re.findall(r'missing_extra\("[^"]+", "(\w+)"', code)}
    assert named
    assert named <= {*project["optional-dependencies"]}


def test_long_input_is_quoted_short_and_on_one_line() -> None:
    assert quoted("4,4") == "'4,4'"
    assert quoted("a\nb") == r"'a\nb'"
    assert quoted("x" * 1000, limit=20) == repr("x" * 17 + "...")
