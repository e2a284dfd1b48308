"""Solve single positions by search, without a table."""
