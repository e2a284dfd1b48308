"""Play games, matches and tournaments between engines, or expect them exactly; hold the game that a person plays.

terms = Terms(Position.start(rules), games=100, swap=True)
result = play_match("alphabeta:cutoff=2", "random", terms, watch=lambda record, total: print(record.moves))
result.score            # Score(wins, draws, losses) of the first engine

`match` has these, `tournament` plays many, `expect` expects them, `game` plays one, and `session` holds a person's.
"""
