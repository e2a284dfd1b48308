"""Helpers that are independent of games, such as plurals, files that are written completely or not at all, and
available memory.
"""
