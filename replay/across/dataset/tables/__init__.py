"""A module for each table: its columns with their meaning, and its rows out of one game."""
