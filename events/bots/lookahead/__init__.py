"""The bot that looks ahead: it deals out what it cannot see, plays each of its choices on, and takes the best."""
