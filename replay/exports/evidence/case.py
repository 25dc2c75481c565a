"""A case as people made it, from its events: the part of a pack that does not follow from the record."""

from collections.abc import Iterable
from typing import Final

import msgspec

from events.disputes.events import AppealLodged, CaseEventRecord, DisputeOpened, EvidenceAdded
from events.disputes.facts import Person
from events.disputes.state import FINAL, Case

MOST_RULINGS: Final = 20
"""So many earlier rulings stand in a pack at most: the newest."""


class Evidence(msgspec.Struct, frozen=True):
    """What somebody added to a case: a text, and the versions of the game that it is about."""

    by: Person
    at: int
    """Milliseconds since 1970-01-01 UTC."""
    text: str
    versions: tuple[int, ...] = ()
    is_appeal: bool = False
    """Whether it is why a party appeals."""


class Dispute(msgspec.Struct, frozen=True, kw_only=True):
    """A case as it was opened, and what was added to it since.

    Attributes:
        number: the number of the case in its game; 0 for one that nobody opened.
        version: the disputed version of the game.
        hash: the chain hash that the case names for it; empty where nobody opened one.
        opener: who opened it.
        opened: when, in milliseconds since 1970-01-01 UTC.
    """

    number: int = 0
    reason: str = ""
    text: str = ""
    version: int
    hash: str = ""
    opener: Person | None = None
    opened: int | None = None
    pause: bool = False
    evidence: tuple[Evidence, ...] = ()


class EarlierRuling(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling in another case about the same kind of thing."""

    game: str
    dispute: int
    version: int
    kind: str
    scope: str
    reason: str
    """Why it was given."""
    arbiter: Person
    at: int
    is_final: bool


def collect_dispute(happened: Iterable[CaseEventRecord], case: int) -> Dispute:
    """The case with this number, from what happened in the cases of its game.

    Raises:
        LookupError: no such case was opened.
    """
    opened: Dispute | None = None
    evidence = []
    for each in happened:
        if each.case != case:
            continue
        match each.event:
            case DisputeOpened() as event:
                opened = Dispute(
                    number=case,
                    reason=event.reason,
                    text=event.text,
                    version=event.version,
                    hash=event.hash,
                    opener=each.by,
                    opened=each.at,
                    pause=event.pause,
                )
            case EvidenceAdded() as event:
                evidence.append(Evidence(each.by, each.at, event.text, event.versions))
            case AppealLodged() as event:
                evidence.append(Evidence(each.by, each.at, event.text, is_appeal=True))
    if opened is None:
        raise LookupError(case)
    return msgspec.structs.replace(opened, evidence=tuple(evidence))


def earlier_rulings(game: str, cases: Iterable[Case], reason: str) -> list[EarlierRuling]:
    """The rulings in cases of a game that are about this kind of thing: after an appeal there are two."""
    return [
        EarlierRuling(
            game=game,
            dispute=case.number,
            version=case.version,
            kind=ruling.kind,
            scope=ruling.scope,
            reason=ruling.reason,
            arbiter=ruling.by,
            at=ruling.at,
            is_final=case.status == FINAL and ruling is case.ruling,
        )
        for case in cases
        if case.reason == reason
        for ruling in case.rulings
    ]
