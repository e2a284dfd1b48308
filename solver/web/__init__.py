"""Serve the tables over HTTP: an API for programs, and the explorer page for people.

    app = create_app("data")        # an ASGI application; `mnk serve` runs it

Needs the extra `serve` (FastAPI and uvicorn).
"""

from solver.web.app import create_app

__all__ = ["create_app"]
