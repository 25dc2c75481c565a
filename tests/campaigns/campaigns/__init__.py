"""The campaigns, a module each."""
