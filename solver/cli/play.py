"""`mnk play`: play against the table, or an engine, in the terminal."""

from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from solver.cli.options import data_option, game_argument, side_option
from solver.cli.output import format_board, format_sides
from solver.cli.running import ask_word, open_table
from solver.engines.builtin.perfect import STRENGTHS, strength_spec
from solver.engines.engine import make_engine
from solver.engines.session import GameSession
from solver.errors import MissingTable, PositionError, RulesError
from solver.game.descriptions import describe_labels, describe_rules
from solver.game.notation import example_square, parse_move, square_name
from solver.game.position import Position
from solver.game.rules import Rules
from solver.study.played import PlayedGame
from solver.study.review import judge, review_game
from solver.support.columns import column_name

if TYPE_CHECKING:
    from solver.tablebase import Tablebase

_NO_TABLE = "There is no table of this game, so moves are not judged and there are no hints."


class _Opponent(NamedTuple):
    """Who plays the other side: an engine, and whether it is the table, at some strength."""

    engine: str
    is_table: bool


def _read_opponent(text: str) -> _Opponent:
    """Read an opponent: a strength of the table by a word or in percent, or an engine, which need not have a table."""
    if STRENGTHS.get(text.lower()):
        return _Opponent(strength_spec(STRENGTHS[text.lower()]), is_table=True)
    try:
        percent = float(text)
    except ValueError:
        return _Opponent(text, is_table=False)
    if not 0 <= percent <= 100:
        raise click.BadParameter(
            f"{text!r} is no strength; write {', '.join(STRENGTHS)}, a number from 0 to 100, or an engine."
        )
    return _Opponent(strength_spec(percent), is_table=True)


@click.command("play")
@game_argument
@data_option
@side_option("What you play; X moves first.", both=True)
@click.option(
    "--opponent",
    type=_read_opponent,
    metavar="STRENGTH|ENGINE",
    default="perfect",
    show_default=True,
    help=f"The table at a strength ({', '.join(STRENGTHS)}, or 0 to 100: the chance, in percent, that a move is a "
    "best one), or an engine, such as mcts:playouts=2000.",
)
@click.option("--hints", is_flag=True, help="Show from the beginning what each move is worth.")
@click.option("--seed", type=int, metavar="N", help="Makes the opponent's choices the same again.")
def command(
    rules: Rules,
    data: Path,
    side: str,
    opponent: _Opponent,
    hints: bool,
    seed: int | None,
) -> None:
    """Play GAME against its table or an engine, or let the table watch two people play.

    Type a square (b2, or its number) or a command: h shows or hides hints, u takes a move back, r begins
    again, q quits.
    """
    people = "XO" if side == "both" else side
    with _open_table(data, rules, required=opponent.is_table) as table:
        engine = make_engine(opponent.engine, rules, tables=table or data)
        name = "the table" if opponent.is_table else opponent.engine
        click.echo(f"{rules}: {describe_rules(rules)}")
        click.echo("You play both sides." if side == "both" else f"You play {side} against {name}.")
        if table is None:
            click.echo(_NO_TABLE)
        click.echo(_help(rules))
        game = GameSession(past=[Position.start(rules)], people=people, engine=engine, seed=seed)
        _Dialogue(game, table, f"{name[:1].upper()}{name[1:]}", hints).run()


def _open_table(data: Path, rules: Rules, *, required: bool) -> "Tablebase | nullcontext[None]":
    """Open the table; where there is none and none is required, return what gives None when it is entered."""
    try:
        return open_table(data, rules)
    except (MissingTable, RulesError):
        if required:
            raise
        return nullcontext()


class _Dialogue:
    """Show the board and ask for moves, until the person leaves."""

    def __init__(self, game: GameSession, table: "Tablebase | None", opponent: str, hints: bool) -> None:
        self.game = game
        self.table = table
        self.opponent = opponent
        self.hints = hints
        self.running = True
        self.commands = {
            **dict.fromkeys(("h", "hint", "hints"), self.toggle_hints),
            **dict.fromkeys(("u", "undo"), self.undo),
            **dict.fromkeys(("r", "restart"), self.restart),
            **dict.fromkeys(("q", "quit", "exit"), self.quit),
        }

    def run(self) -> None:
        """Play until the person quits or the input ends."""
        self.show()
        while self.running:
            word = ask_word(self.prompt())
            if word is None:
                return
            if word in self.commands:
                self.commands[word]()
            elif self.game.position.is_over or word in ("", "?", "help"):
                click.echo(_help(self.game.rules))
            else:
                self.move(word)

    def prompt(self) -> str:
        """Return the prompt: whose turn it is, or what can be done after the end."""
        position = self.game.position
        return "u, r or q> " if position.is_over else f"{position.to_move}> "

    def show(self) -> None:
        """Let the engine move if it is its turn, then print the board, and the result after the end."""
        game = self.game
        while game.awaits_engine:
            mover = game.position.to_move
            played = square_name(game.rules, game.reply())
            click.echo(f"{self.opponent} plays {mover} on {played}.")
        moves = self.table.moves(game.position) if self.table and self.hints else []
        click.echo(f"\n{format_board(game.position, moves)}\n")
        if moves:
            click.echo(describe_labels((value.label for _, value in moves), draws=game.rules.can_draw))
        if game.position.is_over:
            click.echo(self.describe_result())
            self.show_accuracy()

    def show_accuracy(self) -> None:
        """Say how well both sides played, where there is a table and a move was made."""
        if self.table and self.game.played:
            review = review_game(self.table, PlayedGame(self.game.past[0], tuple(self.game.played)))
            click.echo("\n".join([*format_sides(review["sides"]), review["summary"]]))

    def describe_result(self) -> str:
        """Say how the game ended, as the one person sees it."""
        position, people = self.game.position, self.game.people
        if position.outcome == "draw" or len(people) > 1:
            return position.result
        comment = "Well played!" if position.outcome in people else f"{self.opponent} wins."
        return f"{position.result} {comment}"

    def move(self, word: str) -> None:
        """Play the square that was typed, or say why that can't be done."""
        before = self.game.position
        try:
            square = parse_move(before.rules, before.x | before.o, word)
            self.game.play(square)
        except PositionError as error:
            click.echo(str(error))
            return
        if self.table:
            _, sentence = judge(before, self.table.moves(before), square)
            if sentence:
                click.echo(sentence)
        self.show()

    def toggle_hints(self) -> None:
        """Show or hide what each move is worth, from now on."""
        if self.table is None:
            click.echo(_NO_TABLE)
            return
        self.hints = not self.hints
        click.echo("Hints are on." if self.hints else "Hints are off.")
        self.show()

    def undo(self) -> None:
        """Take the person's last move back, and the reply to it."""
        if self.game.undo():
            self.show()
        else:
            click.echo("There is no move of yours to take back.")

    def restart(self) -> None:
        """Begin again."""
        self.game.restart()
        self.show()

    def quit(self) -> None:
        """Leave."""
        self.running = False


def _help(rules: Rules) -> str:
    """Say what can be typed."""
    square = example_square(rules)
    square += " or its number from 0" if rules.diagram.has_coordinates else ""
    column = column_name(min(rules.stride - 1, 1))
    where = f"a column such as {column}" if rules.gravity else f"a square such as {square}"
    return f"Type {where}; h hints, u takes back, r begins again, q quits."
