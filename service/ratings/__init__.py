"""Boards of how strong players are: `replay.ratings` over the store's finished games, kept up to date by a job."""
