"""Read and write the database file of a game; docs/reference/file-format.md describes the format.

Only this package uses SQLite. Reading needs the standard library and Zstandard. Writing also needs NumPy, so `writer`
is imported only by code that builds tables.
"""
