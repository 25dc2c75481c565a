"""How much of the luck of the cards duplicate rounds take out of a tournament."""
