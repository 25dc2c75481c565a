"""The table as it stands: frozen values, the piles, what was seen of it, and what one viewer may see."""
