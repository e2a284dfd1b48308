"""Grade engines against the truth: where they err, how badly, and how to beat them; the README describes the design."""
