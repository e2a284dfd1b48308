"""Hold somebody's table against ours: `reading` its file, `comparing` it with the truth, `reporting` what is wrong.

`solver.verification.verify_table` puts the three together.
"""
