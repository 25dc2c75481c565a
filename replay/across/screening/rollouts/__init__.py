"""Games played on by bots from a moment, with what a seat decided there and without it."""
