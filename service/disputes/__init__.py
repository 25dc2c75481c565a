"""Cases about games: their log, their queue, their settlement, and what a ruling does to a game."""
