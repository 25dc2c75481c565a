"""The signed receipts of audits, kept beside the validator's reports."""

import msgspec

from events.store.event_store import EventStore
from replay.records.report import Finding
from replay.verification.audit import EngineDifference
from service.verification.store import ReceiptRecords


class PublishedReceipt(msgspec.Struct, frozen=True, kw_only=True):
    """An audit receipt with what it is about, for readers who do not take the note apart."""

    version: int
    """The game's version when it was audited."""
    hash: str
    """The chain hash after that entry."""
    system: str
    system_version: int
    """The version of the rules that were asked."""
    engine_version: int
    """The version of the engine that asked them."""
    pinned: bool
    """Whether these are the rules that the game is pinned to."""
    result: str
    """`agrees`, `differs` or `invalid`."""
    commands: int
    """How many commands were put to the rules."""
    differing: int
    """To how many of them the rules answer otherwise than was recorded."""
    differences: tuple[EngineDifference, ...]
    """The first of these."""
    findings: tuple[Finding, ...]
    """Why the record does not verify."""
    at: int
    """When the audit was made: milliseconds since the epoch."""
    note: str
    """The signed note, in the form of `events.transparency.audit_receipt`."""


class Receipts:
    """The receipts of a store's games. Every method may raise StoreUnavailable."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._records = ReceiptRecords(store)

    def of(self, game: str) -> tuple[PublishedReceipt, ...]:
        """All receipts of a game, newest first."""
        receipts = [msgspec.json.decode(each, type=PublishedReceipt) for each in self._records.of(game)]
        return tuple(sorted(receipts, key=lambda each: (each.at, each.system_version), reverse=True))

    def publish(self, game: str, receipts: tuple[PublishedReceipt, ...]) -> None:
        """Keep receipts, in one step. One on the same head by the same rules and engine is replaced.

        Each has a field of its own, so audits in several processes do not get into each other's way.
        """
        self._records.put(game, {_about(each): msgspec.json.encode(each) for each in receipts})


def _about(receipt: PublishedReceipt) -> str:
    rules = f"{receipt.system}/{receipt.system_version}/{receipt.engine_version}"
    return f"{receipt.version}/{receipt.hash}/{rules}"
