"""A site: what is in its folder, that it is the same each time, and how `mnk site` writes it."""

import base64
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from solver import StorageError, parse_game
from solver.gallery import gallery_answer
from solver.site import writing
from solver.site.page import PAGE
from solver.site.writing import Site, write_site
from tests.commands import assert_refused, mnk
from tests.conftest import ROOT

Tables = Callable[..., Path]
GAMES = ("4,4,4,gravity", "3,3,3")


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def value_of(script: bytes) -> Any:
    """The JSON that a script begins with."""
    return json.JSONDecoder().raw_decode(script.decode().partition(" = ")[2])[0]


@pytest.fixture(scope="session")
def site(table_file: Tables, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a site with two games."""
    folder = tmp_path_factory.mktemp("written") / "site"
    told = write_site([table_file(game) for game in GAMES], folder)
    found = contents(folder)
    sizes = [len(data) for data in found.values()]
    part = max(len(data) for name, data in found.items() if name.endswith(".bin"))
    assert told == Site(len(sizes), sum(sizes), part, is_small=True)
    return found


def test_the_document_names_files_that_are_there_and_no_other_host(site: dict[str, bytes]) -> None:
    document = site["index.html"].decode()
    named = re.findall(r'(?:href|src)="([^"#?]+)"', document)
    assert len(named) == 4
    assert set(named) <= set(site)
    assert "static/" not in document
    assert "content=\"default-src 'self'\"" in document
    assert '<script type="module"' not in document
    assert json.loads(site["manifest.webmanifest"])["icons"][0]["src"] in site


def test_the_page_reads_first_what_the_server_says_of_the_games(site: dict[str, bytes]) -> None:
    index = json.loads(site["tables/index.json"])
    assert index["folders"] == {"3,3,3": "3-3-3", "4,4,4,gravity": "4-4-4-gravity"}
    assert index["games"] == [
        json.loads(site[f"tables/{name}/manifest.json"])["game"] for name in ("3-3-3", "4-4-4-gravity")
    ]
    known = gallery_answer(lambda rules: rules == parse_game("3,3,3"))
    shown = [game for game in known["games"] if game["table"]]
    assert json.loads(site["gallery.json"]) == json.loads(json.dumps({"games": shown, "families": []}))


def test_the_service_worker_knows_every_file_but_itself_and_that_for_disks(site: dict[str, bytes]) -> None:
    facts = value_of(site["worker.js"])
    others = {"worker.js", "files.js", ".nojekyll", "index.html"}
    assert {*facts["files"], *facts["small"]} == {*site} - others | {"./"}
    assert set(facts["lasting"]) == {name for name in site if name.startswith("page-")}
    assert sorted(facts["marks"]) == sorted(re.findall(r"([0-9a-f]{12})-0\.bin", " ".join(site)))


def test_the_script_for_disks_holds_what_the_page_fetches(site: dict[str, bytes]) -> None:
    held = {name: base64.b64decode(text) for name, text in value_of(site["files.js"]).items()}
    assert held == {name: site[name] for name in site if name.startswith("tables/") or name == "gallery.json"}


def test_large_tables_are_neither_kept_at_once_nor_read_from_a_disk(
    table_file: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "MOST_SMALL", 10_000)
    told = write_site([table_file(game) for game in GAMES], tmp_path / "site")
    assert not told.is_small
    found = contents(tmp_path / "site")
    assert all(name.startswith("tables/3-3-3/") for name in value_of(found["worker.js"])["small"])
    assert "tables/4-4-4-gravity/manifest.json" not in value_of(found["files.js"])
    assert "tables/4-4-4-gravity/manifest.json" in value_of(found["worker.js"])["files"]


def test_the_same_tables_give_the_same_files_and_others_another_version(
    site: dict[str, bytes], table_file: Tables, tmp_path: Path
) -> None:
    write_site([table_file(game) for game in reversed(GAMES)], tmp_path / "again")
    assert contents(tmp_path / "again") == site
    write_site([table_file("3,3,3")], tmp_path / "other")
    assert value_of(contents(tmp_path / "other")["worker.js"])["version"] != value_of(site["worker.js"])["version"]


def test_progress_counts_the_bytes_of_all_tables(table_file: Tables, tmp_path: Path) -> None:
    tables = [table_file("4,4,4,gravity"), table_file("4,4,4")]
    told: list[tuple[int, int]] = []
    write_site(tables, tmp_path / "site", progress=lambda *now: told.append(now))
    assert told == sorted(told)
    assert told[-1] == (sum(table.stat().st_size for table in tables),) * 2


def test_only_a_site_is_replaced_and_only_when_that_is_asked_for(
    table_file: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, folder = tmp_path / "home", tmp_path / "site"
    home.mkdir()
    (home / "letter.txt").write_text("dear")
    with pytest.raises(StorageError, match="holds something else than a site, so it stays; choose another"):
        write_site([table_file("3,3,3")], home, force=True)
    assert contents(home) == {"letter.txt": b"dear"}
    write_site([table_file("3,3,3")], folder)
    with pytest.raises(StorageError, match="exists; choose another, or replace it with --force"):
        write_site([table_file("4,4,4,gravity")], folder)
    write_site([table_file("4,4,4,gravity")], folder, force=True)
    assert not (folder / "tables" / "3-3-3").exists()
    monkeypatch.chdir(folder)
    write_site([table_file("3,3,3")], Path(), force=True)
    assert not (folder / "tables" / "4-4-4-gravity").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"home", "site"}


def test_the_command_says_what_it_wrote_and_how_to_try_it(table_file: Tables, tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "site"
    data.mkdir()
    for game in GAMES:
        shutil.copy(table_file(game), data)
    written = mnk("site", *GAMES, "3,3,3", "-o", folder, "--data", data, "--part-size", "20kB")
    assert written.exit_code == 0, written.stderr
    first, second, third = written.stdout.splitlines()
    assert re.fullmatch(
        rf"Wrote 2 games to {folder}: \d+ files, \d+ kB, the largest part of a table 20 kB, \d+\.\d+ s", first
    )
    assert second == f"Any static host serves it. Try it with `python -m http.server --directory {folder}`."
    assert third == f"Without a host, open {folder / 'index.html'}."
    assert len(list(folder.glob("tables/4-4-4-gravity/*.bin"))) == 2


def test_the_command_says_when_a_host_must_send_pieces(
    table_file: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (source,) = re.findall(r"MOST_WHOLE = (\S+);", (PAGE / "js" / "tables" / "source.js").read_text())
    assert int(source) == writing.MOST_WHOLE
    monkeypatch.setattr(writing, "MOST_WHOLE", 3_000)
    written = mnk("site", "3,3,3", "-o", tmp_path / "site", "--data", table_file("3,3,3").parent)
    assert "It needs a host that sends pieces of files (HTTP ranges)" in written.stdout
    assert "http.server" not in written.stdout


def test_what_cannot_be_written_is_refused_in_one_sentence(table_file: Tables, tmp_path: Path) -> None:
    data, folder = tmp_path / "data", tmp_path / "site"
    data.mkdir()
    shutil.copy(table_file("3,3,3"), data)

    def refused(exit_code: int, says: str, *arguments: str | Path) -> None:
        assert_refused(mnk("site", *arguments, "-o", folder, "--data", data), exit_code, says)

    refused(3, f"build it with `mnk build 4,4,4 --data {data}`", "3,3,3", "4,4,4")
    refused(1, "Parts of 1,000 bytes are too small", "3,3,3", "--part-size", "1kB")
    refused(2, "36 squares", "9,9,5")
    folder.mkdir()
    refused(5, "exists; choose another, or replace it with --force", "3,3,3")
    refused(5, "holds something else than a site", "3,3,3", "--force")
    assert {path.name for path in tmp_path.iterdir()} == {"data", "site"}


def test_a_site_is_written_without_the_extra_that_serves() -> None:
    code = (
        "import sys, solver.cli.site, solver.site.writing\n"
        "print({'fastapi', 'pydantic', 'uvicorn', 'numba'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"
