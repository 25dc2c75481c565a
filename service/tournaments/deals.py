"""Where the deal of a duplicate round is handed over to its tables.

The secret of a round stays closed until its last table has ended: whoever still plays would know everybody's cards.
"""

from events.tournaments.state import DUPLICATE, Round, Tournament
from service.play.lobby import RoundDeal
from service.tournaments.promises import Promises


def deal_of(tournament: Tournament, played: Round, promises: Promises) -> RoundDeal | None:
    """What a new game of this round is dealt from; None where each game has a secret of its own."""
    settings = tournament.settings
    if settings.format != DUPLICATE:
        return None
    return RoundDeal(promises.deal_secret(settings.tournament, played.number), played.deal)
