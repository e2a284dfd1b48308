"""Modules whose `open_end(setup)` connects to an engine that is not a Python function, such as a program."""
