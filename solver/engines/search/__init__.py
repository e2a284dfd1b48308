"""Searches that engines play by, one algorithm a file."""
