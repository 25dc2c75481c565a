"""The files of a backup: gzipped lines in some files of bounded size, and a manifest that is written last.

manifest.json            what the backup holds: every file with its SHA-256, and a SHA-256 over the manifest itself
store-0001.ndjson.gz     lines: other keys, leaves of the transparency log, then per partition its feed and its games
signing-keys.json        the keys that the service signs with
first-key                the first key, where the data folder has one
"""

import gzip
import hashlib
import zlib
from collections.abc import Iterator
from io import BytesIO
from typing import Final, Self

import msgspec

from events.chain.canonical import canonical, sha256_hex
from events.log.recorded import RecordedEvent
from events.store.event_store import Installation
from events.store.remembered_commands import PackedCommands
from events.store.tombstone import Tombstone
from service.platform.targets import FileMissing, Target

FORMAT: Final = 1
MANIFEST: Final = "manifest.json"
LARGEST_FILE: Final = 32 * 1024 * 1024
"""Bytes of lines in one file, before compression, after which the next file is begun."""


class BackupUnusable(Exception):
    """A backup cannot be made here, or cannot be restored; the message says why."""


class KeyLine(msgspec.Struct, frozen=True, tag="key"):
    """A key of the store that is neither a game's nor a feed's, such as the integrators' keys or the reports."""

    name: str
    kind: str
    """`string`, `hash`, `list`, `set`, `zset` or `stream`."""
    values: list[bytes]
    """What to give to SET, HSET, RPUSH, SADD or ZADD (score and member in turn)."""
    entries: list[tuple[bytes, list[bytes]]] = []
    """A stream's entries: id, names and values."""


class LeafLine(msgspec.Struct, frozen=True, tag="leaf"):
    """The next entry of the transparency log."""

    text: str
    unlisted: bool = False
    """Whether its game is not public."""


class FeedLine(msgspec.Struct, frozen=True, tag="feed"):
    """The next entry of a partition's feed."""

    partition: int
    position: int
    game: str
    first: int
    last: int
    hash: str
    """Chain hash after the append."""


class GameLine(msgspec.Struct, frozen=True, tag="game"):
    """A game; its entries follow, one a line, unless it is archived."""

    game: str
    version: int
    hash: str
    private: dict[str, str]
    commands: PackedCommands
    tombstone: Tombstone | None = None


class EntryLine(msgspec.Struct, frozen=True, tag="entry"):
    """The next entry of the game named last."""

    event: RecordedEvent


Line = KeyLine | LeafLine | FeedLine | GameLine | EntryLine


class FileLine(msgspec.Struct, frozen=True):
    """A file of the backup."""

    name: str
    sha256: str
    size: int


class Manifest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a backup holds."""

    format: int
    made: int
    """When it was begun: milliseconds since the epoch."""
    installation: Installation
    feeds: list[int]
    """The position of each partition's last feed entry."""
    games: int
    heads: str
    """SHA-256 over the lines `<game> <version> <hash>` of all these games, in the order of their ids."""
    damaged: dict[str, str]
    """Further games, which did not hold together and were copied key by key, with what was wrong."""
    checkpoint: str
    """The signed checkpoint of the transparency log."""
    files: list[FileLine]


class _Sealed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    manifest: Manifest
    sha256: str


class LineWriter:
    """Writes lines into files of bounded size."""

    def __init__(self, target: Target, files: list[FileLine]) -> None:
        """Write into this target, and tell `files` of each file."""
        self.files = files
        self._target = target
        self._encode = msgspec.json.Encoder().encode
        self._lines: list[bytes] = []
        self._size = 0

    def __enter__(self) -> Self:
        """Return the writer."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Write what is left, unless something went wrong."""
        if kind is None and self._lines:
            self._flush()

    def put(self, line: Line) -> None:
        """Write one line."""
        encoded = self._encode(line) + b"\n"
        self._lines.append(encoded)
        self._size += len(encoded)
        if self._size > LARGEST_FILE:
            self._flush()

    def _flush(self) -> None:
        name = f"store-{len(self.files) + 1:04d}.ndjson.gz"
        self.files.append(write_file(self._target, name, gzip.compress(b"".join(self._lines), mtime=0)))
        self._lines, self._size = [], 0


def write_file(target: Target, name: str, content: bytes) -> FileLine:
    """Write a file of a backup, and read it back."""
    target.write(name, content)
    if target.read(name) != content:
        target.remove([name])
        raise BackupUnusable(f"{target.address}: {name} reads otherwise than it was written.")
    return FileLine(name, sha256_hex(content), len(content))


def write_manifest(target: Target, manifest: Manifest) -> None:
    """Finish a backup."""
    sealed = _Sealed(manifest, sha256_hex(canonical(manifest)))
    target.write(MANIFEST, msgspec.json.format(msgspec.json.encode(sealed)) + b"\n")


def read_manifest(source: Target) -> Manifest:
    """What a backup holds.

    Raises:
        BackupUnusable: there is no finished backup, or its manifest was changed.
    """
    try:
        sealed = msgspec.json.decode(source.read(MANIFEST), type=_Sealed)
    except FileMissing as missing:
        raise BackupUnusable(f"{source.address} holds no finished backup: {missing}.") from missing
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise BackupUnusable(f"{source.address}: {MANIFEST} cannot be read: {error}.") from error
    if sealed.manifest.format != FORMAT:
        raise BackupUnusable(f"The backup has format {sealed.manifest.format}; format {FORMAT} can be read.")
    if sha256_hex(canonical(sealed.manifest)) != sealed.sha256:
        raise BackupUnusable(f"{source.address}: {MANIFEST} is not as it was written.")
    return sealed.manifest


def read_file(source: Target, file: FileLine) -> bytes:
    """The content of a file, exactly as it was written.

    Raises:
        BackupUnusable: it is missing, or was changed.
    """
    try:
        content = source.read(file.name)
    except FileMissing as missing:
        raise BackupUnusable(f"The backup is not whole: {missing}.") from missing
    if len(content) != file.size or hashlib.sha256(content).hexdigest() != file.sha256:
        raise BackupUnusable(f"{source.address}: {file.name} is not the file that was written.")
    return content


def read_lines(source: Target, manifest: Manifest) -> Iterator[Line]:
    """All lines of a backup, in order.

    Raises:
        BackupUnusable
    """
    decoder = msgspec.json.Decoder(Line)
    for file in manifest.files:
        if file.name.endswith(".gz"):
            try:
                for line in BytesIO(gzip.decompress(read_file(source, file))):
                    yield decoder.decode(line)
            except (OSError, EOFError, zlib.error, msgspec.DecodeError) as error:
                raise BackupUnusable(f"{source.address}: {file.name} cannot be read: {error}.") from error
