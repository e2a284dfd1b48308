"""Write solved positions with their values and best moves, draw them, and read observations of learners."""
