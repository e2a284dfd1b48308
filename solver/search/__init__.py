"""Solve positions when they are asked, without a table."""
