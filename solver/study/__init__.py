"""Study a game with its table: answer in JSON, review played games, find puzzles, list openings, compare rules."""
