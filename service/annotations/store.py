"""The annotations of a store's games: read, written one after another, and taken over from files.

They stand in a stream of each game's beside its log (`events.store.redis.keys`). A game that is archived keeps it, so
games are annotated before and after. Two who write into one set at once both get in, one after the other; a set has
only one owner.
"""

import hashlib
import hmac
from base64 import b32encode
from collections.abc import Sequence
from typing import Final

import msgspec

from events.chain.hash_chain import GENESIS
from events.store.errors import CommandIdReused, GameNotFound, PartitionQuarantined, StoreDamaged
from events.store.event_store import EventStore
from events.store.partitions import is_game_id
from events.store.redis.client.pool import Argument
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import require_redis
from replay.annotations.book import LARGEST, MOST_ENTRIES, MOST_SETS
from replay.annotations.content import AnnotationRefused, check_vocabulary
from replay.annotations.entries import AnnotationBroken, AnnotationEntry, new_entry
from replay.annotations.sets import AnnotationSet
from service.annotations.annotations import ARBITER, CREATOR, Kept, SetAnswer, SetChanged, SetOwner, Wish
from service.annotations.reading import Reading, StoredAnnotation, follow, read_whole
from service.storage.kept_readings import KeptReadings

MOST_OWN: Final = 40
"""Sets of one owner in one game at most."""
LARGEST_OWN: Final = 400_000
"""Bytes of one owner in one game at most, as lines."""
LARGEST_OF_SPECTATORS: Final = 1_000_000
"""Bytes of all spectators of one game at most: a seat gives out as many of their tokens as it likes."""
KEPT_SETS, KEPT_BYTES = 40, 1_000_000
"""What is kept of a game's room for who set it up, and for arbiters."""
CREATORS_SETS, CREATORS_BYTES = 20, 500_000
"""What is kept of that for who set the game up, who has no share."""
MOST_OF_ARBITER, LARGEST_OF_ARBITER = 80, 1_000_000
"""Sets and bytes of one arbiter in one game at most."""
FULL: Final = "annotations_full"
"""The code where there is no room."""
NOTHING: Final = (0, GENESIS)
"""Where a set stands before its first entry."""
CACHED_BYTES: Final = 32_000_000
"""Bytes of annotations that a process keeps in memory, of all games together: of some five whose room is full."""
_TRIES: Final = 20
_READ_TRIES: Final = 3
_FIELDS: Final = [b"n", b"o", b"l", b"h", b"k", b"a"]


class Annotations:
    """The annotations in a store. Every method may raise StoreUnavailable and StoreDamaged."""

    def __init__(self, store: EventStore) -> None:
        """Keep them in this store."""
        self._store = require_redis(store)
        self._token_key = bytes.fromhex(store.installation.token_key)
        self._readings = KeptReadings[Reading](CACHED_BYTES)

    def of(self, game: str) -> Kept:
        """All that is kept about a game that exists, archived or not.

        Raises:
            GameNotFound: no game can have this id.
        """
        for _ in range(_READ_TRIES):
            known = self._readings.find_or_read(game, lambda: self._read(game))
            found, entries = self._stored(game, b"-" if known.last is None else known.last.place)
            if known.is_followed_by(found, entries):
                now = follow(known, found[known.last is not None :])
                if now is not known:
                    self._readings.keep(game, now, now.size)
                return now.kept
            # A set was removed, or the stream is another one; or somebody wrote between the two questions.
            self._readings.forget(game, known)
        return self._read(game)[0].kept

    def _read(self, game: str) -> tuple[Reading, int]:
        """The whole stream of a game, and how many bytes that takes."""
        reading = read_whole(game, self._stored(game, b"-")[0])
        return reading, reading.size

    def _stored(self, game: str, place: bytes) -> tuple[list[StoredAnnotation], int]:
        """What stands in the stream of a game from a place on, and how many entries all of it has."""
        key = self._keys(game).annotations
        stored, entries = self._store.connection.commands(("XRANGE", key, place, "+"), ("XLEN", key))
        found = []
        for at, fields in stored:
            if fields[::2] != _FIELDS:
                raise StoreDamaged(
                    f"An annotation of game {game} has other fields than it must: {fields[::2]!r}."
                )
            name, owner, line, chain_hash, request, answer = fields[1::2]
            texts = name.decode(), owner.decode(), chain_hash.decode(), request.decode()
            found.append(StoredAnnotation(at, *texts, line, answer))
        return found, int(entries)

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
            asked = self._request(wish.owner, wish.request)
            if known := kept.answers.get(asked):
                return self._again(wish, known), True
            written = AnnotationSet() if wish.set is None else kept.own(name, wish.owner).copy()
            before = (written.number, written.head)
            if wish.expected is not None and not _is_at(before, wish.expected):
                raise SetChanged(*before)
            entry = _entry_of(wish, name, written)
            if entry.content is not None:
                check_vocabulary(entry.content, wish.seats)
            written.append(entry)
            answer = SetAnswer(wish.fingerprint, name, entry.number, entry.hash)
            owner = SetOwner(wish.owner, wish.role)
            try:
                found = self._append(
                    owner, before, [entry], request=wish.request, answer=answer, game=wish.game
                )
            except AnnotationRefused as full:
                if full.code != FULL or not self._make_room(kept):
                    raise
                continue
            if found is not None:
                return (self._again(wish, found), True) if found != answer else (found, False)
        raise SetChanged(*before)

    def take_over(self, game: str, owner: SetOwner, theirs: AnnotationSet) -> int:
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
            if mine.number and kept.owners[theirs.id] != owner.name:
                raise AnnotationRefused("not_your_set", f"Somebody else keeps the set {theirs.id} here.")
            answer = SetAnswer("", theirs.id, theirs.number, theirs.head)
            request = f"import/{theirs.id}/{theirs.head}"
            before = (mine.number, mine.head)
            try:
                found = self._append(owner, before, new, request=request, answer=answer, game=game)
            except AnnotationRefused as full:
                if full.code != FULL or not self._make_room(kept):
                    raise
                continue
            if found is not None:
                return len(new)
        raise SetChanged(mine.number, mine.head)

    def _append(
        self,
        owner: SetOwner,
        before: tuple[int, str],
        entries: Sequence[AnnotationEntry],
        *,
        request: str,
        answer: SetAnswer,
        game: str,
    ) -> SetAnswer | None:
        """Append entries to a set that has so many with this hash; with none remove it. None where it has moved on.

        Returns the answer that is kept to this request from now on: where the request was known nothing was written.

        Raises:
            AnnotationRefused: the set is somebody else's, or there is no room.
            GameNotFound, PartitionQuarantined, StoreDamaged
        """
        keys = self._keys(game)
        names = (keys.head, keys.annotations, keys.annotations_index, keys.quarantine)
        asked = self._request(owner.name, request)
        arguments: list[Argument] = [answer.set, owner.name, *before, msgspec.json.encode(answer), asked]
        arguments += (MOST_ENTRIES, *_room_for(owner), len(entries))
        for entry in entries:
            arguments += (entry.line, entry.hash)
        remembered = (keys.annotations_index, f"request:{asked}")
        match self._store.call_appending("annotate", keys, names, arguments, *remembered):
            case [b"appended"]:
                return answer
            case [b"known", bytes(stored)]:
                return msgspec.json.decode(stored, type=SetAnswer)
            case [b"conflict", *_]:
                return None
            case [b"missing"]:
                raise GameNotFound(game)
            case [b"quarantined", reason]:
                raise PartitionQuarantined(self._store.partition_of(game), reason.decode())
            case [b"foreign"]:
                raise AnnotationRefused("no_such_set", "You have no set with this id in this game.")
            case [b"full", what]:
                raise AnnotationRefused(FULL, f"There is no room for more {what.decode()} in this game.")
            case other:
                raise StoreDamaged(f"The store's annotate function gave an answer we do not know: {other!r}.")

    def _make_room(self, kept: Kept) -> bool:
        """Remove the drafts of which everything was withdrawn, which nobody can read; whether there was any."""
        removed = False
        for each in kept.book.sets:
            if each.published == 0 and all(note.withdrawn is not None for note in each.standing):
                owner, request = SetOwner(kept.owners[each.id]), f"removal/{each.id}/{each.head}"
                answer = SetAnswer("", each.id, each.number, each.head)
                before = (each.number, each.head)
                self._append(owner, before, [], request=request, answer=answer, game=kept.book.game)
                removed = True
        return removed

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

    def _keys(self, game: str) -> GameKeys:
        if not is_game_id(game):
            raise GameNotFound(game)
        return GameKeys(game, self._store.partitions)


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


def _room_for(owner: SetOwner) -> tuple[int, int, int, int]:
    """Sets of a game, sets of this owner, bytes of a game and bytes of this owner: each at most."""
    if owner.role == CREATOR:
        return MOST_SETS, MOST_SETS, LARGEST, LARGEST
    if owner.role == ARBITER:
        return MOST_SETS - CREATORS_SETS, MOST_OF_ARBITER, LARGEST - CREATORS_BYTES, LARGEST_OF_ARBITER
    own = LARGEST_OF_SPECTATORS if owner.name.startswith("spectator:") else LARGEST_OWN
    return MOST_SETS - KEPT_SETS, MOST_OWN, LARGEST - KEPT_BYTES, own


def _is_at(stands: tuple[int, str], expected: tuple[int, str]) -> bool:
    number, chain_hash = expected
    return stands[0] == number and stands[1].startswith(chain_hash)
