"""Games and positions: rules, lines, symmetries, notation, values. Tables are not read or built here."""
