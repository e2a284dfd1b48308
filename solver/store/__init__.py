"""Read and write the database file of a game; docs/reference/file-format.md describes the format.

Only this package uses SQLite. Reading and writing need the standard library and Zstandard; `bulk` and `packing` also
need NumPy.
"""
