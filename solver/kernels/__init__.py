"""Compiled loops over integers and arrays. They import nothing from the rest of the package.

README.md beside this file has their measurements.
"""
