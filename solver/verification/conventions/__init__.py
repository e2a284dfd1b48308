"""Conventions: how an engine is given a board and how its replies are read, and how the right one is found."""
