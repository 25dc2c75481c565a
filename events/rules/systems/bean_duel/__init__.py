"""`bean-duel`: the small game for two of the 104 cards, with an offer that lies open and no trading."""
