"""Holding engines against the truth: where they go wrong, how badly, and how to beat them.

`verify.verify` asks an engine (`contract`: each in processes of its own, whatever its conventions), judges its
answers (`grade`, `groups`, `play`, `beat`, `helpers`, `values`) and gives a `report`, which `formats` writes out.
"""
