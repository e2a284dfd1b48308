"""Serve tables over HTTP: an API for programs, and the explorer page for people.

    app = create_app("data")        # an ASGI application; `mnk serve` runs it

`create_app` and `site`, which writes the page and tables as a folder of files, need the extra `serve`. `create_app` is
imported when it is first used, so that `site` starts fast.
"""

from typing import TYPE_CHECKING

from solver.errors import missing_package

if TYPE_CHECKING:
    from solver.web.app import create_app

__all__ = ["create_app"]


def __getattr__(name: str) -> object:
    """Import and return `create_app`. Raises MissingExtra, and AttributeError for any other name."""
    if name != "create_app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from solver.web.app import create_app
    except ModuleNotFoundError as error:
        raise missing_package(error) from error

    return create_app
