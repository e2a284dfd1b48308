"""Write a solved game as data, every position with its value and best moves: CSV, JSON Lines, Parquet.

    export_table(table, Path("mnk-3-3-3.parquet"))

in `table`. Positions are ordered by ply, and by base-3 hash within a ply. `observations` reads observations of
reinforcement-learning environments.
"""
