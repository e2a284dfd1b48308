"""Helpers that are independent of games, such as plurals, files written whole or not at all, and available memory."""
