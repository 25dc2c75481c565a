"""The signed receipt of an audit, as it is published."""

import msgspec

from replay.records.report import Finding
from replay.verification.audit import EngineDifference


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

    @property
    def about(self) -> str:
        """What it is about; another one about the same takes its place."""
        rules = f"{self.system}/{self.system_version}/{self.engine_version}"
        return f"{self.version}/{self.hash}/{rules}"
