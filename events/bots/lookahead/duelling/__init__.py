"""How the bot that looks ahead plays `the-duel`: by plans for everything that lies there to be planted."""
