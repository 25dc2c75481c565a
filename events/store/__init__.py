"""What every store of the log promises, what can go wrong with one, and the store in memory."""
