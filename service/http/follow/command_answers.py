"""What is answered to commands."""

from typing import Any

from service.http.follow.narration import narrated_events
from service.http.follow.table_bodies import clock_member
from service.play.outcome import Outcome


def command_answer(
    game: str,
    seat: int,
    outcome: Outcome,
    *,
    dry_run: bool = False,
    stopped: dict[str, Any] | None = None,
    language: str | None = None,
) -> dict[str, Any]:
    """The body of the answer to a seat: `stopped` is the problem of the command that was not applied any more."""
    version, chain_head = outcome.head
    return {
        "game": game,
        "version": version,
        "hash": chain_head,
        "dry_run": dry_run,
        "withheld": outcome.withheld,
        "applied": outcome.applied,
        "stopped": stopped,
        "events": narrated_events(outcome.loaded, outcome.disclosures, seat, language),
        **clock_member(outcome.clock),
    }
