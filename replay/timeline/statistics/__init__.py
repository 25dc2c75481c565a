"""What a game comes to in figures: coins, harvests, trades, offers and time, as a viewer may know them."""
