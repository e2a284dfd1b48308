"""Review a file of games, a game a line, and add up how everybody played."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from solver.errors import MnkError, NotationError
from solver.game.rules import Side
from solver.study.review import Review, SideReview, Sides, add_sides, review_game
from solver.support.schemas import Answer, Described
from solver.tablebase import Tablebase


class PlayerReview(SideReview):
    """How one player did in all their games, on either side."""

    player: str


class Total(Answer):
    """How several games were played."""

    games: int
    won: Annotated[dict[str, int], Described("Games won by X, by O, drawn, and not over.", {"X": 3, "O": 1, "draw": 2})]
    flawless: Annotated[int, Described("Games in which nobody gave the result away.")]
    sides: Sides
    players: Annotated[list[PlayerReview], Described("Those whose names the games tell, the most accurate first.")]


class Reviews(Answer):
    """The reviews of several games, and their total."""

    games: list[Review]
    total: Total


def review_file(table: Tablebase, file: Path) -> Reviews:
    """Review the games of a file: lines of JSON as `mnk match --json` prints them, or moves, a game a line.

    Empty lines, comments after `#`, and the result at the end of a match are passed over. Raises NotationError and
    IllegalMove, which name the line.
    """
    reviews = []
    for number, game in _read_lines(file):
        try:
            reviews.append(review_game(table, game))
        except MnkError as error:
            raise type(error)(f"Line {number} of {file}: {error}") from error
    if not reviews:
        raise NotationError(f"There is no game in {file}; write a game a line, its moves or an object of JSON.")
    return {"games": reviews, "total": add_reviews(reviews)}


def add_reviews(reviews: list[Review]) -> Total:
    """Add up some reviews."""
    outcomes = [review["outcome"] or "unfinished" for review in reviews]
    return {
        "games": len(reviews),
        "won": {outcome: outcomes.count(outcome) for outcome in ("X", "O", "draw", "unfinished")},
        "flawless": sum(review["lost_at"] is None for review in reviews),
        "sides": {"X": _add(reviews, "X"), "O": _add(reviews, "O")},
        "players": sorted(_players(reviews), key=lambda player: -(player["accuracy"] or 0)),
    }


def _add(reviews: list[Review], side: Side) -> SideReview:
    return add_sides(review["sides"][side] for review in reviews)


def _players(reviews: list[Review]) -> Iterator[PlayerReview]:
    played: dict[str, list[SideReview]] = {}
    for review in reviews:
        sides = review["sides"]["X"], review["sides"]["O"]
        for name, side in zip(review["players"] or (), sides, strict=False):
            played.setdefault(name, []).append(side)
    for name, reviewed in played.items():
        yield {"player": name, **add_sides(reviewed)}


def _read_lines(file: Path) -> Iterator[tuple[int, Any]]:
    """Yield the number and the content of each line that holds a game."""
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        if text.startswith("{"):
            try:
                found = json.loads(text)
            except (ValueError, RecursionError) as error:
                raise NotationError(
                    f"Line {number} of {file} begins as JSON and can't be read as such: {error}."
                ) from error
            if "moves" in found or "result" not in found:
                yield number, found
        else:
            yield number, text
