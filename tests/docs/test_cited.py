"""Measured figures on pages come from data, and the same command prints the same everywhere."""

import json
import re
from pathlib import Path

import pytest
from parts import parts, without_parts

from solver import check
from solver.cli.check import command as check_command
from tests.conftest import PACKAGE, ROOT, Kept
from tests.docs.cited import figures
from tests.docs.pages import DOCS, FENCE, PAGES, READMES, cells, console, name

NUMBER = r"(?<![\w.,])(?:\d[\d.,]*|half an?|one|two|three|four|five|six|eight|ten|twelve|twenty|thirty)"
UNIT = r"(?:ms|[µn]?s|seconds?|minutes?|hours?|[kMGT]B(?:/s)?|bytes|gigabytes?|%)(?!\w)"
QUANTITY = re.compile(rf"{NUMBER} {UNIT}|\d+(?:,\d{{3}}){{2,}}", re.IGNORECASE)
TEXTS = [*PAGES, ROOT / "CONTRIBUTING.md", *sorted(PACKAGE.rglob("README.md"))]
CITATION = ROOT / "CITATION.cff"
READING = {"ten minutes"}  # the time that the tutorial takes its reader
PAGE_FILE = {"4 MB", "16 MB", "90 MB"}  # the sizes of files that a site writes and its page accepts
NOT_MEASURED = {
    "README.md": {"89.6 GB", *READING},  # as published: data/facts/connect4_boards.json
    **dict.fromkeys(("docs/index.md", "docs/tutorial.md"), READING),
    "docs/how-to/prove.md": {"half a minute"},  # a limit
    "docs/how-to/class.md": {"60 seconds"},  # an option of the example
    "docs/how-to/connect-four.md": {"ten seconds", "4 GB", "95 %"},  # limits, and a quantile
    "docs/solved.md": {"3,009,081,623,421,558"},  # published
    "docs/how-to/web.md": {*PAGE_FILE, "95 %"},
    "docs/how-to/play.md": {"95 %"},  # an interval
    "docs/explanation/compared.md": {
        "20 kB",
        "140 kB",
        "180 kB",
    },  # sizes that another test compares
    "docs/how-to/wrap.md": {"ten seconds"},  # the limit of a move
    "docs/reference/file-format.md": {"three bytes", "4 bytes", "512 kB", "128 MB"},  # the format
    "docs/reference/grading.md": {"4 GB", "10 MB", "95 %"},  # limits, and an interval
    "solver/solve/README.md": {"five seconds", "half a minute"},  # the intervals of the lock
    "solver/store/README.md": {"three bytes"},  # a worked page
    "solver/web/site/README.md": {"4 MB", "16 MB", "256 kB", "0.05 s", "10 s"},  # limits
}
"""The quantities that are not measured: limits, sizes that a format prescribes, published figures."""


ONLY_ON_THE_SITE = {"{addresses}", "{atlas}", "{solved}", "{game}", "{eval-rst}", "{notebook}"}
CITING = {
    "CHANGELOG.md": ["on boards of up to {most_squares} squares", "file (format {format})"],
    "README.md": [
        "needs {installed} and about {first_answer}. You",
        "openings on large boards | {installed_build} |",
        "the HTTP API | {installed_serve} |",
        "charts and PNG | {installed_pictures} |",
        "Parquet | {installed_export} |",
        "several machines | {installed_cluster} |",
        "all of the above | {installed_all} |",
        "`mnk verify` | {installed_openspiel} |",
        "takes about {first_build} on a quiet machine",
        "has {positions_554} positions; on two",
        "boards of more than {most_board} squares, such",
        "build takes {time_554}, {memory_554} of memory and {file_554} of disk.",
        "hidden information | {openspiel_444}, without",
        "one page | {minimax_444}, memoised",
        "stored data | {build_444}, with distances, {size_444} |",
        "Whole tables can be built for boards of at most {most_squares} squares; memory",
        "On more than {distance_squares} squares, a whole table",
        "up to ply {opening_plies}; a search",
    ],
    "docs/atlas.md": [
        "On 7 points, X wins {x_wins_7} of the {graphs_7} strong games. For {maker_only_7}, only Maker",
        "On 8 points, X wins {x_wins_8} of the {graphs_8} strong games. For {maker_only_8}, only Maker",
        "For `k` = 4, the smallest `n` at which Maker wins is {least_maker_4}; the smallest",
        "wins the strong game is {least_value_4}. For",
        "For `k` = 5, the smallest `n` at which Maker wins is {least_maker_5}. The strong game of {least_maker_5} num",
        "`n` = 7 takes {classes_seven} |",
    ],
    "docs/course.md": ["Python for the browser ({pyodide})."],
    "docs/explanation/proofs.md": [
        "begins with h8 and wins within {gomoku_plies} plies, with",
        "claims 35. It has {gomoku_rows} moves, up to",
        "legal reply to every move, {gomoku_replies} in all, in {gomoku_checked} of processor time",
        "wins within {exact_plies} plies here; the strategy has {exact_rows} moves. Its search tried",
        "checked again under this rule, against {exact_replies} replies.",
    ],
    "docs/explanation/right.md": [
        "all {checked_554} unfinished positions with their {successors_554} successors, in {check_554}. ```console"
    ],
    "docs/how-to/build.md": [
        "those of up to {row_squares} squares are solved on one machine",
        "also needs {memory_compile} of memory",
        "size of {built_games} builds.",
    ],
    "docs/how-to/connect-four.md": [
        "table of the first {opening_plies} plies",
        "up to {opening_memory} of memory",
        "all moves within {after_table} in 95",
        "empty board takes {empty_connect_four}. The",
        "which takes about {first_build}. Searches",
        "Connect Four has {book_positions} such",
        "One core takes about {book} to search",
    ],
    "docs/how-to/data.md": [
        "On more than {hashed_squares} squares, hashes",
        "of up to {row_squares} squares has one row",
        "of more than {row_squares} squares consists",
        "contain up to {batch} positions",
        "Games of up to {walked} positions",
        "At most {objects} of its positions",
    ],
    "docs/how-to/look-up.md": ["games with up to {small_squares} squares"],
    "docs/how-to/play.md": [
        "on up to {learner_squares} squares",
        "play on up to {playout_squares}. On",
    ],
    "docs/how-to/prove.md": [
        "boards of more than {one_search} squares",
        "(15,15,5, within {gomoku_plies} plies; 15,15,5,exact, within {exact_plies})",
    ],
    "docs/reference/games.md": [
        "Whole tables can be built for boards of at most {most_squares} squares. Matches",
        "searches of late positions, are possible on boards of at most {most_board} squares.",
    ],
    "docs/reference/grading.md": [
        "seconds per move | {move_seconds} |",
        "if they are at least {fewest} | {budget} |",
        "memory, processes | {engine_memory}, {processes} |",
        "seconds to import the engine | {start_seconds} |",
        "After {failed} timeouts or",
        "at most {asked}, otherwise {sample} at random; {late_sample} if",
        "with a whole table, or at most {small_squares} squares | any",
        "of at least {threat_squares} squares, without",
        "Above {asked} positions, it plays a random sample of {sample}, and",
    ],
    "docs/reference/command-line.md": [
        "the default up to {distance_squares} squares",
        "default: {opening_plies} if a whole",
        "of over {row_squares} squares, or N",
        "in total; default: {budget}. Then",
        "position that no table contains. [default: {search_seconds}; x>0] |",
        "fit this machine. [default: {proof_seconds}; x>0]",
    ],
    "docs/reference/file-format.md": [
        "is the format version, {format}. A reader",
        "`format`, `builder` | {format}; the",
        "in games of up to {row_squares} squares: a",
        "has more than {symmetries} symmetries",
        "its `user_version` is {strategy_format}. It",
        "- `format`, `builder`: {strategy_format}; the",
    ],
    "docs/how-to/web.md": [
        "begin {client_games} live games",
        "small tables (up to {site_small} in",
        "parts of {site_part}, because",
        "file of up to {site_whole} in",
        "answers about {requests} requests",
        "looks up {batched} positions",
        "downloads {site_554} on average",
        "values appear within {site_search}. - **Offline",
        "after about {verify_browser} |",
    ],
    "docs/tutorial.md": ["which takes about {first_build}. Now"],
    "docs/solved.md": ["positions: {positions_clique4}. Its 362,880 symmetries leave {canonical_clique4} to"],
}
"""The sentences that cite measured figures and limits, by their names in `cited`."""


def quantities(page: Path) -> set[str]:
    """The numbers with a unit, and those of a million and more, in the text of a page without its cells."""
    text = FENCE.sub("", without_parts(page.read_text(encoding="utf-8")))
    return set(QUANTITY.findall(" ".join(text.split())))


@pytest.mark.parametrize("page", TEXTS, ids=name)
def test_measured_figures_are_not_typed_by_hand(page: Path) -> None:
    cited = {key for sentence in CITING.get(name(page), ()) for key in re.findall(r"{(\w+)}", sentence)}
    allowed = NOT_MEASURED.get(name(page), set()) | {figures(ROOT)[key] for key in cited}
    assert quantities(page) - allowed == set()
    assert NOT_MEASURED.get(name(page), set()) <= quantities(page)


@pytest.mark.parametrize("page", [ROOT / page for page in CITING], ids=name)
def test_pages_have_the_measured_figures(page: Path, kept: Kept) -> None:
    cited = figures(ROOT)
    for sentence in CITING[name(page)]:
        words = re.sub(r"\\{\w+\\}", "(.{1,60}?)", re.escape(sentence)).replace(r"\ ", r"\s+")
        (found,) = re.finditer(words, page.read_text(encoding="utf-8"), re.DOTALL)
        now, start = found[0], found.start()
        for number, key in reversed([*enumerate(re.findall(r"{(\w+)}", sentence), 1)]):
            now = now[: found.start(number) - start] + cited[key] + now[found.end(number) - start :]
        kept.part(page, found[0], now)


def test_generated_parts_are_those_of_the_code_and_the_data(kept: Kept) -> None:
    made = [(page, *part) for page in PAGES for part in parts(page.read_text(encoding="utf-8"))]
    assert len(made) > 5
    for page, before, now in made:
        kept.part(page, before, now, str.split)


@pytest.mark.parametrize("page", [*TEXTS, *READMES], ids=name)
def test_pages_read_without_a_build(page: Path) -> None:
    """Nothing in a file waits for a value; what only the site shows is announced in the text, or linked."""
    text = page.read_text(encoding="utf-8")
    assert re.findall(r"\{\{ *\w+ *\}\}", text) == []
    empty = {cell.kind for cell in cells(page) if cell.kind in ONLY_ON_THE_SITE}
    assert not empty or "Only the site" in text
    shown = re.findall(r"^`{3,}\{(?:literal)?include\} (\S+)$", text, re.MULTILINE)
    assert [file for file in shown if not re.search(rf"\]\({re.escape(file)}[#)]", text)] == []
    assert re.findall("^:(?:start|end)-.*", text, re.MULTILINE) == [], "a part of another file"


def test_each_figure_measured_by_hand_has_its_command() -> None:
    rows = json.loads((ROOT / "data" / "benchmarks" / "by_hand.json").read_bytes())
    command = re.compile(
        r"`(?:pip install|mnk|git clone|scripts/\S+\.py|graph_games) |`pip install`|printed by|\*Run\*"
    )
    assert [row["name"] for row in rows if not command.search(f"{row['what']} {row['how']}")] == []


def test_a_command_prints_the_same_on_every_page() -> None:
    """Only times could differ, because another test compares the rest with what the command prints."""
    shown: dict[str, set[str]] = {}
    for page in PAGES:
        for cell in cells(page):
            for command, output in console(cell.text) if cell.kind == "console" else ():
                for line in output.splitlines() if command.startswith("mnk build") else [output]:
                    shown.setdefault(line.partition(":")[0] if line != output else command, set()).add(line)
    assert {about: lines for about, lines in shown.items() if len(lines) > 1} == {}


def test_texts_agree_on_what_a_check_shares_with_the_solver() -> None:
    shared = (
        "the lines and symmetries of the game, the counts of positions, and the reader of files are those of the solver"
    )
    command = " ".join((check_command.help or "").split())
    right = (DOCS / "explanation" / "right.md").read_text(encoding="utf-8")
    assert all(shared in text for text in (command, right, " ".join((check.__doc__ or "").split())))
    code = [*sorted(PACKAGE.rglob("*.py")), *sorted((ROOT / "scripts").rglob("*.py"))]
    texts = {page: " ".join(page.read_text(encoding="utf-8").split()) for page in [*TEXTS, *READMES, *code, CITATION]}
    claims = r"shares? no code|shares? no[^.]*with the solver|separate code"
    assert {name(page) for page, text in texts.items() if re.search(claims, text)} == {"solver/kernels/recheck.py"}
