"""Bots that play into each other's hands, as strongly as their name says: for measuring what finds them."""
