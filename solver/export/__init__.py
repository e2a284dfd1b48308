"""Write every position of a solved game with its value and best moves; read reinforcement-learning observations."""
