"""Write a solved game as data, every position with its value and best moves: CSV, JSON Lines, Parquet, NumPy.

    export_table(table, Path("mnk-3-3-3.parquet"))      to a file, whole or not at all
    write_table(table, sys.stdout.buffer, "csv")        to a stream

are in `table`. Positions come by ply, and by base-3 hash within a ply. `positions` walks them, `writers` writes them;
`package` writes a folder to publish, with the data card of `card`; `observations` reads observations of
reinforcement-learning environments.
"""
