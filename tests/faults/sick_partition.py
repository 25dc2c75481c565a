"""One of three primaries takes no writes for a while, for want of a replica: everybody else goes on as usual.

    python -m tests.faults.sick_partition --seconds 60

Before it people, bots, the list and a webhook have their usual lags; while it lasts those of the other partitions
keep them, and new games are set up where they can be written; afterwards what waited catches up by itself, and every
game comes to its end and is found valid.
"""

import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import click
from redis.crc import key_slot

from events.store.partitions import partition_of, partition_tag
from service.storage.levels import Durability
from tests.support.cluster import Cluster, running_cluster
from tests.support.http_play import Party
from tests.support.nodes import Node
from tests.support.processes import Service
from tests.support.receiver import Receiver, receiver
from tests.support.servers import eventually

PARTITIONS: Final = 16
PEOPLE: Final = [{"name": name} for name in ("Ada", "Bob", "Cleo")]
BOTS: Final = [{"name": f"Rob {number}", "kind": "bot", "bot": "random"} for number in (1, 2, 3)]
USUAL_SECONDS: Final = {"command": 3.0, "bots' game": 20.0, "list": 6.0, "webhook": 8.0, "new game": 4.0}
"""The longest lag of each that counts as usual, on two cores that run six servers of the store besides."""
PATIENCE: Final = 5.0
"""So many times as long each is waited for: longer than any slack, so that what does not come at all is found."""
LOOK_SECONDS: Final = 0.05


@dataclass
class Lags:
    """The longest seconds that somebody had to wait, by what for; and what was refused."""

    longest: dict[str, float] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def note(self, what: str, seconds: float) -> None:
        """One more wait."""
        self.longest[what] = max(self.longest.get(what, 0.0), seconds)

    def findings(self, slack: float) -> list[str]:
        """What is not as usual, or so many times as long."""
        slow = [
            f"{what} took {self.longest.get(what, 0.0):.1f} s, of {usual * slack} s"
            for what, usual in USUAL_SECONDS.items()
            if not 0 < self.longest.get(what, 0.0) <= usual * slack
        ]
        return [*self.refused, *slow]


class Installation:
    """The processes of the service on a cluster, and a webhook that is told of everything."""

    def __init__(self, service: Service, cluster: Cluster, endpoint: Receiver) -> None:
        """Make its key and its webhook, and wait until it is told."""
        self.service, self.cluster, self.endpoint, self.api = service, cluster, endpoint, service.api
        self.key = service.key()
        body = {"url": endpoint.url(), "games": "all", "events": ["game.created", "game.finished"]}
        made = self.api.call("POST", "/v1/webhooks", body, token=self.key)
        assert made.status == 201, made.body
        address = f"/v1/webhooks/{made.json['id']}"
        eventually(
            lambda: self.api.call("GET", address, token=self.key).json["state"] == "active", seconds=60
        )

    def primary_of(self, tag: str) -> Node:
        """The primary that has what is tagged so."""
        return self.cluster.primary_of(key_slot(tag.encode()))

    def partitions_on(self, primary: Node) -> set[int]:
        """The partitions whose slots a primary has."""
        return {each for each in range(PARTITIONS) if self.primary_of(partition_tag(each)) is primary}

    def create(self, seats: Sequence[Any], name: str, lags: Lags | None = None) -> Any:
        """Set up a game as a client does, with a key for the request."""
        body, began = {"system": "classic", "seats": seats}, time.monotonic()
        answer = self.api.call(
            "POST", "/v1/games", body, token=self.key, headers={"Idempotency-Key": f"{name}-of-this-fault"}
        )
        if lags is not None:
            lags.note("new game", time.monotonic() - began)
            if answer.status != 201:
                lags.refused.append(f"a new game was refused: {answer.status} {answer.body!r}"[:200])
        return answer.json

    def person(self, made: Any, seed: int) -> Party:
        """The people of a game."""
        return Party(self.api, made["game"], [each["token"] for each in made["seats"]], random.Random(seed))


@contextmanager
def installed(folder: Path) -> Iterator[Installation]:
    """An installation on a cluster at level replicated, with everything that it has."""
    (folder / "service").mkdir()
    with (
        running_cluster(
            folder / "cluster", Durability.REPLICATED, replicas=True, min_replicas_to_write=1
        ) as cluster,
        receiver() as endpoint,
        Service(folder / "service", "replicated") as service,
    ):
        queue = Node(folder / "queue").start()
        try:
            queue.await_answer()
            service.environment |= {
                "REDIS_URL": cluster.url,
                "QUEUE_REDIS_URL": queue.url,
                "FIELDBOOK_LIMITS": "off",
                "FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8",
            }
            service.start("web", "worker", "projector", "bots", "webhooks")
            service.await_ready()
            yield Installation(service, cluster, endpoint)
        finally:
            queue.kill()


def play_people(parties: Sequence[Party], lags: Lags, stopping: Event) -> None:
    """Send one command after the other, to one game after the other."""
    unfinished = [*parties]
    while unfinished and not stopping.is_set():
        for party in [*unfinished]:
            began = time.monotonic()
            try:
                if party.play(1):
                    unfinished.remove(party)
            except AssertionError as refused:
                lags.refused.append(f"a command was refused: {refused}"[:200])
                unfinished.remove(party)
            lags.note("command", time.monotonic() - began)


def watch(found: Installation, lags: Lags, seconds: float, label: str, sick: set[int]) -> list[str]:
    """Have games set up, played, listed and told for so long, none in the `sick` partitions; returns the games."""
    stopping, games = Event(), list[str]()
    sound = list[Party]()
    while len(sound) < 3:
        made = found.create(PEOPLE, f"{label}-people-{len(games)}", lags)
        games.append(made["game"])
        if partition_of(made["game"], PARTITIONS) not in sick:
            sound.append(found.person(made, len(games)))
    player = Thread(target=play_people, args=(sound, lags, stopping))
    player.start()
    ends = time.monotonic() + seconds
    try:
        while time.monotonic() < ends:
            made = found.create(BOTS, f"{label}-bots-{len(games)}", lags)
            game = made["game"]
            games.append(game)
            if partition_of(game, PARTITIONS) in sick:
                lags.refused.append(f"game {game} was set up in a partition that takes no writes")
                continue
            await_usual(lags, "list", partial(_is_listed, found, game))
            await_usual(lags, "webhook", partial(_is_told, found, game))
            await_usual(lags, "bots' game", partial(_is_finished, found, game))
    finally:
        stopping.set()
        player.join()
    return games


def await_usual(lags: Lags, what: str, holds: Callable[[], bool]) -> None:
    """Wait until it holds, for `PATIENCE` times what is usual at most, and note how long that was."""
    began = time.monotonic()
    while not holds() and time.monotonic() < began + PATIENCE * USUAL_SECONDS[what]:
        time.sleep(LOOK_SECONDS)
    lags.note(what, time.monotonic() - began)


def _is_listed(found: Installation, game: str) -> bool:
    listed = found.api.call("GET", "/v1/games?limit=50", token=found.key).json["games"]
    return game in {each["game"] for each in listed}


def _is_finished(found: Installation, game: str) -> bool:
    return bool(found.api.call("GET", f"/v1/games/{game}").json["status"] == "finished")


def _is_told(found: Installation, game: str) -> bool:
    return game in {each.json["data"]["game"] for each in found.endpoint.told}


def run(
    folder: Path, seconds: float, tell: Callable[[str], None] = lambda _: None, *, slack: float = 1.0
) -> list[str]:
    """The fault, on the primary without anything but partitions and on the one with signs of life; what was found.

    Whoever has other work for the machine gives what is usual some `slack`.
    """
    findings: list[str] = []
    with installed(folder) as found:
        before = Lags()
        games = watch(found, before, min(seconds, 10.0), "before", set())
        tell(f"before: {before.longest}")
        whole = [found.primary_of(f"{{{tag}}}") for tag in ("keys", "webhooks", "processes", "installation")]
        alone = next(
            node for node in map(found.primary_of, map(partition_tag, range(PARTITIONS))) if node not in whole
        )
        for name, victim in (
            ("partitions alone", alone),
            ("signs of life too", found.primary_of("{processes}")),
        ):
            lags, sick = Lags(), found.partitions_on(victim)
            waiting = found.person(_in_partition(found, sick, name), 7)
            victim.connection.command("CONFIG", "SET", "min-replicas-to-write", 2)
            try:
                time.sleep(1.0)
                eventually(partial(_has_waiting, found, sick), seconds=20)
                games += watch(found, lags, seconds, name.replace(" ", "-"), sick)
            finally:
                victim.connection.command("CONFIG", "SET", "min-replicas-to-write", 1)
            tell(f"{name} ({len(sick)} partitions): {lags.longest}")
            findings += [f"{name}: {each}" for each in lags.findings(slack)]
            eventually(partial(_has_waiting, found, set[int]()), seconds=30)
            waiting.play(2)
            games.append(waiting.game)
        findings += _settle(found, games, tell)
    return findings


def _in_partition(found: Installation, wanted: set[int], name: str) -> Any:
    """A game of people in one of these partitions, set up while they take writes."""
    for number in range(200):
        made = found.create(PEOPLE, f"{name.replace(' ', '-')}-waits-{number}")
        if partition_of(made["game"], PARTITIONS) in wanted:
            return made
    raise AssertionError("chance has left these partitions out")


def _has_waiting(found: Installation, partitions: set[int]) -> bool:
    return _waiting_partitions(found) == sorted(partitions)


def _waiting_partitions(found: Installation) -> list[int]:
    """What /readyz says waits: the service is ready all the same."""
    answer = found.api.call("GET", "/readyz")
    assert answer.status == 200, answer.body
    assert bool(answer.json["waiting_partitions"]) == ("partitions" in answer.json["degraded"])
    waiting: list[int] = answer.json["waiting_partitions"]
    return waiting


def _is_judged(found: Installation, game: str) -> bool:
    return _verdict(found, game) != "pending"


def _verdict(found: Installation, game: str) -> str:
    return str(found.api.call("GET", f"/v1/games/{game}/validations").json["validation"])


def _settle(found: Installation, games: Sequence[str], tell: Callable[[str], None]) -> list[str]:
    """Every game of bots comes to its end and is valid."""
    tell(f"{len(games)} games come to their end")
    findings = []
    for game in games:
        state = found.api.call("GET", f"/v1/games/{game}").json
        if any(each["kind"] == "bot" for each in state["seats"]):
            # A job that has failed for its partition is tried again after a minute.
            eventually(partial(_is_judged, found, game), seconds=150)
            if _verdict(found, game) != "valid":
                findings.append(f"game {game} is {_verdict(found, game)}")
    return findings


@click.command()
@click.option("--seconds", default=60.0, show_default=True, help="How long each primary takes no writes.")
def main(seconds: float) -> None:
    """Let partitions of a cluster take no writes, and see that all others go on."""
    with tempfile.TemporaryDirectory(prefix="fieldbook-sick-") as folder:
        findings = run(Path(folder), seconds, click.echo)
    for each in findings:
        click.echo(f"found: {each}")
    sys.exit(1 if findings else 0)


if __name__ == "__main__":
    main()
