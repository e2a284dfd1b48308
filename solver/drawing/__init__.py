"""Pictures of boards: plain data in, a string out. Nothing here knows rules or values."""
