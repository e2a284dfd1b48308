"""Study a game with its table: review played games, find puzzles, list openings, compare rules."""
