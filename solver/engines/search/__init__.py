"""Searches of the game tree that the engines play by; one algorithm a file."""
