"""A board to explore in notebooks, which runs without a kernel.

    from solver import explore
    explore("3,3,3")

Positions, values, plans, tables, reports of matches and of `verify` need nothing: they are drawn when they are
the last expression of a cell, and what draws them is imported only then.
"""
