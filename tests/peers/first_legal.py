"""An agent for PettingZoo's games: the first action that its mask allows."""

from typing import Any


def act(observation: Any) -> int:
    return int(observation["action_mask"].argmax())
