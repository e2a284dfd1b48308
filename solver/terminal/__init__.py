"""The full-screen board of `mnk explore`.

`exploration` holds the game, `board` draws it, and `app` ties them to keys and clicks. Textual
(https://textual.textualize.io), an extra of this package, draws the screen; `exploration` does without.
"""
