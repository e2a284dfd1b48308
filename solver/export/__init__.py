"""Write every position of a solved game with its value and best moves, as CSV, JSON Lines or Parquet.

    export_table(table, Path("mnk-3-3-3.parquet"))

This function of `solver.export.table` orders positions by ply, and by base-3 hash within a ply. The module
`observations` reads observations of reinforcement-learning environments.
"""
