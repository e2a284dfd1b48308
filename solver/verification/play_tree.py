"""Explore everything that can happen when an engine plays one side: its own moves against every reply.

    tree = explore_play(rules, "X", cache)
    tree.find_loss()        # the first position in which the engine has lost, or None

When the whole tree is known and no line in it is lost, that is the proof that nobody beats the engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from solver.game.position import Position
from solver.game.rules import Rules
from solver.match.score import Score, score_game
from solver.verification.answer_cache import AnswerCache

__all__ = ["PlayTree", "explore_play"]


@dataclass
class PlayTree:
    """The positions that arise when the engine plays `side`."""

    side: str
    start: Position

    parents: dict[Position, tuple[Position, int] | None] = field(default_factory=dict)
    """Every position, by ply, with the position and the move that first led there."""

    asked: list[Position] = field(default_factory=list)
    """Those where the engine is to move."""

    forfeits: list[Position] = field(default_factory=list)
    """Those where it gave no legal move, at least once."""

    complete: bool = True
    """True if these are all the positions, False if the search was cut off."""

    def line_to(self, position: Position) -> tuple[int, ...]:
        """Return the shortest play that leads to a position of the tree, as squares."""
        line = []
        while (step := self.parents[position]) is not None:
            position, move = step
            line.append(move)
        return tuple(reversed(line))

    def find_loss(self) -> Position | None:
        """Return the first position that the opponent has won, None if there is none."""
        opponent = "O" if self.side == "X" else "X"
        return next((position for position in self.parents if position.outcome == opponent), None)

    def expected_score(self, cache: AnswerCache) -> Score:
        """Return the engine's score against the opponent that scores best against it, by expectimax.

        Giving no legal move loses. Needs a complete tree.
        """
        scores: dict[Position, Score] = {}
        for position in reversed(self.parents):
            scores[position] = self._score(position, scores, cache)
        return scores[self.start]

    def _score(self, position: Position, scores: dict[Position, Score], cache: AnswerCache) -> Score:
        outcome = position.outcome
        if outcome is not None:
            return score_game(outcome, self.side)
        if position.to_move != self.side:
            replies = [scores[position.play(move)] for move in position.legal_moves]
            return min(replies, key=lambda score: (score.points, -score.losses))
        total = Score()
        for move, chance in cache.chances(position).items():
            score = Score(losses=Fraction(1)) if move is None else scores[position.play(move)]
            total += Score(*(part * chance for part in score.parts))
        return total


def explore_play(
    rules: Rules, side: str, cache: AnswerCache, most: int | None = None, *, until_beaten: bool = False
) -> PlayTree:
    """Follow the engine's moves as `side` against every reply, ply by ply.

    most: how many questions may be put; None for as many as it takes. until_beaten: stop at the first loss.
    """
    start = Position.start(rules)
    tree = PlayTree(side, start, {start: None})
    level = [start]
    while level and not (until_beaten and (tree.forfeits or tree.find_loss())):
        if level[0].to_move == side:
            if most is not None and len(tree.asked) + len(level) > most:
                break
            cache.ask(level)
            tree.asked += level
        level = list(_expand_level(tree, level, cache))
    tree.complete = not level
    return tree


def _expand_level(tree: PlayTree, level: list[Position], cache: AnswerCache) -> Iterator[Position]:
    """Add the positions one ply later to the tree; yield those where the game goes on."""
    for position in level:
        moves = [*position.legal_moves]
        if position.to_move == tree.side:
            chosen = cache.chances(position)
            if None in chosen:
                tree.forfeits.append(position)
            moves = sorted(move for move in chosen if move is not None)
        for move in moves:
            child = position.play(move)
            if child not in tree.parents:
                tree.parents[child] = position, move
                if not child.is_over:
                    yield child
