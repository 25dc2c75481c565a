"""The annotations of a store's games: read, written one after another, and taken over from files.

They stand in a stream of their own beside the game's log. A game that is archived keeps it, so games are annotated
before and after. Two who write into one set at once both get in, one after the other; a set has only one owner.
"""

import hashlib
import hmac
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from events.chain.hash_chain import GENESIS
from events.store.errors import CommandIdReused, StoreDamaged
from events.store.event_store import EventStore
from replay.annotations.book import AnnotationBook
from replay.annotations.content import AnnotationRefused, check_vocabulary
from replay.annotations.entries import (
    AnnotationBroken,
    AnnotationEntry,
    Author,
    Moment,
    new_entry,
    parse_entry,
)
from replay.annotations.sets import AnnotationSet
from service.annotations.store import AnnotationRecords

NOTHING: Final = (0, GENESIS)
"""Where a set stands before its first entry."""
_TRIES: Final = 20


class SetAnswer(msgspec.Struct, frozen=True):
    """The answer to a request that wrote something."""

    fingerprint: str
    set: str
    number: int
    hash: str


class SetChanged(Exception):
    """A set is not where the caller saw it; `number` and `hash` say where it is."""

    def __init__(self, number: int, chain_hash: str) -> None:
        """Say where the set is."""
        super().__init__(number, chain_hash)
        self.number = number
        self.hash = chain_hash


@dataclass(frozen=True, slots=True)
class Kept:
    """All that is kept about a game's annotations."""

    book: AnnotationBook
    owners: dict[str, str]
    """Who owns each set: `seat:1` and so on, the id of a key, or `spectator:` and an id."""
    answers: dict[str, SetAnswer]
    """What was answered to each request."""

    def own(self, name: str, owner: str) -> AnnotationSet:
        """The owner's set of this id.

        Raises:
            AnnotationRefused: they have none; another's is answered like one that does not exist.
        """
        found = self.book.find(name)
        if found is None or self.owners[name] != owner:
            raise AnnotationRefused("no_such_set", "You have no set with this id in this game.")
        return found


@dataclass(frozen=True, slots=True)
class Wish:
    """An entry that somebody wants to write.

    Attributes:
        set: the id of the set; None for a new one.
        expected: number and beginning of the hash that the set must have; None for any.
        seats: how many seats the game has.
    """

    game: str
    set: str | None
    owner: str
    author: Author
    kind: str
    moment: Moment
    data: dict[str, Any]
    at: int
    request: str
    fingerprint: str
    seats: int
    expected: tuple[int, str] | None = None


class Annotations:
    """The annotations in a store. Every method may raise StoreUnavailable and StoreDamaged."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._records = AnnotationRecords(store)
        self._token_key = bytes.fromhex(store.installation.token_key)

    def of(self, game: str) -> Kept:
        """All that is kept about a game that exists, archived or not."""
        kept = Kept(AnnotationBook(game), {}, {})
        for stored in self._records.entries(game):
            try:
                entry = parse_entry(msgspec.json.decode(stored.line)["annotation"], stored.hash)
                kept.book.append(entry)
                if stored.request:
                    kept.answers[stored.request] = msgspec.json.decode(stored.answer, type=SetAnswer)
            except (AnnotationBroken, AnnotationRefused, msgspec.DecodeError, KeyError, TypeError) as broken:
                raise StoreDamaged(f"An annotation of game {game} cannot be read: {broken}.") from broken
            kept.owners[stored.set] = stored.owner
        return kept

    def write(self, wish: Wish) -> tuple[SetAnswer, bool]:
        """Write an entry; returns where it stands, and whether the same request had written it before.

        Raises:
            AnnotationRefused: it may not follow, or there is no room.
            SetChanged: the set is not where it was expected.
            CommandIdReused, GameNotFound, PartitionQuarantined
        """
        name, before = wish.set or self._new_name(wish), NOTHING
        for _ in range(_TRIES):
            kept = self.of(wish.game)
            if known := kept.answers.get(self._request(wish.owner, wish.request)):
                return self._again(wish, known), True
            written = AnnotationSet() if wish.set is None else kept.own(name, wish.owner)
            before = (written.number, written.head)
            if wish.expected is not None and not _is_at(before, wish.expected):
                raise SetChanged(*before)
            entry = _entry_of(wish, name, written)
            if entry.content is not None:
                check_vocabulary(entry.content, wish.seats)
            written.append(entry)
            answer = SetAnswer(wish.fingerprint, name, entry.number, entry.hash)
            found = self._append(wish.owner, before, [entry], request=wish.request, answer=answer)
            if found is not None:
                return (self._again(wish, found), True) if found != answer else (found, False)
        raise SetChanged(*before)

    def take_over(self, game: str, owner: str, theirs: AnnotationSet) -> int:
        """Take a set over from a file as it is, with its author and its hashes; returns how many entries were new.

        Raises:
            AnnotationRefused: the set here is somebody else's, or went on differently, or there is no room.
            GameNotFound, PartitionQuarantined
        """
        mine = AnnotationSet()
        for _ in range(_TRIES):
            kept = self.of(game)
            mine = kept.book.find(theirs.id) or AnnotationSet()
            shared = min(mine.number, theirs.number)
            if shared and mine.entries[shared - 1].hash != theirs.entries[shared - 1].hash:
                raise AnnotationRefused(
                    "annotations_forked", f"The set {theirs.id} went on differently here."
                )
            new = theirs.entries[shared:]
            if not new:
                return 0
            if mine.number and kept.owners[theirs.id] != owner:
                raise AnnotationRefused("not_your_set", f"Somebody else keeps the set {theirs.id} here.")
            answer = SetAnswer("", theirs.id, theirs.number, theirs.head)
            request = f"import/{theirs.id}/{theirs.head}"
            if self._append(owner, (mine.number, mine.head), new, request=request, answer=answer) is not None:
                return len(new)
        raise SetChanged(mine.number, mine.head)

    def _append(
        self,
        owner: str,
        before: tuple[int, str],
        entries: Sequence[AnnotationEntry],
        *,
        request: str,
        answer: SetAnswer,
    ) -> SetAnswer | None:
        """Append entries of a set in one step; None where it has moved on, else what is remembered from now on."""
        content = msgspec.json.encode(answer)
        found = self._records.append(owner, before, entries, self._request(owner, request), content)
        return None if found is None else msgspec.json.decode(found, type=SetAnswer)

    def _again(self, wish: Wish, known: SetAnswer) -> SetAnswer:
        if known.fingerprint != wish.fingerprint:
            raise CommandIdReused(wish.game, wish.request)
        return known

    def _request(self, owner: str, request: str) -> str:
        return hashlib.sha256(f"{owner}/{request}".encode()).hexdigest()[:40]

    def _new_name(self, wish: Wish) -> str:
        """An id for a new set; the same request gets the same one."""
        text = f"annotations/{wish.game}/{wish.owner}/{wish.request}"
        return b32encode(hmac.digest(self._token_key, text.encode(), "sha256"))[:20].decode().lower()


def _entry_of(wish: Wish, name: str, written: AnnotationSet) -> AnnotationEntry:
    at = max(wish.at, written.entries[-1].at) if written.number else wish.at
    try:
        return new_entry(
            game=wish.game,
            set_id=name,
            number=written.number + 1,
            previous=written.head,
            author=written.author if written.number else wish.author,
            at=at,
            kind=wish.kind,
            moment=wish.moment,
            data=wish.data,
        )
    except AnnotationBroken as broken:
        raise AnnotationRefused("bad_annotation", str(broken)) from broken


def _is_at(stands: tuple[int, str], expected: tuple[int, str]) -> bool:
    number, chain_hash = expected
    return stands[0] == number and stands[1].startswith(chain_hash)
