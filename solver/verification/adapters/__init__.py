"""Modules whose `open_adapter(setup)` connects to an engine that is not a Python function, such as a program."""
