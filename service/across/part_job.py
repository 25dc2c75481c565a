"""The job of a worker that puts some games to a pass: it trusts nothing it is handed, and may run more than once."""

from base64 import b64encode

import msgspec

from replay.across.left import Left, Reason
from replay.across.mapping import map_game
from replay.across.source import GameSource
from service.across.archived_games import ArchivedGames
from service.across.passes import PASSES
from service.across.stored_games import StoredGames
from service.storage.settings import StoreSettings

STORE, ARCHIVE = "store", "archive"


class Told(msgspec.Struct, frozen=True):
    """What came of a game: an answer, or why it was left out.

    Attributes:
        name: the source's name for it.
        game: its id.
        head: the chain hash after its last entry.
        answer: the pass's answer, as the pass writes it.
        left: why there is none.
    """

    name: str
    game: str = ""
    head: str = ""
    answer: bytes = b""
    left: Left | None = None


def map_part(named: str, arguments: list[str], source: str, names: list[str], leave_out: list[str]) -> str:
    """Put games of this installation's store or archive to a pass; what came of each, in their order, in base64.

    Raises:
        KeyError: there is no such pass.
        ValueError: there is no such source, no archive, or no such reason.
        NotInstalled: the pass needs what is not installed here.
        StoreUnavailable, TargetUnavailable: the job is tried again.
    """
    asked = PASSES[named]
    function, games = asked.function(arguments), _open_source(source)
    chosen = frozenset(map(Reason, leave_out))
    told = []
    for name in names:
        found = map_game(function, games, name, chosen)
        if isinstance(found, Left):
            told.append(Told(name, left=found))
        else:
            told.append(Told(name, found.game, found.head, asked.write(found.answer)))
    return b64encode(msgspec.msgpack.encode(told)).decode()


def _open_source(source: str) -> GameSource:
    settings = StoreSettings.from_environment()
    if source == STORE:
        return StoredGames(settings)
    if source == ARCHIVE and settings.archive is not None:
        return ArchivedGames(settings.archive, settings.archive_options)
    raise ValueError(f"there is no source {source[:40]!r} here")
