"""What a verification found: a value that people read and machines store."""

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
    "end": "nothing is missing at the end, and nothing follows it",
    "annotations": "what was said about the game is chained to itself and bound to the game's entries",
    "signature": "the head is signed, and receipts kept from earlier lie on the chain",
    "log": "the head is in the service's log, and that log only grew since the checkpoint kept from earlier",
}
"""Every check by name, with what it establishes."""


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
        discarded: first and last version of each stretch that does not count, since the game went back.
        signed_by: the published form of the key that signed the head; empty where none did.
        trusted: whether the reader brought that key along.
        logged: the head's place in the service's log, such as `entry 4 of 12`; empty without a proof.
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
    discarded: tuple[tuple[int, int], ...] = ()
    signed_by: str = ""
    trusted: bool = False
    logged: str = ""
    checks: dict[str, int] = {}
    findings: tuple[Finding, ...] = ()
    stopped_early: bool = False


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
