"""Grade engines against the truth: where they go wrong, how badly, and how to beat them; the README has the design."""
