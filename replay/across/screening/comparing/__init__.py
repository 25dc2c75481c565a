"""Comparing what two players do for each other with what the same games show without an understanding."""
