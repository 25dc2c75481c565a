"""The annotations of a store's games."""
