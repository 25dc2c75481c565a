"""A log whose end is gone: what was acknowledged is missing, and everybody who knew it must be told.

The end of the append-only file is cut off while the store is down. Nothing can bring back what is not on the disk; so
the promise is another one than in all other faults: the loss is detected and named. Then the file is put back, as an
operator would from a copy, and everything must be there and go on.
"""

import os
import random
import shutil
from collections.abc import Mapping
from typing import Final

from events.redis_keys import GameKeys
from tests.faults.clients import Seat
from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged
from tests.faults.players import Players
from tests.support.http_play import Answer
from tests.support.servers import eventually

MOST_LOST = 20
"""Appends to games that are cut off at most, with all that was written after them."""
LOG_KEY = b":log\r\n"
"""The end of the key of a game's stream, as it stands in the append-only file."""
MOST_ASKED = 3
"""Games that are asked about in each round."""

Told = frozenset[tuple[int, str]]
GONE: Final = (404, "game_not_found")
TOLD: Final[Mapping[str, Told]] = {
    # What a client asks that knows a version which is not there any more -> the answers that tell it so.
    "a command with If-Match": frozenset({(412, "stale_version"), GONE}),
    "events after its cursor": frozenset({(404, "no_such_version"), GONE}),
    "events after Last-Event-ID": frozenset({(404, "no_such_version"), GONE}),
    "the state at its version": frozenset({(404, "no_such_version"), GONE}),
    # What a monitor asks.
    "readyz": frozenset({(200, "ready")}),
}


def truncate(installation: Installation, players: Players, dice: random.Random) -> None:
    """Cut off the log's end, look what those are told who knew it, and put it back."""
    players.rest()
    known = newest_known(players.ledger.acknowledged)
    files = installation.settings.store_folder / "appendonlydir"
    kept = files.with_name("kept-whole")
    installation.service.kill("store")
    shutil.copytree(files, kept)
    log = installation.newest_log_file()
    os.truncate(log, _place_to_cut(log.read_bytes(), dice.randint(1, MOST_LOST)))
    _start_store(installation)
    lost = lost_games(installation, known)
    if not lost:
        players.ledger.find("nothing that was acknowledged was cut off")
    for game in dice.sample(lost, min(MOST_ASKED, len(lost))):
        _ask(installation, players, known[game])
    _judge(players, "readyz", installation.service.api.call("GET", "/readyz"))
    installation.service.kill("store")
    shutil.rmtree(files)
    kept.rename(files)
    _start_store(installation)
    if left := lost_games(installation, known):
        players.ledger.find(f"put back, the log still lacks the end of {left}")
    players.go_on()


def newest_known(acknowledged: list[Acknowledged]) -> dict[str, Acknowledged]:
    """The newest version of each game that a client was told."""
    found: dict[str, Acknowledged] = {}
    for each in acknowledged:
        if each.game not in found or found[each.game].version < each.version:
            found[each.game] = each
    return found


def lost_games(installation: Installation, known: Mapping[str, Acknowledged]) -> list[str]:
    """The games whose heads in the store are older than what clients were told."""
    partitions = installation.open_store().partitions
    found = []
    for game, newest in known.items():
        version = installation.server("HGET", GameKeys(game, partitions).head, "version")
        if not isinstance(version, bytes) or int(version) < newest.version:
            found.append(game)
    return found


def _place_to_cut(content: bytes, appends: int) -> int:
    """Where to cut so that the last so many writes to games' streams are gone; it is in the middle of the first."""
    place = len(content)
    for _ in range(appends):
        place = content.rindex(LOG_KEY, 0, place)
    return place


def _start_store(installation: Installation) -> None:
    installation.restart_store()
    installation.open_store().close()
    # The web process notices with its next request; an answer of any kind says that it has.
    eventually(lambda: installation.service.api.call("GET", "/readyz").status in {200, 503}, seconds=60)


def _ask(installation: Installation, players: Players, newest: Acknowledged) -> None:
    api = installation.service.api
    seat: Seat = players.board.all[newest.game][0]
    path = f"/v1/games/{newest.game}"
    tag = {"If-Match": f'"{newest.version}-{newest.hash[:8]}"'}
    said = {"type": "say", "text": "still there?"}
    questions = {
        "a command with If-Match": api.call("POST", f"{path}/commands", said, token=seat.token, headers=tag),
        "events after its cursor": api.call("GET", f"{path}/events?after={newest.version}"),
        "events after Last-Event-ID": api.call(
            "GET",
            f"{path}/events",
            headers={"Last-Event-ID": str(newest.version), "Accept": "text/event-stream"},
        ),
        "the state at its version": api.call("GET", f"{path}?at={newest.version}"),
    }
    for question, answer in questions.items():
        _judge(players, question, answer)


def _judge(players: Players, question: str, answer: Answer) -> None:
    told = (answer.status, str(answer.json.get("code", answer.json.get("status"))))
    if told not in TOLD[question]:
        players.ledger.find(f"with the log's end cut off, {question} was answered {told}")
