"""Live games: two people play on two devices, and the server keeps the moves, the sides and the clock.

Each player has a secret *seat*. A player's page sends the moves that it shows, again and again: if they are one move
ahead, the move is played; otherwise, the response waits until the other player moves. So a request may be repeated,
and a page that was closed catches up. Games are kept in the memory of one process. Each client has a bounded number of
games and of waiting responses, so that no client ends the games of others.
"""

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic
from typing import Annotated, Final

from anyio import Event, move_on_after

from solver.errors import MnkError
from solver.game.notation import square_name
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.support.json_types import Answer, Described
from solver.web.responses import Busy

MOST_GAMES: Final = 1000  # kept at the same time
MOST_OF_CLIENT: Final = 50  # kept of the games that a client began; for each, both players may wait
MOST_WAITING: Final = 500  # responses that wait at the same time
WAIT: Final = 2.0  # the seconds that a response waits for a move, at most; `mnk serve` stops after 3 seconds
_SEAT_BYTES: Final = 12  # random, so that nobody guesses a seat


class NoLiveGame(MnkError):
    """No live game has this seat: it was removed, or the server has been restarted."""

    http_status = 404


class Seat(Answer):
    """The seat of a player in a new live game."""

    seat: Annotated[str, Described("A secret: whoever has it plays for this player.", example="mZx1c0dGd2xQ8k3b")]


class LiveGame(Answer):
    """A live game, as one of its players sees it."""

    game: Annotated[str, Described(example="3,3,3")]
    round: Annotated[int, Described("The number of the game between these players, from 1.", example=1)]
    side: Annotated[Side, Described("The side that this player plays in this round.")]
    moves: Annotated[list[str], Described(example=["b2", "a1"])]
    clock: Annotated[int, Described("Minutes for each side; 0: no clock.", example=3)]
    left: Annotated[dict[Side, float], Described("Seconds of each side.", {"X": 171.5, "O": 180.0})]
    late: Annotated[Side | None, Described("The side that has run out of time.")]
    invitation: Annotated[str | None, Described("The seat of the other player, until that player has come.")]


@dataclass
class _Game:
    """A live game. Times are in seconds. They run from the first move of a round, once both players have come."""

    position: Position
    minutes: int
    client: str  # the one that began it
    seats: tuple[str, str] = field(default_factory=lambda: (token_urlsafe(_SEAT_BYTES), token_urlsafe(_SEAT_BYTES)))
    number: int = 1  # of the round
    moves: list[str] = field(default_factory=list)
    left: dict[Side, float] = field(default_factory=dict)  # at the last move
    moved: float = 0.0  # the time of the last move
    changed: Event = field(default_factory=Event)
    x_seat: int = 0  # whose player is X in this round
    joined: bool = False  # whether the second player has come

    def __post_init__(self) -> None:
        self.set_clock()

    def set_clock(self) -> None:
        """Give both sides their whole time."""
        self.left = {"X": 60.0 * self.minutes, "O": 60.0 * self.minutes}

    def side_of(self, seat: str) -> Side:
        return "X" if self.seats.index(seat) == self.x_seat else "O"

    def time_left(self, side: Side) -> float:
        """Return a side's time."""
        runs = self.runs and side == self.position.to_move
        return max(0.0, self.left[side] - (monotonic() - self.moved if runs else 0.0))

    @property
    def runs(self) -> bool:
        """True if the time of the side to move runs."""
        return bool(self.minutes and self.moves and self.joined and not self.position.is_over)

    @property
    def late(self) -> Side | None:
        """The side that ran out of time in this round."""
        side = self.position.to_move
        return side if self.minutes and not self.position.is_over and self.time_left(side) == 0 else None

    def play(self, seat: str, name: str) -> None:
        """Play a move if it is legal and this player's turn."""
        position, side = self.position, self.side_of(seat)
        squares = {square_name(position.rules, square): square for square in position.legal_moves}
        if side == position.to_move and name in squares and not self.late:
            self.left[side], self.moved = self.time_left(side), monotonic()
            self.position = position.play(squares[name])
            self.moves.append(name)
            self.notify()

    def begin_round(self) -> None:
        """Begin the next round if this one is over: its loser is X; after a draw, the players change sides."""
        if self.late or self.position.is_over:
            if "O" not in (self.position.outcome, self.late and OTHER[self.late]):
                self.x_seat = 1 - self.x_seat
            self.number, self.position, self.moves = self.number + 1, Position.start(self.position.rules), []
            self.set_clock()
            self.notify()

    def notify(self) -> None:
        """Send the responses that wait."""
        self.changed.set()
        self.changed = Event()

    def seen_from(self, seat: str) -> LiveGame:
        """Return the game as this player sees it."""
        first, second = self.seats
        return {
            "game": self.position.rules.name,
            "round": self.number,
            "side": self.side_of(seat),
            "moves": [*self.moves],
            "clock": self.minutes,
            "left": {"X": self.time_left("X"), "O": self.time_left("O")},
            "late": self.late,
            "invitation": second if seat == first and not self.joined else None,
        }


class LiveGames:
    """All live games of a server."""

    def __init__(self) -> None:
        self._games = OrderedDict[str, _Game]()  # by seat, the most recently used ones last
        self._waiting = Counter[str]()  # by client

    def begin(self, rules: Rules, minutes: int, client: str) -> Seat:
        """Begin a game, and return the seat of its first player, who plays X.

        minutes: for each side; 0: no clock. client: who begins the game. If this client has too many games, or has the
        most games when there are too many in total, its game that was unused for longest is removed.
        """
        seats = Counter(game.client for game in self._games.values())
        crowded = client if seats[client] >= 2 * MOST_OF_CLIENT else None
        if crowded is None and len(self._games) >= 2 * MOST_GAMES:
            crowded = max(seats, key=lambda other: (seats[other], other == client))
        if crowded is not None:
            oldest = next(game for game in self._games.values() if game.client == crowded)
            for seat in oldest.seats:
                del self._games[seat]
        game = _Game(Position.start(rules), minutes, client)
        self._games |= dict.fromkeys(game.seats, game)
        return {"seat": game.seats[0]}

    async def follow(self, seat: str, number: int, moves: list[str], client: str) -> LiveGame:
        """Play the last of `moves` if it is new, and return the game once it differs from what the player knows.

        number: the round that the player knows (0: the current one), or the next one to begin it. moves: the moves that
        the player knows, perhaps followed by a new one. client: who waits. After WAIT seconds, the game is returned
        unchanged. Raises NoLiveGame and Busy.
        """
        game = self._games.get(seat)
        if not game:
            raise NoLiveGame("This live game has ended: the server was restarted, or nobody played for a long time.")
        for each in game.seats:
            self._games.move_to_end(each)
        if seat == game.seats[1] and not game.joined:
            game.joined, game.moved = True, monotonic()
            game.notify()
        if number == game.number + 1:
            game.begin_round()
        elif number == game.number:
            if moves and moves[:-1] == game.moves:
                game.play(seat, moves[-1])
            if moves == game.moves:
                await self._wait(game, client)
        return game.seen_from(seat)

    async def _wait(self, game: _Game, client: str) -> None:
        if self._waiting.total() >= MOST_WAITING or self._waiting[client] >= 2 * MOST_OF_CLIENT:
            raise Busy("The server is busy with other live games; try again in a moment.")
        self._waiting[client] += 1
        try:
            left = game.time_left(game.position.to_move) if game.runs else 0.0
            with move_on_after(min(WAIT, left or WAIT)):
                await game.changed.wait()
        finally:
            self._waiting[client] -= 1
            self._waiting += Counter()  # forgets clients that do not wait
