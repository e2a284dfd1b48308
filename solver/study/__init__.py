"""Study a game with its table: review a played one, find puzzles, list openings, compare rules."""
