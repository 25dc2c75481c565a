"""Tournaments, checked from their logs and the records of their tables: every pairing, every result, every table.

`decided` puts each entry of a log to the rules of tournaments again, `tables` holds a record against the table that
it is said to be, `checking` does both for a whole tournament, and `report` is what comes out.
"""
