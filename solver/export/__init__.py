"""Write every position of a solved game with its value and best moves, draw pictures, and read observations of reinforcement learning."""
