"""Tables written for the browser, and the page's modules that read them, run by the Node.js of Playwright."""

import json
import random
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest
from playwright._impl._driver import compute_driver_executable

from solver import MnkError, Position, parse_game
from solver.search.truth import open_truth
from solver.web.responses import error_answer
from solver.web.site.table_files import PART_SIZE, write_table_files
from tests.conftest import PACKAGE

Host = Literal["ranges", "whole"]
Ask = Callable[..., "Asked"]
Same = Callable[..., list[Any]]

PROGRAM = Path(__file__).parent / "ask.js"


class Asked(NamedTuple):
    """The answers of the page's modules, and their requests."""

    answers: list[dict[str, Any]]
    requests: int
    bytes: int


def run_node(*arguments: str | Path, stdin: str = "") -> str:
    """Run Node.js and return its output."""
    done = subprocess.run(
        [compute_driver_executable()[0], *arguments], input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rounded(answer: object) -> object:
    """Return an answer with the numbers of JavaScript, which rounds hashes above 2^53."""
    return json.loads(json.dumps(answer), parse_int=float)


def random_positions(game: str, count: int, seed: int = 1) -> list[Position]:
    """Positions of random games, from the empty board to the end of each."""
    rules, draw = parse_game(game), random.Random(seed)

    def walk() -> Iterator[Position]:
        while True:
            position = Position.start(rules)
            yield position
            while not position.is_over:
                position = position.play(draw.choice(position.legal_moves))
                yield position

    found = walk()
    return [next(found) for _ in range(count)]


@pytest.fixture(scope="session")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The modules of the page in a folder that Node.js recognizes as modules."""
    folder = tmp_path_factory.mktemp("modules")
    shutil.copytree(PACKAGE / "web" / "page" / "js", folder, dirs_exist_ok=True)
    shutil.copy(PROGRAM, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    return folder


@pytest.fixture(scope="session")
def written(table_file: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """`written("4,4,4", part_size=20_000)`: the folder of that table's files, written on first use."""

    @cache
    def write(game: str, metric: str = "distance", part_size: int = PART_SIZE, plies: int | None = None) -> Path:
        file = table_file(game, metric, plies)
        return write_table_files(file, tmp_path_factory.mktemp("written"), part_size=part_size)

    return write


@pytest.fixture(scope="session")
def ask(modules: Path) -> Ask:
    """`ask(folder, "positionAnswer", texts, host="whole")`: the page's answers from the files of tables."""

    def run(folder: Path | Sequence[Path], question: str, texts: Sequence[object], host: Host = "ranges") -> Asked:
        stdin, folders = json.dumps({"ask": question, "texts": texts}), [folder] if isinstance(folder, Path) else folder
        found = json.loads(run_node(modules / PROGRAM.name, modules, host, *folders, stdin=stdin))
        return Asked(found["answers"], **found["fetched"])

    return run


@pytest.fixture(scope="session")
def same(table_file: Callable[..., Path], written: Callable[..., Path], ask: Ask) -> Same:
    """`same(game, "positionAnswer", texts, answer)`: assert that the page answers as `answer(table, text)`."""

    def compare(
        game: str,
        question: str,
        texts: Sequence[Any],
        answer: Callable[[Any, Any], object],
        metric: str = "distance",
        plies: int | None = None,
    ) -> list[Any]:
        expected: list[object] = []
        with open_truth(parse_game(game), table_file(game, metric, plies)) as table:
            for text in texts:
                try:
                    expected.append(answer(table, text))
                except MnkError as error:
                    expected.append(error_answer(error))
        found = ask(written(game, metric, plies=plies), question, texts).answers
        for text, one, other in zip(texts, found, expected, strict=True):
            assert rounded(one) == rounded(other), text
        return found

    return compare
