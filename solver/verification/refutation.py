"""Find how to beat an engine as either side: the shortest line, the proof that there is none, or what to expect.

    tree = explore_play(rules, "X", cache)
    tree.find_loss()        # the first position in which the engine has lost, or None

When the whole tree is known and no line in it is lost, that is the proof that nobody beats the engine.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from solver.engines.results import MatchScore, score_game
from solver.game.position import Position
from solver.game.rules import Rules
from solver.tablebase import Prober
from solver.verification.contract import AnswerCache, Failure


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

    def expected_score(self, cache: AnswerCache) -> MatchScore:
        """Return the engine's score against the opponent that scores best against it, by expectimax.

        Giving no legal move loses. Needs a complete tree.
        """
        scores: dict[Position, MatchScore] = {}
        for position in reversed(self.parents):
            scores[position] = self._score(position, scores, cache)
        return scores[self.start]

    def _score(self, position: Position, scores: dict[Position, MatchScore], cache: AnswerCache) -> MatchScore:
        outcome = position.outcome
        if outcome is not None:
            return score_game(outcome, self.side)
        if position.to_move != self.side:
            replies = [scores[position.play(move)] for move in position.legal_moves]
            return min(replies, key=lambda score: (score.points, -score.losses))
        total = MatchScore()
        for move, chance in cache.chances(position).items():
            score = MatchScore(losses=Fraction(1)) if move is None else scores[position.play(move)]
            total += MatchScore(*(part * chance for part in score.parts))
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
            if not cache.ask(level):
                break
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


@dataclass(frozen=True)
class Refutation:
    """The answer to whether an engine that plays `side` from the empty board can be beaten."""

    side: str

    line: tuple[int, ...] | None
    """The shortest play by which it loses or, with a `forfeit`, the play up to there; None when none was found."""

    forfeit: Failure | None
    """The way in which it gave no legal move, if it is lost by that alone."""

    complete: bool
    """True if every reply was tried, so that no line means that there is none."""

    mistakes: tuple[int, ...]
    """Indices of those of its moves in the line that gave something away."""

    lost_anyway: bool
    """True if the game is lost for this side, however well it plays."""

    positions: int
    """Positions in which it was asked."""

    expected: MatchScore | None
    """The score against the opponent that is best against it, where it chooses at random."""

    exact: bool = False
    """True if its probabilities were known, False if they are estimated from its answers."""

    @property
    def beaten(self) -> bool | None:
        """True if it can be beaten, None where the search was cut off before that was known."""
        if self.line is not None:
            return True
        return False if self.complete else None


def find_refutation(truth: Prober, tree: PlayTree, cache: AnswerCache) -> Refutation:
    """Find how the engine is beaten in a tree of its play. Raises MissingTable, DamagedTable."""
    end = tree.find_loss()
    forfeit: Failure | None = None
    if end is None and tree.forfeits:
        end = tree.forfeits[0]
        failures = (answer.failure for answer in cache.answers(end) if answer.failure)
        forfeit = next(failures, Failure.ILLEGAL)
    line = None if end is None else tree.line_to(end)
    varies = any(len(cache.chances(position)) > 1 for position in tree.asked)
    wdl = truth.probe_wdl(tree.start)
    return Refutation(
        side=tree.side,
        line=line,
        forfeit=forfeit,
        complete=tree.complete,
        mistakes=tuple(_find_mistakes(truth, tree, line or ())),
        lost_anyway=(wdl if tree.start.to_move == tree.side else -wdl) < 0,
        positions=len(tree.asked),
        expected=tree.expected_score(cache) if tree.complete and varies else None,
        exact=cache.exact,
    )


def _find_mistakes(truth: Prober, tree: PlayTree, line: tuple[int, ...]) -> Iterator[int]:
    position = tree.start
    for index, move in enumerate(line):
        child = position.play(move)
        if position.to_move == tree.side and -truth.probe_wdl(child) < truth.probe_wdl(position):
            yield index
        position = child
