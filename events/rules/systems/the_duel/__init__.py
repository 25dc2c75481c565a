"""`the-duel`: two players, gifts that may be bluffs, rising fields and bonus cards."""
