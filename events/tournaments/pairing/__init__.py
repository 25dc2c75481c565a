"""Who meets whom, in which seats, and who has a bye: a pure function of the tournament, `pair.pair_round`.

In each file one step: `presence` who plays, `sizes` how large the tables are, `byes` who waits, `grouping` and
`circle` who sits together, `seating` in which seat. Everything that a rule leaves open is decided by the round's lot.
"""
