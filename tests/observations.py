"""The observations that `mnk verify --profile pettingzoo` gives to an agent."""

from typing import Any

from solver.game.position import Position
from solver.verification import host
from solver.verification.convention import Convention


def observe(position: Position) -> dict[str, Any]:
    """Return PettingZoo's observation of a position."""
    rules = position.rules
    convention = Convention.read({"profile": "pettingzoo"}, rules)
    request = convention.request(position)
    facts = {"rows": rules.diagram.rows, "columns": rules.diagram.columns, "gravity": rules.gravity}
    [seen] = host.make_arguments(request["form"], request, facts)
    assert isinstance(seen, dict)
    return seen
