"""How figures grow with the number of games and with the length of one: curves, not comparisons."""
