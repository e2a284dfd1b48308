"""The full-screen board of `mnk explore`: `game` is what is played, `board` and `panel` what is seen, `app` ties them.

Textual (https://textual.textualize.io) draws it, an extra of this package; `game` does without.
"""
