"""Playing many games between bots in this process, and their results."""
