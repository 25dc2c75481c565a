"""What a verification found: a value that people read and machines store."""

from typing import Final

import msgspec


class Finding(msgspec.Struct, frozen=True):
    """One thing that does not hold.

    Attributes:
        check: the name of the check that failed, one of `CHECKS`.
        version: the version of the entry where it fails; 0 for the header.
        reason: what is wrong there, in a sentence.
    """

    check: str
    version: int
    reason: str


CHECKS = {
    "record": "the file can be read, is complete, and its versions run 1, 2, 3 without a gap",
    "shape": "each entry has exactly the members it must have, of the right types and within bounds",
    "scope": "each hidden value is open or closed as the record's scope says",
    "commitments": "the secret that was opened is the one committed to, and the salts follow from it",
    "chain": "each entry is linked to the one before: the hash over its public form",
    "pinned": "game, catalogue, rule system, options and engine are those that the first event names",
    "fold": "each event can be read and makes sense on the table as it stood",
    "commands": "each entry belongs to a command of one actor at one moment",
    "rules": "each command, put to the rules again, brings about exactly the events recorded",
    "shuffles": "each shuffle and every card taken from a pile follow from the secret",
    "state": "the state after each entry is the one whose hash was recorded",
    "cards": "all cards of the deck are on the table after every entry, none twice",
    "scores": "fields pay what they hold, and the result is what the coin stacks say",
    "clock": "with a clock: time was over when it is said to be, nothing came late, and what follows was done",
    "end": "nothing is missing at the end, and nothing follows it",
    "annotations": "what was said about the game is chained to itself and bound to the game's entries",
    "signature": "the head is signed",
    "log": "the head is in the service's log",
}
"""Every check by name, with what it establishes; `describe_check` adds what it does with what the reader brought."""


class Unknown(msgspec.Struct, frozen=True):
    """Something that a verification cannot tell: its reader did not bring what it takes.

    Attributes:
        about: what is not known: `game`, `signer`, `log`, `clock` or `witness`; a stable code.
        reason: what cannot be told, and what was not given, in a sentence.
    """

    about: str
    reason: str


class Brought(msgspec.Struct, frozen=True):
    """What the reader brought along, as far as the record was held against it.

    Attributes:
        keys: how many keys the reader trusts.
        receipts: how many receipts of the game lie on the chain.
        receipts_to: the version of the last of them; 0 without any.
        checkpoint: whether the log has only grown since a checkpoint that was kept.
    """

    keys: int = 0
    receipts: int = 0
    receipts_to: int = 0
    checkpoint: bool = False


NOTHING_BROUGHT: Final = Brought()
"""For a reader who has nothing but the record."""


class ClockReport(msgspec.Struct, frozen=True):
    """What came about by the clock of a game, in stretches that do not count, too.

    Attributes:
        settings: the clock; its times are seconds.
        expired: how often somebody's time was over.
        forced: how many moves were made for a seat since its time was over.
        recomputed: how many of these were found to be those of the clock's bot; 0 where the record does not show it.
        credits: how often time was given back.
        credited: how much that was together, in milliseconds.
        reasons: why, each reason once.
    """

    settings: dict[str, int | str]
    expired: int
    forced: int
    recomputed: int
    credits: int
    credited: int
    reasons: tuple[str, ...]


class Witnessed(msgspec.Struct, frozen=True):
    """What a witness that the reader trusts has said.

    Attributes:
        witness: its public key.
        size: the size of the log whose checkpoint it has co-signed.
        at: when: milliseconds since the epoch, by its clock.
    """

    witness: str
    size: int
    at: int


class Bounds(msgspec.Struct, frozen=True):
    """When a game was played, by the clocks of witnesses that the reader trusts; 0 stands for what is not known.

    Attributes:
        witnessed: the cosignatures on checkpoints of the log that hold the game's head.
        not_later: by when the head was in the log, and so every entry was there: the earliest of these.
        not_earlier: before when nothing from the version `not_earlier_from` on can have been there, since that
            entry holds the hash of a checkpoint that was co-signed then.
        not_earlier_from: that version: a seat's seed, without which nothing was dealt.
        logged_after: when a witness had seen the log without the head in it. The game may be older than that.
    """

    witnessed: tuple[Witnessed, ...] = ()
    not_later: int = 0
    not_earlier: int = 0
    not_earlier_from: int = 0
    logged_after: int = 0


NO_BOUNDS: Final = Bounds()
"""For a reader who trusts no witness."""


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of verifying one record; it serialises to JSON as it is.

    Attributes:
        ok: whether everything that could be checked holds.
        scope: the record's scope: `all`, `public` or `seat:0` and so on.
        game: the game's id, as the header gives it.
        system: rule system, empty if the first event could not be read.
        system_version: its version.
        engine_version: the version of the engine that the game was played with.
        catalogue: the name of the catalogue that it was played with; empty if the first event could not be read.
        catalogue_hash: the hash by which the game pins the catalogue's content.
        provenance: where the catalogue's figures come from: `booklet`, `card`, `house`.
        source: what the catalogue says of its sources.
        entries: how many entries were verified without a finding.
        head: the chain hash after the last of these; compare it with one that you trust.
        status: the game's status after them: `open`, `running`, `ended` or `finished`.
        scores: each seat's score in `unit`, as recomputed from the stacks; empty before the end.
        unit: `coins`, or in some systems `cents`.
        winners: the seats that won.
        reason: why the game ended.
        seeds: whether the seats' seeds came `after` the commitment to the secret by what the record says, or were
            `shown` to by a commitment that the reader kept; `with` where one came in the request that set the game
            up, so that the secret may have been chosen to fit it; `none` where no seat brought one.
        clock: what came about by the clock; left out of a game without one.
        discarded: first and last version of each stretch that does not count, since the game went back.
        signed_by: the published form of the key that signed the head; empty where none did.
        trusted: whether the reader brought that key along.
        logged: the head's place in the service's log, such as `entry 4 of 12`; empty without a proof.
        brought: what the reader brought, that the record was held against.
        bounds: when it was played, by the clocks of witnesses.
        unknown: what cannot be told because it was not given; empty where the record does not verify.
        checks: how often each check was made.
        findings: what does not hold. Verification stops at the first thing: what follows it means nothing.
        stopped_early: whether entries after the finding were left unread.
    """

    ok: bool
    scope: str
    game: str
    system: str = ""
    system_version: int = 0
    engine_version: int = 0
    catalogue: str = ""
    catalogue_hash: str = ""
    provenance: tuple[str, ...] = ()
    source: str = ""
    entries: int = 0
    head: str = ""
    status: str = "none"
    scores: tuple[int, ...] = ()
    unit: str = "coins"
    winners: tuple[int, ...] = ()
    reason: str = ""
    seeds: str = ""
    clock: ClockReport | msgspec.UnsetType = msgspec.UNSET
    discarded: tuple[tuple[int, int], ...] = ()
    signed_by: str = ""
    trusted: bool = False
    logged: str = ""
    brought: Brought = NOTHING_BROUGHT
    bounds: Bounds = NO_BOUNDS
    unknown: tuple[Unknown, ...] = ()
    checks: dict[str, int] = {}
    findings: tuple[Finding, ...] = ()
    stopped_early: bool = False


def describe_check(report: Report, check: str) -> str:
    """What a check has established, by what the reader brought."""
    brought, said = report.brought, CHECKS[check]
    if check == "signature":
        parts = [f"{said} by {'a key of yours' if report.trusted else 'the key attached'}"] * bool(
            report.signed_by
        )
        if brought.receipts:
            lie = (
                "a receipt you kept lies"
                if brought.receipts == 1
                else f"{brought.receipts} receipts you kept lie"
            )
            parts.append(f"{lie} on the chain")
        return ", and ".join(parts) or said
    if check == "log":
        parts = ["which has only grown since the checkpoint you kept"] * brought.checkpoint
        parts += ["which a witness of yours has co-signed"] * bool(report.bounds.witnessed)
        return ", ".join([said, " and ".join(parts)]) if parts else said
    return said


def list_unknown(report: Report) -> tuple[Unknown, ...]:
    """What cannot be told of a record that verifies."""
    if not report.ok:
        return ()
    brought, unknown = report.brought, []
    if not brought.receipts:
        unknown.append(
            Unknown(
                "game", "cannot tell whether this is the game that was played: no receipt of it was given"
            )
        )
    elif brought.receipts_to < report.entries:
        unknown.append(
            Unknown(
                "game",
                f"cannot tell whether the game was played like this after version {brought.receipts_to}: no later"
                " receipt was given",
            )
        )
    if not report.signed_by:
        unknown.append(Unknown("signer", "cannot tell whose record this is: it is not signed"))
    elif not report.trusted:
        unknown.append(Unknown("signer", "cannot tell who signed it: no key was given"))
    if not report.logged:
        unknown.append(Unknown("log", "cannot tell whether it is in a log: no proof of that is attached"))
    elif not brought.checkpoint:
        unknown.append(
            Unknown(
                "log", "cannot tell whether the log has shown everybody the same: no checkpoint was given"
            )
        )
    unknown += _unknown_of_time(report)
    return tuple(unknown)


def _unknown_of_time(report: Report) -> list[Unknown]:
    """What it does not tell about clocks: that of the game, and those of others than the service."""
    unknown = []
    clock = report.clock
    if clock is not msgspec.UNSET and clock.recomputed < clock.forced:
        unknown.append(
            Unknown(
                "clock",
                "cannot tell whether the moves made for seats whose time was over are those of the clock's bot: that"
                " takes the whole record of a finished game, and the rules",
            )
        )
    if not report.bounds.not_later:
        unknown.append(
            Unknown(
                "witness",
                "cannot tell when it was played but by the service's clock: no key of a witness was given",
            )
        )
    return unknown


class Discrepancy(Exception):
    """A check does not hold at the entry that is being verified.

    Attributes:
        check: the name of the check, one of `CHECKS`.
        version: the entry's version, if it isn't the one being verified.
    """

    def __init__(self, check: str, reason: str, version: int | None = None) -> None:
        """Name the check and say what is wrong."""
        super().__init__(reason)
        self.check = check
        self.version = version
