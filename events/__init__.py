"""The game as events: what may be asked, what happened, what it means, and the log that keeps it."""
