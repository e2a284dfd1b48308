"""The exit codes of the commands that grade: 0 right, 1 wrong, 2 for whatever keeps them from finding out."""

import errno
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from solver.errors import MnkError

__all__ = ["NOT_VERIFIED", "or_not_verified"]

NOT_VERIFIED: Final = 2


class _NotVerified(MnkError):
    """Whatever keeps something from being verified ends with one exit code, which what is wrong doesn't end with."""

    exit_code = NOT_VERIFIED


@contextmanager
def or_not_verified() -> Iterator[None]:
    """Let every error in the block end the command with NOT_VERIFIED, also one that nobody has foreseen."""
    try:
        yield
    except (click.ClickException, click.exceptions.Exit, click.Abort):
        raise
    except MnkError as error:
        raise _NotVerified(str(error)) from error
    except OSError as error:
        if error.errno == errno.EPIPE:  # whoever read the output has seen enough
            raise click.exceptions.Exit(NOT_VERIFIED) from error
        name = "" if error.filename is None else f"{click.format_filename(error.filename)}: "
        raise _NotVerified(f"{name}{error.strerror or error}.") from error
    except Exception as error:  # a mistake of ours must not pass for one of the engine
        click.echo(traceback.format_exc(), err=True, nl=False)
        raise _NotVerified(
            f"The verification itself failed ({type(error).__name__}); the lines above say where. Please report it."
        ) from error
