"""Makers of games: each turns the words of a game's name into rules, for one family of games."""
