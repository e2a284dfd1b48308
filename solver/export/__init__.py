"""Write a solved game as data, every position with its value and best moves: CSV, JSON Lines, Parquet, NumPy.

    export_table(table, Path("mnk-3-3-3.parquet"))      to a file, whole or not at all
    write_table(table, sys.stdout.buffer, "csv")        to a stream

are in `table`. Positions come by ply, and by base-3 hash within a ply. `positions` walks them, `writers` writes
them, `observations` reads those of reinforcement-learning environments.
"""
