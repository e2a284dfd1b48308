"""Live games: two people play on two devices, and the server keeps the moves, the sides and the clock.

A live game has a public name, for the address of its page, and each device has a secret, which is in no address. The
first two devices play; later ones watch. A player's page sends the moves that it shows, again and again: if they are
one move ahead, the move is played; otherwise, the response waits until something changes. So a request may be repeated,
and a page that was closed catches up. Draws, moves to take back and further games are offered: they take effect once
both players offer them. Games are kept in the memory of one process. Each client has a bounded number of games and of
waiting responses, so that no client ends the games of others.
"""

from collections import Counter, OrderedDict
from dataclasses import dataclass, field
from secrets import token_urlsafe
from time import monotonic
from typing import Annotated, Final, Literal

from anyio import Event, move_on_after

from solver.errors import IllegalMove, MnkError, quoted
from solver.game.position import Position
from solver.game.rules import OTHER, Rules, Side
from solver.support.json_types import Answer, Described
from solver.web.requests import Deed, LiveMoves
from solver.web.responses import Busy

MOST_GAMES: Final = 1000  # kept at the same time
MOST_OF_CLIENT: Final = 50  # kept of the games that a client began; for each, both players may wait
MOST_WAITING: Final = 500  # responses that wait at the same time
WAIT: Final = 2.0  # the seconds that a response waits for a change, at most; `mnk serve` stops after 3 seconds
AWAY: Final = 6.0  # seconds without a request after which a player is away
_NAME_BYTES: Final = 12  # random, so that nobody guesses the name of a game

Offer = Literal["draw", "take_back", "again"]


class NoLiveGame(MnkError):
    """No live game has this name: it was removed, or the server has been restarted."""

    http_status = 404


class LiveStarted(Answer):
    """A new live game."""

    live: Annotated[str, Described("The public name of the game: who opens it first plays O.", "pT7xk2Qw9aBcD3eF")]


class Ending(Answer):
    """The end of a live game other than on the board."""

    winner: Annotated[Side | None, Described("Null: a draw.", "X")]
    by: Literal["time", "resignation", "agreement"]


class LiveGame(Answer):
    """A live game, as one device sees it."""

    game: Annotated[str, Described(example="3,3,3")]
    round: Annotated[int, Described("The number of the game between these players, from 1.", example=1)]
    taken_back: Annotated[int, Described("How often moves were taken back in this round.", example=0)]
    change: Annotated[int, Described("The number of the last change: a response waits for the next one.", example=7)]
    side: Annotated[Side | None, Described("The side that this device plays in this round; null: it watches.")]
    moves: Annotated[list[str], Described(example=["b2", "a1"])]
    clock: Annotated[int, Described("Minutes for each side; 0: no clock.", example=3)]
    increment: Annotated[int, Described("Seconds that each move adds.", example=2)]
    left: Annotated[dict[Side, float], Described("Seconds of each side.", {"X": 171.5, "O": 180.0})]
    ended: Annotated[Ending | None, Described("How the round ended, if not on the board.")]
    joined: Annotated[bool, Described("Whether the second player has come.")]
    present: Annotated[list[Side], Described("The sides whose players have the page open.", ["X", "O"])]
    offers: Annotated[dict[Side, Offer], Described("What each side offers.", {"X": "draw"})]


@dataclass
class _Game:
    """A live game. Times are in seconds. They run from the first move of a round, once both players have come."""

    position: Position
    minutes: int
    increment: int
    client: str  # the one that began it
    players: list[str]  # the secrets of their devices
    number: int = 1  # of the round
    positions: list[Position] = field(default_factory=list)  # before each move
    moves: list[str] = field(default_factory=list)
    taken_back: int = 0
    left: dict[Side, float] = field(default_factory=dict)  # at the last move
    moved: float = 0.0  # the time of the last move
    changes: int = 0
    changed: Event = field(default_factory=Event)
    x_player: int = 0  # who is X in this round
    agreed: Ending | None = None  # the end by resignation or agreement
    offers: dict[int, Offer] = field(default_factory=dict)  # by player
    seen: dict[int, float] = field(default_factory=dict)  # when a player was last there

    def __post_init__(self) -> None:
        self.set_clock()

    def set_clock(self) -> None:
        """Give both sides their whole time."""
        self.left = {"X": 60.0 * self.minutes, "O": 60.0 * self.minutes}

    def side_of(self, player: int) -> Side:
        return "X" if player == self.x_player else "O"

    def time_left(self, side: Side) -> float:
        """Return a side's time."""
        runs = self.runs and side == self.position.to_move
        return max(0.0, self.left[side] - (monotonic() - self.moved if runs else 0.0))

    @property
    def runs(self) -> bool:
        """True if the time of the side to move runs."""
        unfinished = not self.position.is_over and not self.agreed
        return bool(self.minutes and self.moves and len(self.players) > 1 and unfinished)

    @property
    def ended(self) -> Ending | None:
        """The end of this round, if it did not end on the board."""
        side = self.position.to_move
        if self.agreed or not self.minutes or self.position.is_over or self.time_left(side):
            return self.agreed
        return {"winner": OTHER[side], "by": "time"}

    @property
    def is_over(self) -> bool:
        return bool(self.ended or self.position.is_over)

    def enter(self, secret: str) -> int | None:
        """Return the number of a device's player, None if it watches. The second device becomes a player."""
        if secret not in self.players and len(self.players) < 2:
            self.players.append(secret)
            self.moved = monotonic()
            self.notify()
        if secret not in self.players:
            return None
        player = self.players.index(secret)
        if monotonic() - self.seen.get(player, 0.0) > AWAY:
            self.notify()
        self.seen[player] = monotonic()
        return player

    def play(self, player: int, name: str) -> None:
        """Play a move if it is this player's turn. Raises IllegalMove."""
        position, side = self.position, self.side_of(player)
        if side != position.to_move or self.is_over:  # it is late
            return
        squares = position.rules.diagram.numbers
        if name not in squares:
            raise IllegalMove(f"{quoted(name)} is not a square of {position.rules}; send the name of an empty square.")
        after = position.play(squares[name])
        self.left[side], self.moved = self.time_left(side) + self.increment, monotonic()
        self.positions.append(position)
        self.position = after
        self.moves.append(name)
        self.offers.clear()
        self.notify()

    def do(self, player: int, deed: Deed) -> None:
        """Resign, or offer something; what both players offer happens."""
        if (deed == "again") != self.is_over or len(self.players) < 2:
            return
        if deed == "resign":
            self.agreed = {"winner": OTHER[self.side_of(player)], "by": "resignation"}
            self.offers.clear()
        elif self.offers.get(1 - player) != deed:
            if deed != "take_back" or len(self.moves) > (self.side_of(player) == "O"):
                self.offers[player] = deed
        else:
            self.offers.clear()
            if deed == "again":
                self._begin_round()
            elif deed == "draw":
                self.agreed = {"winner": None, "by": "agreement"}
            else:
                self._take_back(1 - player)
        self.notify()

    def _take_back(self, player: int) -> None:
        """Take back a player's last move, and the reply to it."""
        keep = len(self.moves) - (2 if self.side_of(player) == self.position.to_move else 1)
        self.left[self.position.to_move], self.moved = self.time_left(self.position.to_move), monotonic()
        self.position = self.positions[keep]
        del self.positions[keep:], self.moves[keep:]
        self.taken_back += 1

    def _begin_round(self) -> None:
        """Begin the next round: the loser of this one is X; after a draw, the players change sides."""
        winner = self.ended["winner"] if self.ended else self.position.outcome
        if winner != "O":
            self.x_player = 1 - self.x_player
        self.number, self.position = self.number + 1, Position.start(self.position.rules)
        self.positions, self.moves, self.taken_back, self.agreed = [], [], 0, None
        self.set_clock()

    def notify(self) -> None:
        """Send the responses that wait."""
        self.changes += 1
        self.changed.set()
        self.changed = Event()

    def seen_by(self, player: int | None) -> LiveGame:
        """Return the game as this player, or somebody who watches, sees it."""
        now = monotonic()
        return {
            "game": self.position.rules.name,
            "round": self.number,
            "taken_back": self.taken_back,
            "change": self.changes,
            "side": None if player is None else self.side_of(player),
            "moves": [*self.moves],
            "clock": self.minutes,
            "increment": self.increment,
            "left": {"X": self.time_left("X"), "O": self.time_left("O")},
            "ended": self.ended,
            "joined": len(self.players) > 1,
            "present": [self.side_of(each) for each, seen in self.seen.items() if now - seen <= AWAY],
            "offers": {self.side_of(each): offer for each, offer in self.offers.items()},
        }


class LiveGames:
    """All live games of a server."""

    def __init__(self) -> None:
        self._games = OrderedDict[str, _Game]()  # by name, the most recently used ones last
        self._waiting = Counter[str]()  # by client

    def begin(self, rules: Rules, minutes: int, increment: int, secret: str, client: str) -> LiveStarted:
        """Begin a game, and return its name. The device with this secret plays X.

        minutes: for each side; 0: no clock. increment: seconds that each move adds. client: who begins the game. If
        this client has too many games, or has the most games when there are too many in total, its game that was
        unused for longest is removed.
        """
        counts = Counter(game.client for game in self._games.values())
        crowded = client if counts[client] >= MOST_OF_CLIENT else None
        if crowded is None and len(self._games) >= MOST_GAMES:
            crowded = max(counts, key=lambda other: (counts[other], other == client))
        if crowded is not None:
            del self._games[next(name for name, game in self._games.items() if game.client == crowded)]
        name = token_urlsafe(_NAME_BYTES)
        self._games[name] = _Game(Position.start(rules), minutes, increment, client, [secret])
        return {"live": name}

    async def follow(self, name: str, shown: LiveMoves, client: str) -> LiveGame:
        """Play the last of the moves that a device shows if it is new; return the game once it differs from them.

        client: who waits. After WAIT seconds, the game is returned unchanged. Raises NoLiveGame, IllegalMove and Busy.
        """
        game = self._games.get(name)
        if not game:
            raise NoLiveGame("This live game has ended: the server was restarted, or nobody played for a long time.")
        self._games.move_to_end(name)
        player, moves = game.enter(shown.secret), shown.moves
        if (shown.round, shown.taken_back) == (game.number, game.taken_back):
            if player is not None and moves and moves[:-1] == game.moves:
                game.play(player, moves[-1])
            if player is not None and shown.deed and (moves == game.moves or shown.deed == "resign"):
                game.do(player, shown.deed)
            elif moves == game.moves and shown.change == game.changes:
                await self._wait(game, client)
        if player is not None:
            game.seen[player] = monotonic()
        return game.seen_by(player)

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
