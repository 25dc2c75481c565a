"""What does not follow the turn: rulings, take-backs, and going back to an earlier version."""
