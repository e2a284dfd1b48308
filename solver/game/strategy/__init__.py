"""Conditional plans: what to play, and what to answer to every reply, until the goal is reached.

`plan` describes their form and writes them as JSON; `planning` finds them, alone or with a table; `rendering` and
`notebook` show them. `rendering` is imported only when a plan is shown.
"""
