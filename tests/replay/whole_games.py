"""The recorded whole games, for laws over all of them."""

from functools import lru_cache
from pathlib import Path

from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC
from replay.client.sources import record_lines
from replay.timeline.timeline import Timeline, read_timeline
from tests.support.depth import IS_SOAK, depth

FOLDER = Path(__file__).parents[1] / "logs"
WHOLE_GAMES = sorted(
    path for path in FOLDER.rglob("*.ndjson*") if not {".public", ".seat-1"}.intersection(path.suffixes)
)
"""Every record of a whole game in tests/logs, of all rule systems."""

ONE_OF_EACH = [
    FOLDER / "classic" / "four-players-strict-random-start.ndjson",
    FOLDER / "extended" / "seven-players.ndjson.gz",
    FOLDER / "bean-duel" / "two-players.ndjson.gz",
    FOLDER / "the-duel" / "two-players.ndjson.gz",
    FOLDER / "ladybohn" / "three-players.ndjson.gz",
    FOLDER / "ladybohn-expansion" / "five-players.ndjson.gz",
]
DISPUTED = [FOLDER / path.parent.name / "disputed.ndjson.gz" for path in ONE_OF_EACH]
"""A game of each system that went back, more than once."""

GAMES = depth([*ONE_OF_EACH, DISPUTED[2]], WHOLE_GAMES)
"""One game of each system and one that went back, in `make soak` all: for laws that take long, marked `deep`."""


@lru_cache(maxsize=2)
def timeline_of(path: Path) -> Timeline:
    """The game with everything in it; it verifies."""
    with record_lines(str(path)) as lines:
        timeline = read_timeline(*read_record(lines), ALL)
    assert timeline.broken is None
    return timeline


TWO_OF_EACH = {*ONE_OF_EACH, *DISPUTED}


def is_read_closely(path: Path) -> bool:
    """Whether a law looks at every version and seat: in `make soak`, in two games of each system."""
    return IS_SOAK and path in TWO_OF_EACH


def some_viewers(path: Path, whole: Timeline) -> list[int]:
    """Of two games of each system the public and the last seat, in `make soak` all; of others one of these two."""
    last = len(whole.at(1).state.seats) - 1
    if path in TWO_OF_EACH:
        return [PUBLIC, *range(0 if IS_SOAK else last, last + 1)]
    return [(PUBLIC, last)[WHOLE_GAMES.index(path) % 2]]
