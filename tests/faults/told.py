"""What clients must be told whose version of a game is lost, or has become another one: one table for each case."""

from collections.abc import Mapping
from typing import Final

from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged
from tests.faults.players import Players
from tests.support.http_play import Answer

Told = frozenset[tuple[int, str]]
GONE: Final = (404, "game_not_found")
"""Where the whole game is lost, or its beginning."""
COMMAND: Final = "a command"
MATCHING: Final = "a command with If-Match"
AFTER: Final = "events after its cursor"
RESUMED: Final = "events after Last-Event-ID"
STATE: Final = "the state at its version"
QUARANTINED: Final = (503, "partition_quarantined")

DURING: Final[Mapping[str, Told]] = {
    # While the partition is quarantined.
    COMMAND: frozenset({QUARANTINED, GONE}),
    # A process that still knows the lost version is refused by the store, the other ones see that it is not there.
    MATCHING: frozenset({(412, "history_lost"), QUARANTINED, GONE}),
    AFTER: frozenset({(409, "history_lost"), GONE}),
    RESUMED: frozenset({(409, "history_lost"), GONE}),
    STATE: frozenset({(404, "no_such_version"), GONE}),
}
RELEASED: Final[Mapping[str, Told]] = {
    # When the partition was released, before anybody has played on.
    MATCHING: frozenset({(412, "history_lost"), GONE}),
    AFTER: frozenset({(409, "history_lost"), GONE}),
    RESUMED: frozenset({(409, "history_lost"), GONE}),
    STATE: frozenset({(404, "no_such_version"), GONE}),
    COMMAND: frozenset({(200, ""), GONE}),
}
PLAYED_ON: Final[Mapping[str, Told]] = {
    # When the game has come to that version again, by other moves.
    MATCHING: frozenset({(412, "history_forked")}),
    AFTER: frozenset({(409, "history_forked")}),
    RESUMED: frozenset({(409, "history_forked")}),
}


def questions(installation: Installation, newest: Acknowledged, token: str) -> dict[str, Answer]:
    """Ask everything that names a version; what is only read comes first, since a command may move the game."""
    api = installation.service.api
    path = f"/v1/games/{newest.game}"
    cursor = f"{newest.version}-{newest.hash[:8]}"
    stream = {"Last-Event-ID": cursor, "Accept": "text/event-stream"}
    return {
        AFTER: api.call("GET", f"{path}/events?after={cursor}"),
        RESUMED: api.call("GET", f"{path}/events", headers=stream),
        STATE: api.call("GET", f"{path}?at={newest.version}"),
        MATCHING: say(installation, newest.game, token, cursor),
        COMMAND: say(installation, newest.game, token),
    }


def say(installation: Installation, game: str, token: str, tag: str = "") -> Answer:
    """A word from a seat, which is legal at any time of a game."""
    headers = {"If-Match": f'"{tag}"'} if tag else {}
    body = {"type": "say", "text": "still there?"}
    path = f"/v1/games/{game}/commands"
    return installation.service.api.call("POST", path, body, token=token, headers=headers)


def judge(players: Players, table: Mapping[str, Told], question: str, answer: Answer) -> None:
    """Keep an answer that this table does not allow; what it does not name may be answered in any way."""
    if question not in table:
        return
    told = (answer.status, answer.json.get("code", ""))
    if told not in table[question]:
        players.ledger.find(f"with the log's end cut off, {question} was answered {told}")
