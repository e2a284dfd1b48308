"""The database file of a game: its schema, the geometry of its pages, its reader and its writer.

Only this package knows SQLite. Reading needs the standard library and Zstandard; writing also needs
sqlite-utils, so `writer` is imported by whoever builds a table and by nobody who asks one.
"""
