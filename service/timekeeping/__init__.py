"""Watching the time of games: which of them wait until when, and recording what is over."""
