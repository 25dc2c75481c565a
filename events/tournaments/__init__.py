"""Tournaments: small event-sourced things of their own beside the games that their tables are.

    registering -> running (round paired -> tables started, finished, ruled -> round closed)* -> finished

As everywhere in `events`, a command is a wish: `decide` refuses it, or says which events it brings about, and
`evolve` adds one event. Who meets whom (`pairing`) is a pure function of the tournament and of a seed that nobody
could choose (`seeds`). Who is ahead is computed from all results as they count today, never patched (`scoring`). All
entries of a tournament stand in one chained log, `entries`.
"""
