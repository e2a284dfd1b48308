"""Conditional plans: what to play, and what to answer to every reply, until the goal is reached.

`plan` describes their form; `planning` finds them, alone or with a table; `answers` writes them as JSON; `rendering`
and `notebook` show them. `answers` and `rendering` are imported only when they are asked.
"""
