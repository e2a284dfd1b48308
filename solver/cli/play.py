"""`mnk play`: play against the table or an engine in the terminal."""

from collections.abc import Collection
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from solver.cli.options import convention_options, data_option, game_argument, search_seconds_option, side_option
from solver.cli.output import format_board, format_sides
from solver.cli.running import ask_word, open_answers
from solver.engines.builtin.perfect import STRENGTHS, likely_moves, strength_spec
from solver.engines.engine import Engine
from solver.engines.playing import request_move
from solver.errors import EngineFailed, PositionError, Unsettled
from solver.game.descriptions import describe_labels, describe_rules
from solver.game.notation import column_names, parse_move, square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.study.review import judge, review_game
from solver.verification.player import open_engines

if TYPE_CHECKING:
    from solver.search.truth import Truth
    from solver.tablebase import RankedMoves

_COMMANDS: Final = {
    **{word: word[0] for word in ("h", "hint", "hints", "u", "undo", "r", "restart", "q", "quit")},
    "exit": "q",
    **dict.fromkeys(("", "?", "help"), "?"),
}
_LEVELS: Final = {"beginner": "random", "easy": "weak", "hard": "strong"}  # the names on the page
_UNJUDGED = "No table has this game's values: moves are judged, and hints shown, only where a search settles them."


def _read_opponent(text: str) -> tuple[str, bool]:
    """Return the specification of an opponent's engine, and whether `text` is a strength: a word or a percentage."""
    text = _LEVELS.get(text.lower(), text)
    try:
        percent = STRENGTHS.get(text.lower()) or float(text.removesuffix("%"))  # `random` is an engine without a table
    except ValueError:
        return text.lower() if text.lower() in STRENGTHS else text, False
    if not 0 <= percent <= 100:
        raise click.BadParameter(
            f"{text!r} is not a strength; write {', '.join(STRENGTHS)}, a number from 0 to 100, or an engine."
        )
    return strength_spec(percent), True


@click.command("play")
@game_argument
@data_option
@side_option("Your side; X moves first.", "both", default="X", show_default=True)
@click.option(
    "--opponent",
    type=_read_opponent,
    metavar="STRENGTH|ENGINE",
    default="perfect",
    show_default=True,
    help=f"The table at a strength ({', '.join(STRENGTHS)}, or 0 to 100: the percentage of moves chosen as "
    "best), or an engine, such as mcts:playouts=2000.",
)
@click.option("--hints", is_flag=True, help="Show the value of each move from the start.")
@click.option("--seed", type=int, metavar="N", help="The seed of the opponent's random choices.")
@search_seconds_option(default=2)
@convention_options
def command(
    rules: Rules,
    data: Path,
    side: str,
    opponent: tuple[str, bool],
    hints: bool,
    seed: int | None,
    seconds: float,
    **stated: Any,
) -> None:
    """Play GAME against its table or an engine, or let its table judge a game between two people.

    An ENGINE is one of `mnk engines`, or a program, a server or a function, as `mnk verify` takes it. --board to
    --time are for these.

    Type a square (b2, or its number) or a command: h shows or hides hints, u takes a move back, r restarts the game,
    q quits. If a square or a column has the name of a command, put a colon before the command: :h.
    """
    people, (spec, is_table) = "XO" if side == "both" else side, opponent
    with ExitStack() as stack:
        truth = stack.enter_context(open_answers(data, rules, seconds))
        engine = stack.enter_context(open_engines(rules, truth, stated))(spec)
        stored = truth.strategy_file
        source = "table" if truth.is_whole else stored.name if stored else "search"
        name, at_start = (f"the {source}", f"The {source}") if is_table else (spec, spec)
        click.echo(f"{rules}: {describe_rules(rules)}")
        click.echo("You play both sides." if side == "both" else f"You play {side} against {name}.")
        if truth.strategy_file and not truth.strategy_file.header.is_unfinished:
            click.echo(f"A stored strategy proves it: {truth.strategy_file.header}.")
        elif truth.empty is not None:
            click.echo(_UNJUDGED)
        click.echo(_help(rules))
        Dialogue([Position.start(rules)], people, engine, at_start, truth, hints, seed).run()


@dataclass
class Dialogue:
    """A game in the terminal: it shows the board and asks for moves."""

    past: list[Position]  # the positions from the first to the present one
    people: Collection[str]  # the sides that people play: `X`, `O` or `XO`
    engine: Engine  # the engine that plays the other side
    name: str  # the name of the engine at the start of a sentence
    truth: "Truth"
    hints: bool = False
    seed: int | None = None  # the seed of the engine in each game; None for the seed in its options

    def run(self) -> None:
        """Play until the user quits or the input ends."""
        self.engine.new_game(self.seed)
        self.show()
        while True:
            position = self.past[-1]
            back, restart, leave = (_key(position.rules, letter) for letter in "urq")
            word = ask_word(f"{back}, {restart} or {leave}> " if position.is_over else f"{position.to_move}> ")
            command = None if word is None or word in _names(position.rules) else _COMMANDS.get(word.removeprefix(":"))
            if word is None:
                click.echo("The input has ended, and so does the game.")
            if word is None or command == "q":
                return
            if command == "h":
                self.hints = not self.hints
                click.echo(f"Hints are {'on' if self.hints else 'off'}.")
                self.show()
            elif command == "u":
                self.undo()
            elif command == "r":
                self.return_to(1)
            elif position.is_over or command == "?":
                click.echo(_help(position.rules))
            else:
                self.move(word)

    def undo(self) -> None:
        """Take back moves until a person is to move."""
        turns = [number for number, position in enumerate(self.past[:-1], 1) if position.to_move in self.people]
        if turns:
            self.return_to(turns[-1])
        else:
            click.echo("You have no move to take back.")

    def return_to(self, count: int) -> None:
        """Keep only the first `count` positions; the engine forgets the game."""
        del self.past[count:]
        self.engine.new_game(self.seed)
        self.show()

    def show(self) -> None:
        """Let the engine move if it is to move; then print the board and, after the end, the result and the review."""
        while not self.past[-1].is_over and (mover := self.past[-1].to_move) not in self.people:
            does = "plays"
            try:
                square = request_move(self.engine, self.past[-1]).move
            except EngineFailed as error:
                if not isinstance(error.__cause__, Unsettled):
                    raise
                square, does = likely_moves(self.truth, self.past[-1])[0], "knows no best move and tries"
            self.past.append(self.past[-1].play(square))
            click.echo(f"{self.name} {does} {mover} on {square_name(self.past[0].rules, square)}.")
        position = self.past[-1]
        moves = self.known_moves(position) if self.hints else []
        if self.hints and not moves and not position.is_over:
            click.echo("No move is settled here.")
        click.echo(f"\n{format_board(position, moves)}\n")
        if moves:
            click.echo(describe_labels((value.label for _, value in moves), draws=position.rules.can_draw))
        if not position.is_over:
            return
        comment = ""
        if position.outcome != "draw" and len(self.people) == 1:
            comment = " Well played!" if position.outcome in self.people else f" {self.name} wins."
        click.echo(f"{position.result}{comment}")
        taken = [position.x | position.o for position in self.past]
        played = [(before ^ after).bit_length() - 1 for before, after in pairwise(taken)]
        if played:
            review = review_game(self.truth, played, self.past[0])
            click.echo("\n".join([*format_sides(review["sides"]), review["summary"]]))

    def move(self, word: str) -> None:
        """Play the move that was typed, or print why it cannot be played."""
        before = self.past[-1]
        try:
            square = parse_move(before.rules, before.x | before.o, word)
            self.past.append(before.play(square))
        except PositionError as error:
            click.echo(str(error))
            return
        moves = self.known_moves(before)
        if len(moves) == len(before.legal_moves):
            _, sentence = judge(before, moves, square)
            if sentence:
                click.echo(sentence)
        self.show()

    def known_moves(self, position: Position) -> "RankedMoves":
        """Return the moves whose values are known, best first."""
        return [(square, value) for square, value in self.truth.evaluate(position).moves if value is not None]


def _names(rules: Rules) -> set[str]:
    """Return the names of the squares and, with gravity, of the columns: these words are moves, never commands."""
    return {*rules.diagram.numbers, *column_names(rules)}


def _key(rules: Rules, letter: str) -> str:
    """Return what to type for a command: its letter, after a colon if the letter is a move."""
    return f":{letter}" if letter in _names(rules) else letter


def _help(rules: Rules) -> str:
    square = "b2" if "b2" in rules.diagram.numbers else rules.diagram.names[0]
    square += " or its number from 0" if rules.diagram.has_coordinates else ""
    where = f"a column such as {column_names(rules)[:2][-1]}" if rules.gravity else f"a square such as {square}"
    hints, back, restart, leave = (_key(rules, letter) for letter in "hurq")
    return f"Type {where}; {hints} hints, {back} takes back, {restart} restarts, {leave} quits."
