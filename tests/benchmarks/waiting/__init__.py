"""What thousands of games with running clocks cost, and what happens when all of them are due at once."""
