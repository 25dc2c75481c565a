"""Backing up a whole installation while games go on, and restoring it verified."""
