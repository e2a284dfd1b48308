"""Read and write the database file of a game; docs/reference/file-format.md describes the format.

Only this package knows SQLite. Reading needs the standard library and Zstandard; writing also needs NumPy, so
`writer` is imported by whoever builds a table and by nobody who asks one.
"""
