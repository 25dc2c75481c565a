"""The decks that new games are set up with: ours, and the operator's own files."""
