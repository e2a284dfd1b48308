"""Other people's tables, held against ours.

`rows` reads the file, `columns` finds what stands where, `entries` reads positions, values and moves, `diff` compares,
and `showing` writes the report.
"""
