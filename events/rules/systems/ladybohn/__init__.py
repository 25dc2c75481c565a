"""`ladybohn`: misters, misses and babies, and coins that come off the piles."""
