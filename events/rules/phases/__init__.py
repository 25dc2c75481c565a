"""The phases of a turn, one file each, and what is open at any time. Rule systems put them together."""
