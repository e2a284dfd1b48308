"""An agent for PettingZoo's games: the first action that its mask allows."""

from typing import Any


def act(observation: Any, action_mask: Any) -> int:
    assert list(observation["action_mask"]) == list(action_mask)
    return int(action_mask.argmax())
