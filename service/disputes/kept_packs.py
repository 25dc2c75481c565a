"""Which evidence packs of a game are kept: those that arbiters read or have ruled on, in so many bytes.

Each pack of a case has everything that the one before it had, so an old one is of use only where a ruling was given
on it. A pack that is thrown away can be built again by whoever has the record and the dispute log.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from events.disputes.entries import DisputeEntry
from events.disputes.events import EvidencePackBuilt, RulingGiven
from events.disputes.state import Cases

NEWEST_OF_A_CASE: Final = 3
"""Packs of one case that are kept, besides those that a ruling was given on."""
LARGEST_OF_A_GAME: Final = 8 * 1024 * 1024
"""Bytes of all packs of a game, as they are stored, beyond which only those stay that are needed."""


def choose_unneeded(entries: Sequence[DisputeEntry], cases: Cases, sizes: Mapping[str, int]) -> list[str]:
    """The packs of a game that may go, of those that are stored with these sizes in bytes.

    Those that no entry names may go. However large they are, those stay that are needed: the newest of a case that
    has not ended, the newest of a case when a ruling was given in it, and those that a ruling names by their hash.
    """
    built, ruled_on, said = _look_through(entries)
    needed = {sha256 for sha256 in built if sha256 in ruled_on or any(sha256 in text for text in said)}
    needed |= {case.pack for case in cases if case.pack is not None and not case.is_over}
    later: dict[int, int] = defaultdict(int)
    kept, room = set(needed), LARGEST_OF_A_GAME - sum(sizes.get(sha256, 0) for sha256 in needed)
    for sha256, case in reversed(built.items()):
        later[case] += 1
        if sha256 in kept or later[case] > NEWEST_OF_A_CASE or sizes.get(sha256, 0) > room:
            continue
        kept.add(sha256)
        room -= sizes.get(sha256, 0)
    return [sha256 for sha256 in sizes if sha256 not in kept]


def _look_through(entries: Sequence[DisputeEntry]) -> tuple[dict[str, int], set[str], list[str]]:
    """All packs with their cases, the first one first; those that rulings were given on; and what rulings say."""
    built: dict[str, int] = {}
    newest: dict[int, str] = {}
    ruled_on: set[str] = set()
    said = []
    for entry in entries:
        case = entry.happened.case
        match entry.happened.event:
            case EvidencePackBuilt(sha256=sha256):
                built[sha256], newest[case] = case, sha256
            case RulingGiven(scope=scope, reason=reason):
                said.append(f"{scope}\n{reason}")
                ruled_on |= {newest[case]} if case in newest else set()
    return built, ruled_on, said
