"""Compiled loops over integers and arrays. They import nothing from the rest of the package.

README.md in this folder contains their measurements.
"""
