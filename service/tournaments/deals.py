"""Where the deal of a duplicate round is handed over to its tables: the one place that knows how games are dealt."""

from typing import Any, Final

from events.tournaments.state import DUPLICATE, Round, Tournament
from service.tournaments.promises import Promises

CAN_DEAL_DUPLICATES: Final = False
"""Whether games can be dealt by a round's secret and seed: they need the second version of dealing."""


def deal_of(tournament: Tournament, played: Round, promises: Promises) -> dict[str, Any]:
    """What a new game of this round is told of its deal; nothing where each game has its own.

    Raises:
        NotImplementedError: it is a duplicate round.
    """
    if tournament.settings.format != DUPLICATE:
        return {}
    del played, promises
    raise NotImplementedError("Games cannot be dealt alike yet.")
