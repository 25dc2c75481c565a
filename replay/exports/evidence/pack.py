"""What an evidence pack holds. It is written in one way only, as canonical JSON; its hash is over those bytes.

Times are milliseconds since 1970-01-01 UTC, durations are milliseconds, hashes are 64 hex digits. Sentences are
English. A pack shows hidden cards: it is for arbiters, and for everybody once the game has finished.
"""

from typing import Any, Final

import msgspec

from events.chain.canonical import canonical, sha256_hex
from events.game.explaining_time import TimeExplained
from events.rules.table.addition import Seen
from replay.exports.evidence.case import Dispute, EarlierRuling
from replay.records.report import Finding
from replay.timeline.knowledge import Knowledge
from replay.verification.audit import EngineReport

FORMAT: Final = "fieldbook-evidence/1"
"""The name of the format. A change of a member, or of a sentence, needs another one: a case holds its pack's hash."""
Row = tuple[str, str]
"""A label and what stands behind it."""


class Group(msgspec.Struct, frozen=True):
    """Some rows of a table as text: the piles, a player with what lies before them, or the offers."""

    heading: str
    rows: tuple[Row, ...]


class ViewedTable(msgspec.Struct, frozen=True):
    """A table as one viewer could see it at one version.

    Attributes:
        table: the same as `fieldbook replay show --json` gives.
        shown: the same in words.
        knows: what could be known for certain; None for the one who sees everything.
        known: that in words.
    """

    table: dict[str, Any]
    shown: tuple[Group, ...]
    knows: Knowledge | None = None
    known: tuple[Row, ...] = ()


class Perspective(msgspec.Struct, frozen=True):
    """What one viewer could see: `public`, `seat:0` and so on, or `all`.

    Attributes:
        before: before the disputed entry; None where it is the first one.
    """

    viewer: str
    before: ViewedTable | None
    after: ViewedTable


class LogLine(msgspec.Struct, frozen=True):
    """An entry as a line.

    Attributes:
        about: `offer` for an offer and what becomes of it, `talk` for table talk, else empty.
        begins: whether a command begins with it.
        counts: whether it counts at the head; not in a stretch that was discarded when the game went back.
    """

    version: int
    at: int
    actor: str
    sentence: str
    about: str
    begins: bool
    counts: bool


class Disputed(msgspec.Struct, frozen=True):
    """The disputed entry, and the command that brought it about.

    Attributes:
        entry: the entry with all its values.
        command_version: the version of the command's first entry.
        command: that entry's command; None before the first command.
        actor: whose command it is.
    """

    sentence: str
    entry: dict[str, Any]
    command_version: int
    command: dict[str, Any] | None
    actor: str


class Arrival(msgspec.Struct, frozen=True):
    """When a command arrived; the dealer's are not counted, since they come with the one before.

    Attributes:
        after: how long after the command before it.
    """

    version: int
    actor: str
    command: str
    at: int
    after: int


class TimeUsed(msgspec.Struct, frozen=True):
    """How long a seat took: the time from each command, of anybody, to the seat's own that followed it."""

    seat: int
    player: str
    commands: int
    milliseconds: int
    longest: int


class Verdict(msgspec.Struct, frozen=True):
    """What the verifier says of the beginning of the log, up to the disputed entry.

    Attributes:
        through: the version up to which was verified: the end of what the disputed command brought about.
        head: the chain hash after the last entry that holds.
        engines: what the rules answer when every command is put to them again.
    """

    ok: bool
    through: int
    entries: int
    head: str
    findings: tuple[Finding, ...]
    engines: tuple[EngineReport, ...]


class Proof(msgspec.Struct, frozen=True):
    """The disputed entry in the chain: `hash` is SHA-256 over `previous` (32 bytes) and canonical JSON of `public`.

    Attributes:
        previous: the chain hash before the entry; zeros for the first.
        public: the entry's public form, in which hidden values are commitments.
        hash: the chain hash after it.
    """

    previous: str
    public: dict[str, Any]
    hash: str


class Head(msgspec.Struct, frozen=True):
    """Where the log stood when the pack was made."""

    version: int
    hash: str
    status: str


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """A note or reply as it stands.

    Attributes:
        lines: what it says, in words.
        says: what it says, as it was written.
    """

    version: int
    at: int
    set: str
    number: int
    lines: tuple[str, ...]
    says: dict[str, Any]


class WayBack(msgspec.Struct, frozen=True):
    """An earlier version.

    Attributes:
        possible: whether the running game could go back to it.
        seen: hidden cards of that table that have been seen since.
    """

    version: int
    possible: bool
    seen: tuple[Seen, ...]


class EvidencePack(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All that an arbiter reads before ruling.

    Attributes:
        format: `FORMAT`, or that of a later release.
        disputed: None where the log does not hold up to the disputed version; the verdict says where it breaks.
        proof: likewise.
        perspectives: likewise empty.
        around: from the beginning of the turn, and some entries before and after.
        arrivals: the commands of that stretch.
        time_used: in that stretch, by seat.
        time_used_overall: in the whole log so far.
        annotations: what was published at or near the disputed entry.
        rulings: earlier ones with the same reason.
        ways_back: the disputed version, the one before its command, and the nearest that the game could go back to.
        dispute_log: the number of the last entry of the game's dispute log that the pack knows; 0 without one.
        time: what the log knows about time around the disputed version, where the game is played by a clock.
    """

    format: str
    game: str
    system: str
    system_version: int
    dispute: Dispute
    dispute_log: int
    head: Head
    disputed: Disputed | None
    proof: Proof | None
    verdict: Verdict
    around: tuple[LogLine, ...]
    arrivals: tuple[Arrival, ...]
    time_used: tuple[TimeUsed, ...]
    time_used_overall: tuple[TimeUsed, ...]
    perspectives: tuple[Perspective, ...]
    ways_back: tuple[WayBack, ...]
    annotations: tuple[Annotation, ...]
    rulings: tuple[EarlierRuling, ...]
    time: TimeExplained | None = None


def pack_bytes(pack: EvidencePack) -> bytes:
    """The pack as it is kept, hashed and handed out."""
    return canonical(pack)


def pack_hash(content: bytes) -> str:
    """The hash of a pack's bytes."""
    return sha256_hex(content)


def read_pack(content: bytes) -> EvidencePack:
    """A pack from its bytes.

    Raises:
        msgspec.ValidationError: this is none.
    """
    return msgspec.json.decode(content, type=EvidencePack)
