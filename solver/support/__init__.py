"""Helpers that are independent of games: plurals, files that are written completely or not at all, memory, ..."""
