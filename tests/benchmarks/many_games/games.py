"""Simulated games of all rule systems, and folders with some of them."""

import os
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Final

from service.simulation.simulating import Plan, simulate

POOL: Final = 8
"""Players of each rule system whose games need a third one; those of two play without a pool."""
SYSTEMS: Final = {
    "bean-duel": (2, "greedy,random"),
    "the-duel": (2, "greedy,random"),
    "classic": (4, "greedy,greedy,random"),
    "extended": (3, "greedy,greedy,random"),
    "ladybohn": (3, "greedy,greedy,random"),
    "ladybohn-expansion": (3, "greedy,greedy,random"),
}


def play_games(folder: Path, games: int) -> None:
    """Play so many games, of each system alike and on all cores; systems that have theirs already are left alone."""
    each = max(1, games // len(SYSTEMS))
    missing = [system for system in SYSTEMS if len(list((folder / system).glob("*.ndjson"))) < each]
    with ProcessPoolExecutor() as pool:
        for _ in pool.map(partial(_play, folder, each), missing):
            pass


def _play(folder: Path, games: int, system: str) -> None:
    players, bots = SYSTEMS[system]
    pool = POOL if players > 2 else 0
    for _ in simulate(Plan(system, players, games, tuple(bots.split(",")), "1", pool=pool), folder / system):
        pass


def records_in(folder: Path) -> list[Path]:
    """The records of a folder, a game of each system in turn."""
    by_system = (sorted((folder / system).glob("*.ndjson")) for system in SYSTEMS)
    return [path for path in chain.from_iterable(zip_longest(*by_system)) if path is not None]


def link_some(records: Path, folder: Path, games: int) -> int:
    """A folder with so many of the games; says how many bytes they are."""
    size = 0
    for path in islice(records_in(records), games):
        linked = folder / path.relative_to(records)
        linked.parent.mkdir(parents=True, exist_ok=True)
        os.link(path, linked)
        size += path.stat().st_size
    return size
