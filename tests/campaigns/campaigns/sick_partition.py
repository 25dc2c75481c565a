"""One of three primaries refuses writes for a while, because a replica is missing; all others continue as usual.

Meanwhile games in the other partitions keep their usual lags, and new games are created where they can be written.
Afterwards waiting games catch up on their own.
"""

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from redis.crc import key_slot

from events.store.partitions import partition_tag
from tests.campaigns.campaigns.faults import Size, run_rounds
from tests.campaigns.faults import Fault, Round
from tests.campaigns.installation import WITH_WEBHOOKS, Installation, Setting, TableKind
from tests.campaigns.load import SUCCESS, Seat
from tests.campaigns.report import Plan, Report, Tell
from tests.support.nodes import Node
from tests.support.servers import eventually

OTHER_TAGS: Final = ("processes", "keys", "webhooks", "installation")
USUAL_SECONDS: Final = {"command": 3.0, "bots' game": 20.0, "list": 6.0, "webhook": 8.0, "new game": 4.0}
"""The longest usual lags, on two cores that also run six servers of the store."""
PATIENCE: Final = 5.0
"""The factor for the longest wait: longer than any slack, so that a lag without end is found."""
LOOK_SECONDS: Final = 0.05


def await_usual(round_: Round, what: str, holds: Callable[[], bool]) -> None:
    """Wait until something holds, `PATIENCE` times as long as usual at most, and note how long that took."""
    began = time.monotonic()
    while not holds() and time.monotonic() < began + PATIENCE * USUAL_SECONDS[what]:
        time.sleep(LOOK_SECONDS)
    round_.note(what, time.monotonic() - began)


def find_unusual(round_: Round) -> None:
    """Add lags to the findings that are longer than usual, or were not measured."""
    for what, usual in USUAL_SECONDS.items():
        if not 0 < (took := round_.longest.get(what, 0.0)) <= usual * round_.slack:
            round_.players.ledger.find(f"{what} took {took:.1f} s, of {usual * round_.slack} s")


def _primary_of(installation: Installation, tag: str) -> Node:
    return installation.cluster.primary_of(key_slot(tag.encode()))


def _refuse_writes(round_: Round, *, alone: bool) -> None:
    """Let the primary refuse writes that has partitions and nothing else, or the one with the heartbeats."""
    installation, players, ledger = round_.installation, round_.players, round_.players.ledger
    primaries = [_primary_of(installation, partition_tag(each)) for each in range(installation.partitions)]
    others = [_primary_of(installation, f"{{{tag}}}") for tag in OTHER_TAGS]
    victim = next(each for each in primaries if (each not in others if alone else each is others[0]))
    sick = {partition for partition, primary in enumerate(primaries) if primary is victim}
    players.rest()
    for client in players.clients:
        if installation.partition_of(game := players.board.own(client.number)) in sick:
            players.board.leave(game)
    waiting = _create_in(sick, round_)
    victim.connection.command("CONFIG", "SET", "min-replicas-to-write", 2)  # it has one
    try:
        eventually(partial(_has_waiting, installation, sick), seconds=20)
        begun = time.monotonic()
        players.go_on()
        while time.monotonic() < begun + round_.seconds:
            _follow_a_game(round_, sick)
        took = [seconds for at, seconds in list(ledger.latencies) if at - seconds >= begun]
        round_.note("command", max(took, default=0.0))
    finally:
        victim.connection.command("CONFIG", "SET", "min-replicas-to-write", 1)
    find_unusual(round_)
    eventually(partial(_has_waiting, installation, set[int]()), seconds=30)
    answer = players.requests.command(*waiting, {"type": "say", "text": "still there?"})
    if answer.status not in SUCCESS:
        ledger.find(f"a game that waited does not go on: {answer.body!r}")


def _create_in(wanted: set[int], round_: Round) -> Seat:
    """Create a game of people in one of these partitions, while they accept writes."""
    seats = [{"name": name} for name in ("Ada", "Bob", "Cleo")]
    while True:
        made = round_.players.requests.create({"system": "classic", "seats": seats}, round_.players.key)
        if round_.installation.partition_of(made["game"]) in wanted:
            return Seat(made["game"], 0, made["seats"][0]["token"])


def _follow_a_game(round_: Round, sick: set[int]) -> None:
    """Let bots play a game, and measure when it is created, listed, notified and finished."""
    players, api, endpoint = round_.players, round_.installation.service.api, round_.installation.endpoint
    assert endpoint is not None
    began = time.monotonic()
    players.begin_bots_game()
    round_.note("new game", time.monotonic() - began)
    game = players.bots_games[-1]
    if round_.installation.partition_of(game) in sick:
        players.ledger.find(f"game {game} was created in a partition that refuses writes")
        return

    def is_listed() -> bool:
        listed = api.call("GET", "/v1/games?limit=50", token=players.key).json["games"]
        return game in {each["game"] for each in listed}

    await_usual(round_, "list", is_listed)
    await_usual(round_, "webhook", lambda: game in {each.json["data"]["game"] for each in [*endpoint.told]})
    path = f"/v1/games/{game}"
    await_usual(round_, "bots' game", lambda: bool(api.call("GET", path).json["status"] == "finished"))


def _has_waiting(installation: Installation, partitions: set[int]) -> bool:
    """Return whether /readyz names these partitions as waiting; the service is ready all the same."""
    answer = installation.service.api.call("GET", "/readyz")
    assert answer.status == 200, answer.body
    waiting = answer.json["waiting_partitions"]
    assert bool(waiting) == ("partitions" in answer.json["degraded"])
    return bool(waiting == sorted(partitions))


SETTING: Final = Setting("replicated", "cluster", (TableKind("classic", 3),))
ALONE, OTHERS = (partial(_refuse_writes, alone=each) for each in (True, False))
SICK: Final = (
    Fault("partitions-alone", "a primary with partitions alone refuses writes", SETTING, ALONE),
    Fault("heartbeats", "the primary with the heartbeats refuses writes", SETTING, OTHERS),
)
FAULTS: Final = tuple(each.name for each in SICK)


def run(plan: Plan, folder: Path, tell: Tell) -> Report:
    """Let each of the two kinds of primary refuse writes."""
    return run_rounds(SICK, plan, folder, tell, Size(1, 2, 60.0, shared=True, processes=WITH_WEBHOOKS))
