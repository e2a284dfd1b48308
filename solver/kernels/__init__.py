"""Compiled loops over integers and arrays. They import nothing from the rest of the package.

data/benchmarks/experiments.md contains measurements of them.
"""
