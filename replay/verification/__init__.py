"""Verifying and auditing a record: re-derive everything, trust nobody."""
