"""What a tournament does by itself: whether a round can be paired or closed, when tables are late, and the end."""

from events.tournaments.commands import CloseRound, FinishTournament, PairRound
from events.tournaments.pairing.presence import who_plays
from events.tournaments.state import RUNNING, Tournament


def next_command(
    tournament: Tournament, secret: str = ""
) -> PairRound | CloseRound | FinishTournament | None:
    """What is to be done now, without anything more from a table; None where a table or somebody is waited for.

    `secret` is the one that the open round was dealt by, where it is a duplicate round.
    """
    if tournament.status != RUNNING:
        return None
    played = tournament.open_round
    if played is not None:
        return CloseRound(played.number, secret) if played.is_over else None
    return PairRound() if who_plays(tournament) else FinishTournament()


def late_from(tournament: Tournament) -> int | None:
    """When the open tables of the round are late, in milliseconds since 1970-01-01 UTC; None where they never are."""
    played, seconds = tournament.open_round, tournament.settings.late_after
    return None if played is None or seconds is None else played.at + 1000 * seconds
