"""The accounts of one game: what its players were told, held against its log.

A command that was acknowledged with a version and a hash is in the log if that version has that hash, and belongs to
it with as many entries as were told. It is lost where that does not hold. Commands are doubled where the log has more
commands of these players than were acknowledged; one whose answer never came may be there or not.
"""

from collections.abc import Collection, Sequence
from typing import Final

import msgspec

PLAYER: Final = "seat:"


class Acknowledged(msgspec.Struct, frozen=True, array_like=True):
    """One command that was answered with success: who sent it, the chain head after it, and its entries."""

    seat: int
    version: int
    hash: str
    events: int


class Entry(msgspec.Struct, frozen=True, array_like=True):
    """What the accounts need to know of an entry of the log."""

    version: int
    hash: str
    actor: str
    begins: bool
    """Whether a command begins here."""


class Account(msgspec.Struct, frozen=True):
    """What is wrong with a game: how many commands were lost, and how many are there too often."""

    lost: int
    doubled: int


def account(
    log: Sequence[Entry], acknowledged: Collection[Acknowledged], unanswered: int, seats: Collection[int]
) -> Account:
    """Hold what the players on these seats were told against the whole log of a game, first entry first."""
    lost, taken = 0, set[int]()
    for each in acknowledged:
        first = each.version - each.events + 1
        entries = log[max(first, 1) - 1 : each.version]
        if first in taken or not _is_in(entries, each):
            # Of two acknowledgements of one place one is of a command that is not in the log.
            lost += 1
        taken.add(first)
    actors = {f"{PLAYER}{seat}" for seat in seats}
    in_the_log = sum(entry.begins and entry.actor in actors for entry in log)
    doubled = max(0, in_the_log - (len(acknowledged) - lost) - unanswered)
    return Account(lost, doubled)


def _is_in(entries: Sequence[Entry], told: Acknowledged) -> bool:
    """Whether these entries are those that an acknowledgement tells of."""
    if not entries:
        return False
    begins, ends = entries[0], entries[-1]
    by_the_seat = begins.begins and begins.actor == f"{PLAYER}{told.seat}"
    return by_the_seat and (ends.version, ends.hash) == (told.version, told.hash)
