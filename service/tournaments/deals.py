"""Where the deal of a duplicate round is handed over to its tables, and opened: what knows how games are dealt.

The secret of a round stays closed until its last table has ended: whoever still plays would know everybody's cards.
"""

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


def open_deal(game: str) -> None:
    """Have the log of a game that has ended open the secret of its round, which all tables of the round have ended.

    Raises:
        NotImplementedError: games cannot be dealt alike yet.
    """
    raise NotImplementedError(f"The deal of game {game} cannot be opened yet.")
