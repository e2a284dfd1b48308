"""The start of an engine's process: what fails before it runs the engine's code is the grader's fault."""

import os
import time
from collections.abc import Callable

import pytest

from solver.errors import EngineError, NotStarted, TooSlow
from solver.support.sessions import Limits, Sessions, launch_copy

LOADING = b'{"loading": true}\n'


def end() -> None:
    os.write(2, b"no more namespaces\n")
    os._exit(1)


def wait() -> None:
    time.sleep(60)


@pytest.mark.parametrize(
    ("said", "then", "error", "reason"),
    [
        (b"", end, NotStarted, "ended with exit code 1; it printed 'no more namespaces'"),
        (b"", wait, NotStarted, "was not ready within 1 s"),
        (LOADING, end, EngineError, "ended with exit code 1"),
        (LOADING, wait, TooSlow, "was not ready within 1 s"),
    ],
)
def test_a_failed_start_is_the_engines_fault_only_if_its_code_has_begun(
    said: bytes, then: Callable[[], None], error: type[Exception], reason: str
) -> None:
    def serve() -> None:
        os.write(1, said)
        then()

    sessions = Sessions(launch_copy(serve), {}, Limits(seconds_to_start=1))
    with pytest.raises(error, match=reason):
        sessions.open()
    sessions.close()
