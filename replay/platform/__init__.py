"""Hostile text made safe for a screen, atomic writes, and optional libraries."""
