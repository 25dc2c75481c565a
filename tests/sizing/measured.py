"""What the calculation rests on: figures that were measured, each with the words of the document that tells of it."""

from pathlib import Path
from typing import Final, NamedTuple

from tests.support.servers import ROOT

PERFORMANCE: Final = "performance.md"
LIMITS: Final = "limits.md"
OPERATING: Final = "operating.md"


class Measured(NamedTuple):
    """A figure."""

    value: float
    what: str
    """What it is, with its unit."""
    document: str
    """The document below docs/ that tells of it."""
    words: str
    """Its words there; where it is measured anew they change, and so must the figure here."""
    command: str
    """What measures it; empty where no command does."""
    otherwise: str = ""
    """Where it comes from then."""

    def stands_there(self, folder: Path = ROOT / "docs") -> bool:
        """Whether the document says so, with this figure in its words."""
        text = " ".join((folder / self.document).read_text(encoding="utf-8").split())
        return self.words in text and f"{self.value:,.12g}" in self.words


_RATE, _ENDURANCE = "fieldbook bench --only http-commands", "make endurance"
_STORED: Final = "python -m tests.sizing.stored --games 20"
WEB: Final = Measured(
    0.39,
    "ms of the web processes for a command",
    PERFORMANCE,
    "a command costs the web processes 0.32 to 0.39 ms",
    _RATE,
)
STORE: Final = Measured(
    0.1,
    "ms of the store's server for a command",
    PERFORMANCE,
    "the store takes 0.10, and who follows the feeds",
    _RATE,
)
FOLLOWERS: Final = Measured(
    0.05,
    "ms of projector, bots and webhooks together for a command",
    PERFORMANCE,
    "who follows the feeds 0.05 together",
    _RATE,
)
TWENTY_STREAMS: Final = Measured(
    1.2,
    "ms of the web processes for telling a command to 20 streams",
    PERFORMANCE,
    "20 spectators add 1.2 ms of work to a command",
    "fieldbook bench --only spectators",
)
VERDICT: Final = Measured(
    75,
    "ms of a worker for the verdict on a game",
    PERFORMANCE,
    "176 ms of processor time beside some 75 for the verdict itself",
    "",
    "a look at the worker after an earlier run; no command measures it",
)
HIGHEST: Final = Measured(
    677,
    "commands/s of everything on two cores, with all clients on them too",
    PERFORMANCE,
    "338 commands/s, half of 677",
    _ENDURANCE,
)
COMMANDS: Final = Measured(
    675177, "commands of these games", PERFORMANCE, "| commands acknowledged | 675,177;", _ENDURANCE
)
ENTRIES: Final = Measured(
    1149726, "entries of their logs", PERFORMANCE, "| entries in the logs | 1,149,726 |", _ENDURANCE
)
GAMES: Final = Measured(
    1661,
    "games of four people",
    PERFORMANCE,
    "| games begun; finished; found valid; record verifies | 1,661;",
    _ENDURANCE,
)
LIVE: Final = Measured(
    495,
    "bytes of the store's memory for an event of a game that is not archived",
    LIMITS,
    "| memory of the store | 495 | 127 |",
    _STORED,
)
STAYS: Final = Measured(
    127,
    "bytes of it that stay when the game is archived",
    LIMITS,
    "| memory of the store | 495 | 127 |",
    _STORED,
)
FILE: Final = Measured(
    371,
    "bytes of the store's file, written anew, for an event of a game that is not archived",
    LIMITS,
    "once it is written anew | 371 | 107 |",
    _STORED,
)
FILE_STAYS: Final = Measured(
    107,
    "bytes of it that stay when the game is archived",
    LIMITS,
    "once it is written anew | 371 | 107 |",
    _STORED,
)
BACKUP: Final = Measured(
    186,
    "bytes of a backup for an event of a game that is not archived",
    LIMITS,
    "| a backup | 186 | 85 |",
    _STORED,
)
BACKUP_STAYS: Final = Measured(
    85, "bytes of it that stay when the game is archived", LIMITS, "| a backup | 186 | 85 |", _STORED
)
RECORD: Final = Measured(132, "bytes of an event in the archive", LIMITS, "| the archive | | 132 |", _STORED)
STREAMS: Final = Measured(
    10000, "streams that a web process holds", OPERATING, "A process holds 10,000 streams", "", "its limit"
)
STREAMS_MEMORY: Final = Measured(
    246,
    "MiB of a web process with 10,000 streams",
    PERFORMANCE,
    "10,000 idle event streams: 246 MiB",
    "fieldbook bench --only idle-streams",
)
WORKER_MEMORY: Final = Measured(
    42,
    "MB of a worker",
    PERFORMANCE,
    "| `worker` | 3 SIGTERM, 3 SIGKILL | 1.9 (2.2) | 42; 42 |",
    _ENDURANCE,
)
PROJECTOR_MEMORY: Final = Measured(
    44,
    "MB of a projector",
    PERFORMANCE,
    "| `projector` | 3 SIGKILL, 3 SIGTERM | 1.7 (2.0) | 44; 44 |",
    _ENDURANCE,
)
BOTS_MEMORY: Final = Measured(
    44,
    "MB of the process of the bots",
    PERFORMANCE,
    "| `bots` | 3 SIGTERM, 3 SIGKILL | 1.4 (2.2) | 44; 44 |",
    _ENDURANCE,
)
WEBHOOKS_MEMORY: Final = Measured(
    51,
    "MB of the process of the webhooks",
    PERFORMANCE,
    "| `webhooks` | 3 SIGKILL, 3 SIGTERM | 1.7 (2.2) | 50; 51 |",
    _ENDURANCE,
)
ALL: Final = (
    WEB,
    STORE,
    FOLLOWERS,
    TWENTY_STREAMS,
    VERDICT,
    HIGHEST,
    COMMANDS,
    ENTRIES,
    GAMES,
    LIVE,
    STAYS,
    FILE,
    FILE_STAYS,
    BACKUP,
    BACKUP_STAYS,
    RECORD,
    STREAMS,
    STREAMS_MEMORY,
    WORKER_MEMORY,
    PROJECTOR_MEMORY,
    BOTS_MEMORY,
    WEBHOOKS_MEMORY,
)
