"""Compiled loops: integers and arrays in, integers and arrays out. They import nothing of the package above.

README.md beside this file says what measuring them taught.
"""
