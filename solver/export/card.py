"""The data card of an exported file, in Markdown: what it has, how to reproduce and check it, and how to cite it."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from typing import TYPE_CHECKING

from solver.export.strategy import STRATEGY_COLUMNS
from solver.export.writers import COLUMNS
from solver.game.descriptions import describe_rules, describe_value
from solver.game.rules import Rules
from solver.game.value import Value
from solver.store.paths import build_command, default_folder
from solver.store.schema import PLIES_COLUMNS
from solver.store.strategy_file import StrategyReader
from solver.support.english import plural

if TYPE_CHECKING:
    from solver.export.table import Plies
    from solver.tablebase import Tablebase


def write_table_card(
    table: "Tablebase", file: Path, count: int, options: str, plies: "Plies | None", *, canonical: bool
) -> str:
    """Return the data card of positions of a table. options: the `mnk export` options used for the file."""
    kind, rules = "canonical position" if canonical else "position", table.rules
    last = "" if table.opening_plies is None else f" --plies {table.opening_plies}"
    root = describe_value(Value(int(table.meta["root_wdl"] or 0)), "X")
    counts = [["" if row[name] is None else f"{row[name]:,}" for name in PLIES_COLUMNS] for row in table.plies()]
    section = f"""\
## Positions of the {"whole game" if table.opening_plies is None else "table"} by ply

Won, drawn and lost are for the side to move. Canonical positions are counted up to symmetry.

{_markdown([list(PLIES_COLUMNS), *counts])}

"""
    return _write(
        rules, file, f"The value of every {kind}{_range(plies)} of {rules}", f"Result with best play: {root}.",
        plural(count, "position"), COLUMNS, section, f"--metric {table.metric}{last}", options,
        f"The digest of all values depends only on the game, the metric ({table.metric}) and, for an opening table, "
        "the last ply, so that other solvers can compare it", str(table.meta["builder"]), str(table.meta["digest"]),
    )  # fmt: skip


def write_strategy_card(reader: StrategyReader, file: Path, count: int, options: str, plies: "Plies | None") -> str:
    """Return the data card of the moves of a strategy. options: the `mnk export` options used for the file."""
    header, rules = reader.header, reader.rules
    others = f"{plural(header.leaves, 'other position')} {'needs' if header.leaves == 1 else 'need'} no stored move"
    how = f"{'Found' if header.is_unfinished else 'Proved'} by {header.method}."
    section = f"{how}{f' {others}: a short search finds it.' * bool(header.leaves)}\n\n"
    return _write(
        rules, file, f"The moves of a strategy of {rules}{_range(plies)}", f"{header}.", plural(count, "move"),
        STRATEGY_COLUMNS, section, "--force", options, "The digest is that of the claim and all moves", reader.builder,
        reader.digest,
    )  # fmt: skip


def _range(plies: "Plies | None") -> str:
    return f" with {plies[0]} to {plies[1]} stones" if plies else ""


def _write(
    rules: Rules,
    file: Path,
    title: str,
    result: str,
    content: str,
    columns: Mapping[str, str],
    section: str,
    build_options: str,
    export_options: str,
    about_digest: str,
    builder: str,
    digest: str,
) -> str:
    described = describe_rules(rules)
    with file.open("rb") as opened:
        checksum = file_digest(opened, "sha256").hexdigest()
    return f"""\
# {title}

{described[:1].upper()}{described[1:]}. {result}

`{file.name}` has {content} ({file.stat().st_size:,} bytes, SHA-256 `{checksum}`). MIT licence.

{_markdown([["column", "content"], *([f"`{name}`", words] for name, words in columns.items())])}

{section}## To reproduce, verify and cite

    {build_command(rules, default_folder())} {build_options}
    mnk check {rules}
    mnk export {rules}{export_options}

{about_digest}:

    @misc{{mnk{"".join(filter(str.isalnum, rules.name))},
      author = {{{{the mnk-tablebase authors}}}},
      title = {{{{{title}}}}},
      year = {{{datetime.now(UTC).year}}},
      note = {{mnk-tablebase {builder}, digest {digest}}},
    }}
"""


def _markdown(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], ["---"] * len(rows[0]), *rows[1:]])
