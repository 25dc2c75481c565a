"""The bot that does whatever gains most by its own valuation, as far as it plays every rule system alike."""
