"""Modules whose functions `open_...(setup)` connect to an engine that is not a Python function, such as a program."""
