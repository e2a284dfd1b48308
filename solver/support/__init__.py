"""Helpers that are independent of games: plurals, files written whole or not at all, the memory of this machine."""
