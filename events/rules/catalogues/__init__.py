"""Card catalogues: which beans a deck has, what they pay and what they are called, checked when they are read."""
