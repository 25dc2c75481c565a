"""What happens to every request whatever it asks: its id, its origin, its headers."""
