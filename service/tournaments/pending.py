"""Games of tournaments that are not set up yet, but for which their organiser's key needs room."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Final

from events.store.errors import StoreDamaged
from events.tournaments.pairing.pair import count_tables
from events.tournaments.state import RUNNING, Tournament
from service.tournaments.store import TournamentNotFound
from service.tournaments.tournaments import Tournaments

LOOK_SECONDS: Final = 30
"""How often a tournament that is played is looked at, whatever is heard of it."""
_SOON: Final = 2 * 1000 * LOOK_SECONDS


def count_paired(tournaments: Tournaments, organiser: str, now: int) -> int:
    """Return how many tables of a key's tournaments are paired and have no game yet.

    Raises:
        StoreUnavailable, StoreRefused
    """
    return sum(_count_tables_to_come(each) for each in _running(tournaments, organiser, now))


def count_promised(tournaments: Tournaments, organiser: str, now: int) -> int:
    """Return how many games a key's tournaments will set up at once, with first rounds that are not paired yet.

    Raises:
        StoreUnavailable, StoreRefused
    """
    return sum(
        _count_tables_to_come(each) if each.rounds else count_tables(each)
        for each in _running(tournaments, organiser, now)
    )


def _count_tables_to_come(tournament: Tournament) -> int:
    played = tournament.open_round
    return 0 if played is None else sum(not each.game and each.outcome is None for each in played.tables)


def _running(tournaments: Tournaments, organiser: str, now: int) -> Iterator[Tournament]:
    """Yield the tournaments of a key that are played: all of these are looked at soon."""
    for name in tournaments.records.moments().due(now + _SOON):
        # One that cannot be read sets nothing up.
        with suppress(TournamentNotFound, StoreDamaged):
            tournament = tournaments.of(name).tournament
            if tournament.status == RUNNING and tournament.organiser == organiser:
                yield tournament
