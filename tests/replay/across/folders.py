"""Folders of records for tests: a few good games, and one of each kind that is left out."""

import gzip
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from events import commands as c
from events.chain.hash_chain import GENESIS, link
from events.game.record import encode_form
from events.log.disclosure import PUBLIC, Form, public_form
from replay.across.played_game import PlayedGame
from tests.support.recorded_games import recorded_game
from tests.support.ruled_games import disputed_record, ruled_record

GOOD = ("game-1", "game-2", "game-3")
"""The games in the folder that nothing is wrong with, in its order."""


def write(path: Path, lines: Iterable[bytes]) -> Path:
    """Write a record, gzipped where its name says so."""
    path.parent.mkdir(parents=True, exist_ok=True)
    content = b"".join(lines)
    path.write_bytes(gzip.compress(content, mtime=0) if path.suffix == ".gz" else content)
    return path


def write_good(folder: Path) -> Path:
    """Three games that finished, one of them below, one gzipped."""
    write(folder / "a.ndjson", recorded_game(1).record())
    write(folder / "below" / "b.ndjson.gz", recorded_game(2, 2, system="the-duel").record())
    write(folder / "below" / "c.ndjson", recorded_game(3, 3).record())
    return folder


def write_left(folder: Path) -> Path:
    """One record of every kind that is left out, and nothing else that is looked at."""
    good = recorded_game(4, 3).record()
    write(folder / "annulled.ndjson", ruled_record(5, "classic", 3, annulled()).record())
    write(folder / "broken.ndjson", [*good[:5], good[6], *good[7:]])
    write(folder / "cut.ndjson.gz", good).write_bytes(gzip.compress(b"".join(good))[:-2000])
    write(folder / "later.ndjson", [good[0], with_later_engine(good[1]), *good[2:]])
    write(folder / "no-record.ndjson", [b"[1, 2, 3]\n"])
    write(folder / "public.ndjson", recorded_game(4, 3).record(PUBLIC))
    write(folder / "running.ndjson", recorded_game(6, 3, stop_at=60).record())
    write(folder / "tampered.ndjson", [line.replace(b'"Ben"', b'"Bea"') for line in good])
    return folder


def write_rewound(folder: Path) -> Path:
    """A game that went back three times."""
    write(folder / "rewound.ndjson", disputed_record(7, "classic", 3).record())
    return folder


def annulled() -> c.RuleGame:
    """The ruling that annuls a game."""
    return c.RuleGame(1, "annulled", "Ada", "the game", "Two of them sat side by side.")


def with_later_engine(line: bytes) -> bytes:
    """The first entry, as an engine would have written it that is not here: its chain hash holds."""
    changed = msgspec.json.decode(re.sub(rb'"engine_version":\d+', b'"engine_version":99', line), type=Form)
    return encode_form(Form(changed.entry, changed.salts, link(GENESIS, public_form(changed))))


def count_entries(played: PlayedGame) -> int:
    """A function of one game, for the map: processes find it here."""
    return len(played.entries)


def end_badly(played: PlayedGame) -> int:
    """A function with a bug that one game brings about."""
    return 1 // (played.game != "game-2")


def names_of(answers: Sequence[object]) -> list[str]:
    """The names of what came out of a map."""
    return [str(getattr(each, "name", "")) for each in answers]
