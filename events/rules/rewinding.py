"""Going back to an earlier version, by a ruling or by consent: the events that do it, and what stands against it."""

from events import domain_events as e
from events.rules import errors
from events.rules.move import Move
from events.rules.piles import BONUS_PILE, shuffles_of
from events.rules.seen import Seen, piles_touched, seen_between
from events.rules.state import Due, GameState

REDEAL = "redeal"
"""The purpose of shuffling a pile of which cards were seen that are not drawn any more."""


def table_of(move: Move, version: int, *, seen_confirmed: bool) -> GameState:
    """The table of the version to go back to.

    Raises:
        ContradictsLog: nobody could act at this version, or it does not count any more.
        SeenUnconfirmed: hidden cards were seen since.
    """
    earlier = move.earlier(version)
    if earlier is None or earlier.status != "running" or not earlier.turn or earlier.due is not None:
        raise errors.ContradictsLog(
            f"The game cannot go back to version {version}: take one that counts, after a whole command that was more"
            " than talk, at which it was somebody's turn and nothing held the game up."
        )
    if earlier == move.state:
        raise errors.ContradictsLog(f"Nothing has changed since version {version}.")
    seen = seen_between(earlier, move.state)
    if seen and not seen_confirmed:
        raise errors.SeenUnconfirmed(
            f"Since version {version} hidden cards were seen: {told(seen)}. Confirm that the game is to go back all"
            " the same; the piles that they were taken from are then shuffled anew."
        )
    return earlier


def told(seen: tuple[Seen, ...]) -> str:
    """What was seen, for a message that everybody at the table may read: no card is named."""
    return ", ".join(
        {
            "draw": f"{len(each.cards)} of the draw pile",
            "bonus": f"{len(each.cards)} of the bonus pile",
            "hand": f"{len(each.cards)} of the hand of seat {each.seat}",
            "bonus_hand": f"{len(each.cards)} of the bonus cards of seat {each.seat}",
            "offers": "those named in offers",
            "coins": f"{len(each.cards)} coins of seat {each.seat}",
        }[each.what]
        for each in seen
    )


def what_was_seen(seen: tuple[Seen, ...]) -> list[dict[str, str | int | None]]:
    """What was seen, for a machine that may not learn which cards they were."""
    return [{"what": each.what, "seat": each.seat, "cards": len(each.cards)} for each in seen]


def rewind(move: Move, version: int, *, case: int, seen_confirmed: bool) -> None:
    """Go back, and call the dealer for the piles that are to be dealt anew.

    Raises:
        ContradictsLog, SeenUnconfirmed
    """
    earlier = table_of(move, version, seen_confirmed=seen_confirmed)
    now = move.state
    move.emit(
        e.GameRewound(
            to_version=version,
            shuffles=now.shuffles,
            case=case,
            redeal=piles_touched(earlier, now),
            bonus_shuffles=shuffles_of(now, BONUS_PILE),
            paused_by=tuple(each for each in now.paused_by if each != case),
        )
    )
    call_dealer(move)


def call_dealer(move: Move) -> None:
    """Call the dealer for the next pile that is to be dealt anew; the game goes on where there is none."""
    if move.state.redeal:
        move.emit(e.DealerCalled("shuffle", move.state.redeal[0], REDEAL, move.state.active))


def is_redeal(due: Due) -> bool:
    """Whether a pile is due because the game went back."""
    return due.purpose == REDEAL
