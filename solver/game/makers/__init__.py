"""Makers: each turns the words of a name, or the text of a file, into the rules of a game of one family."""
