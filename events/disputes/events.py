"""What can happen to a case. These names are the storage format: never rename one, nor a field."""

from typing import Final

import msgspec

from events.chain.canonical import snake_case
from events.disputes.facts import Person, SeenSince


class CaseEvent(
    msgspec.Struct,
    frozen=True,
    tag_field="type",
    tag=snake_case,
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Base of all of them. `until` is the moment (milliseconds) at which the time for the next step is over."""

    @property
    def size(self) -> int:
        """How many bytes it takes as JSON."""
        return len(msgspec.json.encode(self))


class DisputeOpened(CaseEvent, frozen=True):
    """Somebody disputes an entry of the game's log, which the chain hash after it names."""

    reason: str
    text: str
    version: int
    hash: str
    pause: bool
    until: int
    pause_until: int | None = None
    """When the game goes on at the latest, however the case stands then; None where it does not wait."""


class EvidenceAdded(CaseEvent, frozen=True):
    """A text, and the versions of the game that it is about."""

    text: str
    versions: tuple[int, ...] = ()


class EvidencePackBuilt(CaseEvent, frozen=True):
    """The service put together what the log says about the case; the hash is that of the pack's bytes."""

    version: int
    sha256: str
    format: str


class DisputeWithdrawn(CaseEvent, frozen=True):
    """Whoever opened it took it back."""


class PlayWished(CaseEvent, frozen=True):
    """Somebody at the table asks that the game goes on while the case is decided."""


class PlayResumed(CaseEvent, frozen=True):
    """The game waits for the case no more: it was `agreed`, or its time was over (`time_over`)."""

    why: str


class DisputeClaimed(CaseEvent, frozen=True):
    """An arbiter took it on."""

    until: int


class ClaimReleased(CaseEvent, frozen=True):
    """The arbiter left it to another one."""

    until: int


class ClaimLapsed(CaseEvent, frozen=True):
    """The arbiter gave no ruling in time: another one may claim it."""

    until: int


class RulingGiven(CaseEvent, frozen=True):
    """An arbiter ruled. `until` is the end of the time for an appeal."""

    kind: str
    scope: str
    reason: str
    until: int
    to_version: int | None = None
    winners: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()
    seen: tuple[SeenSince, ...] = ()
    seen_confirmed: bool = False


class RulingAccepted(CaseEvent, frozen=True):
    """A party agrees with the ruling."""


class AppealLodged(CaseEvent, frozen=True):
    """A party asks for another arbiter's ruling."""

    text: str
    until: int


class RulingFinal(CaseEvent, frozen=True):
    """The last ruling stands for good; `game_version` and `game_hash` say where the game's log was after it."""

    applied: bool
    why: str
    game_version: int
    game_hash: str


class DisputeLapsed(CaseEvent, frozen=True):
    """No arbiter claimed it in time."""


TYPES: Final[dict[str, type[CaseEvent]]] = {
    snake_case(each.__name__): each for each in CaseEvent.__subclasses__()
}
"""By the name under which they are stored."""


class CaseEventRecord(msgspec.Struct, frozen=True):
    """An event of a case, with who brought it about and when."""

    case: int
    at: int
    by: Person
    event: CaseEvent
