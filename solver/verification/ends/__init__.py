"""Modules whose `open_end(setup)` returns what answers questions in place of a Python function, such as a program."""
