"""Ratings of players: a versioned pure function of finished games in a stated order, as docs/ratings.md has it."""
