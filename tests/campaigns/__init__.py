"""Campaigns break real installations while clients play, and check afterwards that every promise was kept.

    python -m tests.campaigns NAME [--fault F ...] [--rounds N] [--seed S] [--clients N] [--seconds S] [--keep]

| campaign | faults |
|---|---|
| `faults` | processes and the store are killed, its replies lost, its memory and disk full, its log cut off |
| `clocks` | web, projector and store are killed, paused and stopped around the deadlines of games |
| `failovers` | replicas of a cluster and of a pair take over; slots move; a replica was behind |
| `endurance` | every process is restarted in turn under half of the highest load |
| `hostile` | callers of four kinds send their most expensive requests |
| `sick_partition` | one of three primaries refuses writes |
| `upgrades` | every process is exchanged for this commit's, back for the parent's, and forward again |

| module | contents |
|---|---|
| `installation.py` | processes, stores, clusters, machines, two commits |
| `load.py` | clients, followers of streams, and the ledger of their answers |
| `faults.py` | functions that break one thing and mend it |
| `invariants.py`, `timekeeping.py` | what must hold afterwards; what must hold of clocks |
| `campaigns/` | a module for each campaign; `report.py` has its options and results |
"""
