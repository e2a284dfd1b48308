"""Packages of data: valid by the tool of their standard, the same bytes twice, checked, and whole or not there."""

import csv
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from shutil import copyfile

import frictionless
import pytest

from solver.errors import CheckFailed, StorageError
from solver.export import package
from solver.export.package import write_package
from solver.export.table import export_table
from solver.store.schema import PLIES_COLUMNS
from solver.tablebase import open_tablebase
from tests.commands import TableFile, assert_refused, mnk
from tests.conftest import ROOT

Pack = Callable[..., Path]


@pytest.fixture
def pack(table_file: TableFile, tmp_path: Path) -> Pack:
    """`pack("3,3,3", "a")`: the folder of a package of a game."""

    def packed(game: str = "3,3,3", name: str = "packed", metric: str = "distance", **options: object) -> Path:
        write_package(table_file(game, metric=metric), tmp_path / name, **options)  # type: ignore[arg-type]
        return tmp_path / name

    return packed


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def errors_found(folder: Path) -> list[str]:
    report = frictionless.validate(str(folder / package.METADATA))
    return [kind for (kind,) in report.flatten(["type"])]


# What it holds


def test_the_tool_of_data_packages_finds_nothing_wrong_unless_there_is(pack: Pack) -> None:
    folder = pack("2,3,2")
    assert not errors_found(folder)
    rows = folder / "positions.csv"
    rows.write_bytes(rows.read_bytes().replace(b"../...,0,X,", b"../...,9,X,"))
    assert errors_found(folder) == ["hash-count"]
    rows.write_bytes(rows.read_bytes().replace(b"../...,9,X,", b"../...,none,X,"))
    assert {"byte-count", "type-error"} <= set(errors_found(folder))


@pytest.mark.sampled
@pytest.mark.parametrize("options", [{"form": "jsonl", "plies": (0, 3)}, {"form": "npz"}, {"canonical": True}])
def test_other_rows_are_valid_too_and_are_those_of_an_export(
    options: dict[str, object], pack: Pack, table_file: TableFile, tmp_path: Path
) -> None:
    folder, target = pack(metric="wdl", **options), tmp_path / f"alone.{options.get('form', 'csv')}"
    with open_tablebase(table_file("3,3,3", metric="wdl")) as table:
        count = export_table(table, target, **options)  # type: ignore[arg-type]
    assert (folder / f"positions{target.suffix}").read_bytes() == target.read_bytes()
    assert f"is a position: {count:,} of them" in (folder / package.CARD).read_text()
    assert not errors_found(folder)


@pytest.mark.slow
def test_a_game_with_too_many_rows_is_packed_as_its_table(
    pack: Pack, table_file: TableFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(package, "MOST_ROWS", 5477)
    folder = pack()
    assert (folder / "mnk-3-3-3.sqlite").read_bytes() == table_file("3,3,3").read_bytes()
    assert not (folder / "positions.csv").exists()
    assert not errors_found(folder)
    assert mnk("query", "3,3,3", "start", "--data", folder).exit_code == 0


def test_a_large_table_is_checked_by_a_sample_and_the_card_says_so(pack: Pack) -> None:
    folder = pack("4,4,4", sample=20)
    card = (folder / package.CARD).read_text()
    assert "the values of 21 positions, drawn at random, were compared with the" in card
    assert "is that which the table was given when it was made" in card
    assert "mnk export 4,4,4 --package FOLDER --sample 20" in card
    assert not errors_found(folder)


def test_the_checksums_are_those_of_all_other_files(pack: Pack) -> None:
    found = contents(pack())
    sums = dict(line.split("  ")[::-1] for line in found.pop(package.CHECKSUMS).decode().splitlines())
    assert sums == {path: sha256(data).hexdigest() for path, data in found.items()}


def test_the_counts_are_the_published_ones(pack: Pack) -> None:
    figures = json.loads((ROOT / "data/facts/figures.json").read_text())["3,3,3"]
    with (pack() / package.COUNTS).open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == list(PLIES_COLUMNS)
    for column in ("positions", "canonical"):
        assert [int(row[column]) for row in rows] == figures[column]


def test_the_rules_in_it_are_those_of_the_game(pack: Pack, tmp_path: Path) -> None:
    folder = pack()
    built = mnk("build", folder / package.RULES, "--data", tmp_path / "again")
    assert built.exit_code == 0
    digest = json.loads((folder / package.METADATA).read_text())["digest"]
    (table,) = (tmp_path / "again").glob("*.sqlite")
    with open_tablebase(table) as again:
        assert again.meta["digest"] == digest


def test_the_card_says_what_a_citation_needs(pack: Pack, table_file: TableFile) -> None:
    card = (pack() / package.CARD).read_text()
    with open_tablebase(table_file("3,3,3")) as table:
        assert card.count(str(table.meta["digest"])) == 2
    for words in (
        "3 rows, 3 columns, 3 in a row. Best play of both sides is a draw.",
        "5,478 positions was compared with the 16,167 values one move later",
        "mnk build 3,3,3 --metric distance",
        "| all | 5,478 | 765 | 2,836 | 1,068 | 1,574 | 958 |",
        "MIT",
        "@misc{mnk333,",
    ):
        assert words in card


# How it is written


@pytest.mark.slow
def test_the_same_table_gives_the_same_bytes(pack: Pack) -> None:
    assert contents(pack(name="one")) == contents(pack(name="two"))


def test_a_folder_is_replaced_only_if_it_is_a_package_and_that_is_asked_for(pack: Pack, tmp_path: Path) -> None:
    folder = pack()
    before = contents(folder)
    (folder / "left.txt").write_text("of an older version")
    with pytest.raises(StorageError, match=r"packed exists; choose another, or replace it with --force\.$"):
        pack()
    assert contents(pack(force=True)) == before
    mine = tmp_path / "mine"
    mine.mkdir()
    with pytest.raises(StorageError, match=r"mine is no package of data, so it is not replaced"):
        pack(name="mine", force=True)
    assert mine.is_dir()


def test_a_wrong_table_is_not_packed(table_file: TableFile, tmp_path: Path) -> None:
    path = Path(copyfile(table_file("3,3,3"), tmp_path / "mnk-3-3-3.sqlite"))
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE positions SET wdl = 1 WHERE ply = 0")
    with pytest.raises(CheckFailed, match=r"not packed \(.*\); run `mnk build 3,3,3.* --force`\.$"):
        write_package(path, tmp_path / "packed")
    assert [*tmp_path.iterdir()] == [path]


@pytest.mark.slow
def test_progress_goes_once_from_nothing_to_all(pack: Pack) -> None:
    told: list[tuple[int, int]] = []
    pack(progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1] == (2000, 2000)


# The command


def test_the_command_packs(table_file: TableFile, tmp_path: Path) -> None:
    data, folder = table_file("3,3,3").parent, tmp_path / "packed"
    said = mnk("export", "3,3,3", "--data", data, "--package", folder)
    assert said.exit_code == 0
    assert said.stdout.startswith(f"Packed 3,3,3 in {folder}, 175 kB, ")
    assert_refused(mnk("export", "3,3,3", "--data", data, "--package", folder), 5, "--force")
    assert_refused(mnk("export", "3,3,3", "--data", tmp_path, "--package", tmp_path / "x"), 3, "mnk build 3,3,3")
    both = mnk("export", "3,3,3", "--data", data, "--package", folder, "-o", tmp_path / "x.csv")
    assert (both.exit_code, both.stdout) == (2, "")
    assert "--package names a folder and -o a file; give one of the two." in both.stderr
    alone = mnk("export", "3,3,3", "--data", data, "--sample", "9")
    assert (alone.exit_code, alone.stdout) == (2, "")
    assert "give --package DIR too" in alone.stderr
    assert [*tmp_path.iterdir()] == [folder]
