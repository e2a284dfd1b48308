"""The other ends of the line: what answers questions behind `host.py` when the engine is no Python function.

Each module has `open_end(setup)`, which returns a function from a question to a move; it runs in the engine's process.
"""
