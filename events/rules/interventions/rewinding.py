"""Going back to an earlier version, by a ruling or by consent: the events that do it, and what stands against it."""

from typing import TypeGuard

from events import domain_events as e
from events.rules import errors
from events.rules.move import Move
from events.rules.table.absence import absence_in
from events.rules.table.addition import BONUS_PILE, Seen
from events.rules.table.piles import shuffles_of
from events.rules.table.seen import find_seen, piles_changed, piles_touched
from events.rules.table.state import Due, GameState

REDEAL = "redeal"
"""The purpose of shuffling a pile of which cards were seen that are not drawn any more."""


def is_playable(earlier: GameState | None) -> TypeGuard[GameState]:
    """Whether there is such a table, and somebody could act at it."""
    return earlier is not None and earlier.status == "running" and earlier.turn > 0 and earlier.due is None


def table_of(move: Move, version: int, *, seen_confirmed: bool) -> GameState:
    """The table of the version to go back to.

    Raises:
        ContradictsLog: nobody could act at this version, or it does not count any more.
        DealMustStay: in a duplicate round, cards were drawn since.
        SeenUnconfirmed: hidden cards were seen since.
    """
    earlier = move.earlier(version)
    if not is_playable(earlier):
        raise errors.ContradictsLog(
            f"The game cannot go back to version {version}: take one that counts, after a whole command that was more"
            " than talk, at which it was somebody's turn and nothing held the game up."
        )
    if earlier == move.state:
        raise errors.ContradictsLog(f"Nothing has changed since version {version}.")
    if not keeps_deal(earlier, move.state):
        raise errors.DealMustStay(
            f"Since version {version} cards were drawn or turned up. In a duplicate round a game goes back only to"
            " where none were: all its tables have the same deal."
        )
    seen = find_seen(earlier, move.state)
    if seen and not seen_confirmed:
        raise errors.SeenUnconfirmed(
            f"Since version {version} hidden cards were seen: {describe_seen(seen)}. Confirm that the game is to go"
            " back all the same; the piles that they were taken from are then shuffled anew."
        )
    return earlier


def keeps_deal(earlier: GameState, now: GameState) -> bool:
    """Return whether the game may go back: in a duplicate round, only while all piles are as they were.

    Otherwise the table would no longer have the deal of the others.
    """
    return now.dealing is None or not piles_changed(earlier, now)


def describe_seen(seen: tuple[Seen, ...]) -> str:
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
        ContradictsLog, DealMustStay, SeenUnconfirmed
    """
    earlier = table_of(move, version, seen_confirmed=seen_confirmed)
    now = move.state
    away, bots, returns = absence_in(now)
    move.emit(
        e.GameRewound(
            to_version=version,
            shuffles=now.shuffles,
            case=case,
            redeal=piles_touched(earlier, now),
            bonus_shuffles=shuffles_of(now, BONUS_PILE),
            paused_by=tuple(each for each in now.paused_by if each != case),
            away=away,
            bots=bots,
            returns=returns,
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
