"""Learn to play from nothing but the results of games, and measure how far that is from perfect play.

learner = Learner(parse_game("3,3,3"), seed=1)
reference = ReferenceResults.from_tables(tables, learner.rules)
curve = train_and_measure(learner, reference, episodes=1_000_000)
learner.save("learned.npz")

`learner` has the first, `curve` what measures it.
"""
