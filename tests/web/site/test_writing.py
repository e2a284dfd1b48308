"""The files of a site and of its tables: their contents and sizes, that they are reproducible, and `mnk site`."""

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
from click.testing import Result

from solver import StorageError, open_tablebase
from solver.game.gallery import GALLERY
from solver.store.paths import SHIPPED
from solver.study.answers import game_answer, pictured_game
from solver.web.site import writing
from solver.web.site.page import PAGE
from solver.web.site.table_files import MANIFEST
from solver.web.site.writing import Site, write_site
from tests.commands import assert_refused, mnk
from tests.conftest import ROOT

Write = Callable[..., Path]
GAMES = ("4,4,4,gravity", "3,3,3")


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def manifest_of(folder: Path) -> Any:
    return json.loads((folder / MANIFEST).read_bytes())


def test_the_manifest_describes_the_files(table_file: Write, written: Write) -> None:
    manifest = manifest_of(written("4,4,4"))
    with open_tablebase(table_file("4,4,4")) as table:
        assert manifest["game"] == json.loads(json.dumps(game_answer(table.table, manifest["bytes"])))
    rules = manifest_of(written("4,4,3,exact"))["rules"]
    assert rules["x_lines"] == rules["o_lines"]
    assert {"012-3", "567-4", "048-c"} <= set(rules["x_lines"])
    assert rules["symmetries"][0]["permutations"][0] == "0123456789abcdef"


# Whole sites


def value_of(script: bytes) -> Any:
    """The JSON at the beginning of a script."""
    return json.JSONDecoder().raw_decode(script.decode().partition(" = ")[2])[0]


@pytest.fixture(scope="session")
def site(table_file: Write, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a site with two games."""
    folder = tmp_path_factory.mktemp("written") / "site"
    size = write_site([table_file(game) for game in GAMES], folder)
    found = contents(folder)
    part = max(len(data) for name, data in found.items() if name.endswith(".bin"))
    assert size == Site(len(found), sum(map(len, found.values())), part, is_small=True)
    return found


def test_the_document_names_existing_files_and_no_other_host(site: dict[str, bytes]) -> None:
    document = site["index.html"].decode()
    named = re.findall(r'(?:href|src)="([^"#?:]+)"', document)
    assert len(named) == 3
    assert set(named) <= set(site)
    assert "static/" not in document
    assert (
        "content=\"default-src 'self'; img-src 'self' blob: data:; script-src 'self' 'wasm-unsafe-eval'\"" in document
    )
    assert '<script type="module"' not in document


def test_a_site_contains_what_the_page_reads_first(site: dict[str, bytes]) -> None:
    index, folders = json.loads(site["tables/index.json"]), {"3,3,3": "3-3-3", "4,4,4,gravity": "4-4-4-gravity"}
    assert index["folders"] == folders
    assert index["games"] == [json.loads(site[f"tables/{name}/manifest.json"])["game"] for name in folders.values()]
    shown = [pictured_game(game, table=True) for game in GALLERY if game["game"] == "3,3,3"]
    assert json.loads(site["gallery.json"]) == json.loads(json.dumps({"games": shown, "families": []}))
    worker = value_of(site["worker.js"])
    others = {"worker.js", "files.js", ".nojekyll", "index.html", "preview.png"}  # other sites show it, not the page
    assert {*worker["files"], *worker["small"]} == {*site} - others | {"./"}
    assert set(worker["lasting"]) == {name for name in site if name.startswith("page-")}
    assert sorted(worker["marks"]) == sorted(re.findall(r"([0-9a-f]{12})-0\.bin", " ".join(site)))
    held = {name: base64.b64decode(text) for name, text in value_of(site["files.js"]).items()}
    assert held == {name: site[name] for name in site if name.startswith("tables/") or name == "gallery.json"}


def test_a_small_site_is_small_and_the_search_comes_with_an_opening_table(table_file: Write, tmp_path: Path) -> None:
    size = write_site([table_file("3,3,3")], tmp_path / "small")
    assert size.bytes < 230_000
    assert not [*(tmp_path / "small").glob("page-search-*")]
    write_site([SHIPPED / "mnk-6-7-4-gravity.sqlite"], tmp_path / "large")
    [search] = (tmp_path / "large").glob("page-search-*")
    assert f'data-search="{search.name}"' in (tmp_path / "large" / "index.html").read_text()


def test_equal_tables_give_an_equal_site_and_others_another_version(
    site: dict[str, bytes], table_file: Write, tmp_path: Path
) -> None:
    tables, seen = [table_file(game) for game in reversed(GAMES)], list[tuple[int, int]]()
    write_site(tables, tmp_path / "again", progress=lambda *now: seen.append(now))
    assert contents(tmp_path / "again") == site
    assert seen == sorted(seen)
    assert seen[-1][1] == sum(table.stat().st_size for table in tables)
    write_site(tables[:1], tmp_path / "other")
    assert value_of(contents(tmp_path / "other")["worker.js"])["version"] != value_of(site["worker.js"])["version"]


def test_only_a_site_is_replaced_and_only_on_request(
    table_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, folder = tmp_path / "home", tmp_path / "site"
    home.mkdir()
    (home / "letter.txt").write_text("dear")
    with pytest.raises(StorageError, match="is not a site"):
        write_site([table_file("3,3,3")], home, force=True)
    assert contents(home) == {"letter.txt": b"dear"}
    write_site([table_file("3,3,3")], folder)
    with pytest.raises(StorageError, match="--force"):
        write_site([table_file("4,4,4,gravity")], folder)
    write_site([table_file("4,4,4,gravity")], folder, force=True)
    assert not (folder / "tables" / "3-3-3").exists()
    for force in (False, True):
        (empty := tmp_path / f"empty {force}").mkdir()
        write_site([table_file("3,3,3")], empty, force=force)
    monkeypatch.chdir(folder)
    write_site([table_file("3,3,3")], Path(), force=True)
    assert not (folder / "tables" / "4-4-4-gravity").exists()
    assert {path.name for path in tmp_path.iterdir()} == {"home", "site", "empty False", "empty True"}


def test_the_command_reports_what_it_wrote_and_refuses_what_it_cannot(
    table_file: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data, folder = tmp_path / "data", tmp_path / "a site"
    data.mkdir()
    for game in GAMES:
        shutil.copy(table_file(game), data)

    def run(*arguments: str | Path) -> Result:
        return mnk("site", *arguments, "-o", folder, "--data", data)

    for code, message, *arguments in (
        (3, f"build a table with `mnk build 4,4,3 --data {data}`", "3,3,3", "4,4,3"),
        (3, "36 squares", "9,9,5"),
        (3, "only a strategy; `mnk serve` shows it", "3,3,3", "6,6,4"),
    ):
        assert_refused(run(*arguments), int(code), str(message))
    assert not folder.exists()
    wrote = run(*GAMES, "3,3,3")
    assert wrote.exit_code == 0, wrote.stderr
    for fact in (f"2 games to {folder}", f"http.server --directory '{folder}'", str(folder / "index.html")):
        assert fact in wrote.stdout
    assert_refused(run("3,3,3"), 5, "--force")
    (source,) = re.findall(r"MOST_WHOLE = (\S+);", (PAGE / "js" / "tables" / "source.js").read_text())
    assert int(source) == writing.MOST_WHOLE
    monkeypatch.setattr(writing, "MOST_WHOLE", 3_000)
    wrote = run("3,3,3", "--force")
    assert "HTTP ranges" in wrote.stdout
    assert "http.server --directory" not in wrote.stdout


def test_a_site_is_written_without_the_extra_that_serves() -> None:
    code = (
        "import sys, solver.cli.site, solver.web.site.writing\n"
        "print({'fastapi', 'pydantic', 'uvicorn', 'numba'} & {*sys.modules})"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout == "set()\n"
