"""What the service has shown of each game, kept by the client itself, and held against whatever comes later.

Every answer about a game names its version and the chain hash there. Whoever was shown one cannot be given another
game in its place: a record that was dealt and played anew verifies by itself, but not against this. They are kept in
memory: of each game the newest and some spaced ones, of the games those asked for last. With a folder the service's
signature on them is fetched now and then, and stays for others and for the next start: a file
`GAME-VERSION.receipt` is what `fieldbook replay verify --receipt` takes.
"""

from collections import OrderedDict
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Final

from events.chain.hash_chain import GENESIS, link
from events.game.record import RecordBroken, read_record
from events.log.disclosure import public_form
from events.transparency.game_commitment import parse_game_commitment
from events.transparency.game_head import parse_game_head
from events.transparency.signed_note import NoteRefused, parse_note
from replay.client.answers import Event

MOST_GAMES: Final = 1024
MOST_OF_A_GAME: Final = 16
SPACING: Final = 50
"""Versions from one signed receipt to the next."""


class GameSwapped(Exception):
    """What the service shows now is not the game that it showed before, whatever else may be right about it.

    Somebody has dealt or played it anew, or the service has lost what it had acknowledged. Keep what came now
    (`record`, where it was one) beside the receipts, and accept no result of it.
    """

    def __init__(self, game: str, version: int, reason: str, record: bytes = b"") -> None:
        """Say which game, from which version on at the latest, and what differs."""
        super().__init__(f"This is not the game {game} that was played here: at version {version} {reason}.")
        self.game = game
        self.version = version
        self.record = record


class KeptReceipts:
    """The receipts of one client; safe for many threads."""

    def __init__(self, folder: Path | None = None) -> None:
        """Keep them in memory, and the signed ones in this folder too, which may hold some from earlier."""
        self._folder = folder
        self._games: OrderedDict[str, dict[int, str]] = OrderedDict()
        self._signed: dict[str, int] = {}
        """The newest version of each game that is signed for, where there is a folder."""
        self._promised: OrderedDict[str, str] = OrderedDict()
        """The commitments of games that were reserved."""
        self._lock = Lock()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def of(self, game: str) -> dict[int, str]:
        """The chain hashes that are kept of a game, by version."""
        with self._lock:
            return dict(self._kept(game))

    def hold(self, game: str, version: int, hash_: str) -> None:
        """Hold what the service shows against what is kept, and keep it.

        Raises:
            GameSwapped: it has shown another hash at this version.
        """
        with self._lock:
            kept = self._kept(game)
            known = kept.setdefault(version, hash_)
            if len(kept) > MOST_OF_A_GAME:
                del kept[_least_missed(sorted(kept))]
        if known != hash_:
            raise GameSwapped(
                game, version, f"its chain hash was {known[:16]}, and is said to be {hash_[:16]} now"
            )

    def keep_commitment(self, text: str) -> None:
        """Keep the signed commitment to a game that was reserved, in the folder as version 0.

        Raises:
            NoteRefused: it is none.
        """
        promised = parse_game_commitment(parse_note(text).text)
        with self._lock:
            self._promised[promised.game] = promised.commitment
            if len(self._promised) > MOST_GAMES:
                self._promised.popitem(last=False)
        if self._folder is not None:
            (self._folder / f"{promised.game}-0.receipt").write_text(text, encoding="utf-8")

    def hold_commitment(self, game: str, commitment: str) -> None:
        """Hold the commitment of a game that was set up against the one that was given out before.

        Raises:
            GameSwapped: it is another one.
        """
        with self._lock:
            promised = self._promised.get(game, commitment)
        if promised != commitment:
            reason = f"its commitment was to be {promised[:16]}, and is {commitment[:16]}"
            raise GameSwapped(game, 1, reason)

    def check_record(self, game: str, record: bytes) -> None:
        """Hold a record against what is kept of its game; of a game never seen here nothing is.

        Raises:
            GameSwapped: the record does not go through all of it.
            RecordBroken: it cannot be read, or its chain does not hold together.
        """
        kept = self.of(game)
        header, forms = read_record(BytesIO(record))
        if header.game != game:
            raise GameSwapped(game, 0, f"the record names another one, {header.game[:64]}", record)
        head, version = GENESIS, 0
        for form in forms:
            version += 1
            head = link(head, public_form(form))
            if head != form.hash:
                raise RecordBroken(version, "the chain breaks here")
            if (known := kept.pop(version, head)) != head:
                reason = f"its chain hash was {known[:16]}, and is {head[:16]} in the record"
                raise GameSwapped(game, version, reason, record)
        # One that still runs may be shown to spectators some versions behind.
        if kept and header.secret:
            raise GameSwapped(
                game, max(kept), f"it went on, and the record ends with version {version}", record
            )

    def held(self, game: str, events: Iterator[Event]) -> Iterator[Event]:
        """The same events, each held against what is kept; may raise GameSwapped."""
        for event in events:
            self.hold(game, event.entry.version, event.hash)
            yield event

    def wants_signature(self, game: str, version: int) -> bool:
        """Whether a signed receipt of this version should be kept in the folder."""
        with self._lock:
            self._kept(game)
            return self._folder is not None and version >= self._signed.get(game, -SPACING) + SPACING

    def keep_signed(self, game: str, text: str) -> None:
        """Keep a signed receipt of a game in the folder, and hold it against the others.

        Raises:
            GameSwapped: the service has shown another hash at its version.
            NoteRefused: it is no receipt.
        """
        head = parse_game_head(parse_note(text).text)
        self.hold(game, head.version, head.hash)
        with self._lock:
            self._signed[game] = max(head.version, self._signed.get(game, 0))
        if self._folder is not None:
            (self._folder / f"{game}-{head.version}.receipt").write_text(text, encoding="utf-8")

    def _kept(self, game: str) -> dict[int, str]:
        """What is kept of a game, which is the last one asked for now."""
        if game not in self._games:
            self._games[game] = self._read(game)
            if len(self._games) > MOST_GAMES:
                forgotten, _ = self._games.popitem(last=False)
                self._signed.pop(forgotten, None)
        self._games.move_to_end(game)
        return self._games[game]

    def _read(self, game: str) -> dict[int, str]:
        found: dict[int, str] = {}
        for path in () if self._folder is None else self._folder.glob(f"{game}-*.receipt"):
            try:
                head = parse_game_head(parse_note(path.read_text(encoding="utf-8")).text)
            except (OSError, UnicodeDecodeError, NoteRefused):
                continue
            if head.game == game:
                found[head.version] = head.hash
                self._signed[game] = max(head.version, self._signed.get(game, 0))
        return found


def _least_missed(versions: list[int]) -> int:
    """The version whose neighbours are nearest to each other; never the first or the newest."""
    place = min(range(1, len(versions) - 1), key=lambda each: versions[each + 1] - versions[each - 1])
    return versions[place]
