"""Write every position of a solved game with its value and best moves, and read observations of environments."""
