"""Train with puzzles: draw one after another, and count streaks of solved puzzles and of days."""

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Final

from solver.errors import PositionError, StorageError
from solver.study.puzzles import Level, Puzzle, Theme, draw_puzzles
from solver.support.files import write_file
from solver.tablebase import Tablebase

_RISES: Final[tuple[tuple[int, Level], ...]] = ((6, "hard"), (3, "medium"), (0, "easy"))  # from these streaks on
_MOST_OF_A_LEVEL: Final = 3_000  # positions that are drawn for a level that follows from the streak


@dataclass
class Streak:
    """The results of a person at the puzzles of one game."""

    running: int = 0
    """Puzzles solved since the last mistake."""
    best: int = 0
    solved: int = 0
    tried: int = 0
    days: int = 0
    """Consecutive days with a solved daily puzzle."""
    last_day: str | None = None
    """The day of the last daily puzzle."""

    def count(self, right: bool) -> None:
        """Count an answer."""
        self.tried += 1
        self.solved += right
        self.running = self.running + 1 if right else 0
        self.best = max(self.best, self.running)

    def count_day(self, day: date, right: bool) -> None:
        """Count the first answer to the puzzle of a day; a missed day ends the streak."""
        if self.last_day == day.isoformat():
            return
        follows = self.last_day == (day - timedelta(1)).isoformat()
        self.days = (self.days if follows else 0) + 1 if right else 0
        self.last_day = day.isoformat()


@dataclass
class Trainer:
    """A source of puzzles, whose level rises with the streak unless it is given."""

    table: Tablebase
    seed: object
    level: Level | None = None
    theme: Theme | None = None
    _number: int = 0

    def draw(self, streak: int) -> Puzzle:
        """Return the next puzzle. Raise PositionError if no puzzle of the requested kind is found."""
        self._number += 1
        seed = f"{self.seed} {self._number}"
        if self.level is None:
            rising = next(level for least, level in _RISES if streak >= least)
            with suppress(PositionError):  # some kinds of puzzles are missing at some levels
                return draw_puzzles(self.table, seed, level=rising, theme=self.theme, most=_MOST_OF_A_LEVEL)[0]
        return draw_puzzles(self.table, seed, level=self.level, theme=self.theme)[0]


def streaks_file() -> Path:
    """Return the file of streaks: `mnk/streaks.json` in $XDG_STATE_HOME, by default ~/.local/state."""
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "mnk" / "streaks.json"


def load_streaks(file: Path) -> dict[str, Streak]:
    """Return the streak of each game, none if the file is missing. Raise StorageError if it can't be read."""
    try:
        return {game: Streak(**kept) for game, kept in json.loads(file.read_text(encoding="utf-8")).items()}
    except FileNotFoundError:
        return {}
    except (ValueError, TypeError, AttributeError) as error:
        raise StorageError(f"The file of streaks {file} can't be read ({error}); delete it to start again.") from error


def save_streaks(file: Path, streaks: dict[str, Streak]) -> None:
    """Write the streaks to a file. Raise StorageError."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(f"The folder {file.parent} can't be made: {error.strerror}; set XDG_STATE_HOME.") from error
    write_file(file, json.dumps({game: asdict(streak) for game, streak in streaks.items()}, indent=1) + "\n")
