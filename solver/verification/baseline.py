"""Read a report that was kept as JSON, against which only what got worse counts."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from solver.errors import EngineError
from solver.game.rules import Rules
from solver.verification.grade import SEVERITY, Verdict

__all__ = ["Baseline", "read_baseline"]

_RANKS = {kind.value: rank for rank, kind in enumerate(SEVERITY)}


@dataclass(frozen=True)
class Baseline:
    """The faults that were known before."""

    name: str
    """The file it was read from."""

    faults: Mapping[int, str]
    """The kind of fault by the hash of the position."""

    beaten: frozenset[str] = frozenset()
    """The sides `X`, `O` that were beaten."""

    def is_worse(self, verdict: Verdict) -> bool:
        """Return True for a fault in a position that was right before, or a worse one than before."""
        if verdict.fault is None:
            return False
        known = self.faults.get(verdict.position.hash)
        return known is None or _RANKS[verdict.fault.value] > _RANKS[known]


def read_baseline(path: Path, rules: Rules) -> Baseline:
    """Read what `mnk verify --format json` wrote. Raises EngineError when it is something else, or of another game."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
        game = str(report["game"])
        faults = {int(fault["hash"]): str(fault["kind"]) for fault in report["faults"] if fault["kind"] in _RANKS}
        beaten = frozenset(side for side in "XO" if report[f"beaten_as_{side.lower()}"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise EngineError(
            f"{path} can't be read as a baseline ({error}); write one with `mnk verify ... --format json -o FILE`."
        ) from error
    if game != rules.name:
        raise EngineError(f"The baseline {path} is of {game}, not of {rules}; write one of this game.")
    return Baseline(path.name, faults, beaten)
