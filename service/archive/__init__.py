"""Finished games as verified files outside of the store."""
