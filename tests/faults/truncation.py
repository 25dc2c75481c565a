"""A log whose end is gone: what was acknowledged is missing, and everybody who knew it must be told.

The end of the append-only file is cut off while the store is down. Nothing can bring back what is not on the disk; so
the promise is another one than in all other faults: the loss is detected and named, and nothing is appended to what
has lost something. Then an operator does one of two things: the file is put back from a copy, and everything must be
there; or what was lost is given up (`tests.faults.giving_up`), and play must go on from what is left.
"""

import os
import random
import shutil
from collections.abc import Callable, Mapping
from typing import Any, Final

from events.store.redis.keys import GameKeys
from service.storage.feed_watermarks import REMEMBERED
from tests.faults.installation import Installation
from tests.faults.ledger import Acknowledged
from tests.faults.players import Players
from tests.faults.projections import projection_lag
from tests.faults.told import DURING, judge, questions
from tests.support.servers import eventually

MOST_LOST: Final = REMEMBERED
"""Appends to games that are cut off at most, with all that was written after them: so many the witness can name."""
LOG_KEY = b":log\r\n"
"""The end of the key of a game's stream, as it stands in the append-only file."""
MOST_ASKED = 3
"""Games that are asked about in each round."""

Known = Mapping[str, Acknowledged]


def cut_and_put_back(installation: Installation, players: Players, dice: random.Random) -> None:
    """Cut off the log's end, look what those are told who knew it, and put it back."""
    players.rest()
    known = newest_known(players.ledger.acknowledged)
    files = installation.settings.store_folder / "appendonlydir"
    kept = files.with_name("kept-whole")
    cut(installation, players, dice, before=lambda: shutil.copytree(files, kept))
    installation.service.kill("store")
    shutil.rmtree(files)
    kept.rename(files)
    start_store(installation)
    if left := lost_games(installation, known):
        players.ledger.find(f"put back, the log still lacks the end of {left}")
    players.go_on()


def cut(
    installation: Installation,
    players: Players,
    dice: random.Random,
    before: Callable[[], object] = lambda: None,
) -> list[str]:
    """Cut off the log's end and see that it is said; return the games that have lost something.

    `before` is called when the store is down.
    """
    known = newest_known(players.ledger.acknowledged)
    _await_projector(installation)
    said = len(installation.said("projector"))
    if again := dice.random() < 0.5:
        # One that was not there when it happened knows it from its file.
        installation.service.stop("projector")
    installation.service.kill("store")
    before()
    log = installation.newest_log_file()
    os.truncate(log, _place_to_cut(log.read_bytes(), dice.randint(1, MOST_LOST)))
    start_store(installation)
    if again:
        installation.start("projector")
    lost = lost_games(installation, known)
    if not lost:
        players.ledger.find("nothing that was acknowledged was cut off")
    _await_said(installation, players, lost, said)
    for game in dice.sample(lost, min(MOST_ASKED, len(lost))):
        asked = questions(installation, known[game], players.board.token(game))
        for question, answer in asked.items():
            judge(players, DURING, question, answer)
    return lost


def newest_known(acknowledged: list[Acknowledged]) -> dict[str, Acknowledged]:
    """The newest version of each game that a client was told."""
    found: dict[str, Acknowledged] = {}
    for each in acknowledged:
        if each.game not in found or found[each.game].version < each.version:
            found[each.game] = each
    return found


def lost_games(installation: Installation, known: Known) -> list[str]:
    """The games whose heads in the store are older than what clients were told."""
    return [game for game, newest in known.items() if version_of(installation, game) < newest.version]


def version_of(installation: Installation, game: str) -> int:
    """The version of a game in the store; 0 where it is gone."""
    version = installation.server("HGET", GameKeys(game, installation.partitions).head, "version")
    return int(version) if isinstance(version, bytes) else 0


def start_store(installation: Installation) -> None:
    """Start the store again, and wait until the web process has noticed."""
    installation.restart_store()
    installation.open_store().close()
    # The web process notices with its next request; an answer of any kind says that it has.
    eventually(lambda: installation.service.api.call("GET", "/readyz").status in {200, 503}, seconds=60)


def readiness(installation: Installation) -> Any:
    """What `/readyz` says."""
    return installation.service.api.call("GET", "/readyz").json


def _place_to_cut(content: bytes, appends: int) -> int:
    """Where to cut so that the last so many writes to games' streams are gone; it is in the middle of the first."""
    place = len(content)
    for _ in range(appends):
        place = content.rindex(LOG_KEY, 0, place)
    return place


def _await_projector(installation: Installation) -> None:
    """Wait until the projector has seen everything: it cannot miss what it has not seen."""
    store = installation.open_store()
    try:
        eventually(lambda: projection_lag(store) == 0, seconds=60)
    finally:
        store.close()


def _await_said(installation: Installation, players: Players, lost: list[str], said: int) -> None:
    """See that every partition that has lost something is quarantined, with the reason, and that this is said."""
    places = {game: installation.partition_of(game) for game in lost}

    def reasons() -> dict[int, str]:
        told = readiness(installation).get("quarantined", [])
        return {each["partition"]: each["reason"] for each in told}

    eventually(lambda: reasons().keys() >= {*places.values()}, seconds=60)
    found, told = reasons(), readiness(installation)
    if told["status"] != "degraded" or "partitions" not in told["degraded"]:
        players.ledger.find(f"with {len(found)} partitions quarantined, /readyz says {told['status']}")
    for partition in found.keys() - {*places.values()}:
        players.ledger.find(f"partition {partition} is quarantined and has lost nothing: {found[partition]}")
    log = installation.said("projector")[said:]
    for game, partition in places.items():
        reason = found[partition]
        if "the store has lost" not in reason or game not in reason:
            players.ledger.find(f"the loss of {game} is not named: {reason}")
        if f"partition {partition} is quarantined" not in log:
            players.ledger.find(f"the projector does not say that partition {partition} is quarantined")
