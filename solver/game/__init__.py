"""Games and positions: rules, lines, symmetries, notation, values. No search and no tables here."""
