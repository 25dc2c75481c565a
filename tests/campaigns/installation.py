"""The installations that campaigns break: real processes on loopback, each with a folder and a port of its own.

Their store is an embedded one, a pair or a cluster; or there are two machines whose processes run two commits.
"""

import shutil
import subprocess
import sys
import tarfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from functools import cached_property
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import redis
from rq.worker_registration import WORKERS_BY_QUEUE_KEY

from events.store.errors import StoreError
from events.store.partitions import partition_of
from events.store.redis.redis_store import RedisEventStore
from service.startup.store_opening import open_store
from service.storage.heartbeats import PROCESSES
from service.storage.levels import Durability
from service.storage.queues import VALIDATION
from service.storage.settings import StoreSettings
from tests.support.cluster import Cluster, running_cluster
from tests.support.decks import CATALOGUE, DECK
from tests.support.hosts import Hosts, machine
from tests.support.http_play import Answer
from tests.support.lossy_proxy import LossyProxy
from tests.support.nodes import Node, follow, running_pair
from tests.support.processes import Service, descendants
from tests.support.receiver import Receiver, receiver
from tests.support.servers import ROOT, eventually

LEAVE_SECONDS: Final = 5.0
READY_SECONDS: Final = 120.0
STORE: Final = "store"
AROUND_THE_STORE: Final = ("web", "worker", "projector", "bots")
WITH_WEBHOOKS: Final = (*AROUND_THE_STORE, "webhooks")


class TableKind(NamedTuple):
    """A kind of game: rule system, number of players, and deck."""

    system: str
    players: int
    catalogue: str = ""

    def body(self, seats: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        deck = {"catalogue": self.catalogue} if self.catalogue else {}
        return {"system": self.system, "seats": list(seats), **deck}


SHORT: Final = (TableKind("classic", 3, CATALOGUE),)
SYSTEMS: Final = (
    *SHORT,
    TableKind("bean-duel", 2),
    TableKind("extended", 4),
    TableKind("the-duel", 2),
    TableKind("ladybohn", 3),
    TableKind("ladybohn-expansion", 4),
)
"""All rule systems."""


class Setting(NamedTuple):
    """The durability level, the kind of store, and the games that clients play.

    Store kinds: `embedded`; `proxied`, the same behind a lossy proxy; `pair`, a primary with a replica behind a
    proxy; `cluster`, three primaries with a replica each, and the job queue on a server of its own.
    """

    durability: str = "local"
    store: str = "embedded"
    tables: tuple[TableKind, ...] = SHORT


class Installation:
    """Store, web with two processes, worker, projector and bots; all of them end when this is left.

    Attributes:
        service: the processes, or those of the first of several machines; `services` has all machines.
        cluster, pair: the servers of the store, where it is one.
        endpoint: an endpoint that is notified of all games, where webhooks are among the processes.
        findings: processes that ended by themselves.
    """

    cluster: Cluster
    pair: tuple[Node, Node]
    endpoint: Receiver | None = None

    def __init__(self, folder: Path, setting: Setting, processes: Sequence[str] = AROUND_THE_STORE) -> None:
        self.setting, self.processes = setting, processes
        self.service = machine(folder / "one", setting.durability)
        self.services = [self.service]
        decks = self.service.folder / "decks"
        decks.mkdir()
        (decks / "short.toml").write_text(DECK, encoding="utf-8")
        networks = {"FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8"}
        self.service.environment |= {"FIELDBOOK_CATALOGUES": str(decks), "WEB_PROCESSES": "2", **networks}
        self.findings: list[str] = []
        self._folder, self._stack = folder, ExitStack()
        self._proxy: LossyProxy | None = None

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._start_store(stack)
            self.start(*self.processes)
            self.service.await_ready()
            if "webhooks" in self.processes:
                self.endpoint = stack.enter_context(receiver())
                self._notify(self.endpoint.url())
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _start_store(self, stack: ExitStack) -> None:
        kind, durability = self.setting.store, Durability(self.setting.durability)
        replicas, environment = int(durability is Durability.REPLICATED), self.service.environment
        if kind == "cluster":
            cluster = running_cluster(self._folder, durability, replicas=True, min_replicas_to_write=replicas)
            self.cluster = stack.enter_context(cluster)
            queue = Node(self._folder / "queue").start()
            stack.callback(queue.kill)
            queue.await_answer()
            environment |= {"REDIS_URL": self.cluster.url, "QUEUE_REDIS_URL": queue.url}
            environment["FIELDBOOK_LIMITS"] = "off"
        elif kind == "pair":
            self.pair = stack.enter_context(running_pair(self._folder / "pair", durability))
            self.require_replicas(replicas)
            self._proxy = stack.enter_context(LossyProxy(self.pair[0].url))
            environment["REDIS_URL"] = self._proxy.url
        stack.enter_context(self.service)
        if kind in {"embedded", "proxied"}:
            self.start(STORE)
        if kind == "proxied":
            self._proxy = stack.enter_context(LossyProxy(self.settings.address()))

    def _notify(self, url: str) -> None:
        api, key = self.service.api, self.service.key()
        body = {"url": url, "games": "all", "events": ["game.created", "game.finished"]}
        made = api.call("POST", "/v1/webhooks", body, token=key)
        assert made.status == 201, made.body
        path = f"/v1/webhooks/{made.json['id']}"
        eventually(lambda: bool(api.call("GET", path, token=key).json["state"] == "active"))

    def require_replicas(self, number: int) -> None:
        """Set how many replicas a node of the pair needs in order to accept writes."""
        for node in self.pair:
            node.connection.command("CONFIG", "SET", "min-replicas-to-write", number)

    def take_over(self) -> None:
        """Kill the primary of the pair, and promote its replica behind the same address."""
        first, second = self.pair
        first.kill()
        second.connection.command("REPLICAOF", "NO", "ONE")
        self.proxy.target = second.url
        self.proxy.cut()

    def bring_back(self) -> None:
        """Start the killed primary again as the replica of the new one."""
        first, second = self.pair
        first.start().await_answer()
        follow(first, second)
        self.pair = second, first
        self.require_replicas(int(self.setting.durability == Durability.REPLICATED))

    @property
    def ports(self) -> Sequence[int]:
        """The ports to which clients send their requests in turn."""
        return [self.service.port]

    @property
    def settings(self) -> StoreSettings:
        """The settings of the store; an embedded one is reached without the proxy."""
        return StoreSettings.from_environment(self.service.environment)

    @property
    def proxy(self) -> LossyProxy:
        assert self._proxy is not None, "this installation has no proxy"
        return self._proxy

    def start(self, *names: str) -> None:
        """Start processes, and wait for the store where it is among them."""
        for name in names:
            proxied = self._proxy is not None and name != STORE
            self.service.start(name, **({"REDIS_URL": self.proxy.url} if proxied else {}))
            if name == STORE:
                open_store(self.settings).close()

    @contextmanager
    def store(self) -> Iterator[RedisEventStore]:
        with closing(open_store(self.settings)) as store:
            yield store

    @contextmanager
    def queue(self) -> Iterator[redis.Redis]:
        """Connect to the server of the job queue."""
        url = self.service.environment.get("QUEUE_REDIS_URL") or self.settings.address()
        with closing(redis.Redis.from_url(url, socket_timeout=2)) as client:
            yield client

    @cached_property
    def partitions(self) -> int:
        with self.store() as store:
            return store.partitions

    def partition_of(self, game: str) -> int:
        return partition_of(game, self.partitions)

    def version_of(self, game: str) -> int:
        """Return the version of a game in the store; 0 where it has none."""
        with self.store() as store:
            head = store.head(game)
        return 0 if head is None else head.version

    def operate(self, *arguments: str) -> list[str]:
        """Run `fieldbook` as an operator does; return a finding if it fails."""
        command, environment = (
            [sys.executable, "-m", "service.command_line", *arguments],
            self.service.environment,
        )
        done = subprocess.run(
            command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False
        )
        said = (
            f"{' '.join(arguments)} exited with {done.returncode}: {done.stdout[-500:]}{done.stderr[-500:]}"
        )
        return [said] if done.returncode else []

    def readiness(self) -> Any:
        """Return the answer of /readyz, once the service is ready."""
        answers = list[Answer]()

        def is_ready() -> bool:
            answers.append(self.service.api.call("GET", "/readyz"))
            return answers[-1].status == 200

        eventually(is_ready)
        return answers[-1].json

    def process_tree(self, *names: str) -> Iterator[tuple[str, int]]:
        """Yield the name and the id of each running process, or of those named, and of its descendants."""
        for name in names or (STORE, *self.processes):
            if self.service.is_running(name):
                first = self.service.process_id(name)
                yield from ((name, each) for each in (first, *descendants(first)))

    def workers(self) -> frozenset[str]:
        """Return the workers registered with the queue, including killed ones."""
        with suppress(redis.RedisError), self.queue() as queue:
            return frozenset(str(each) for each in queue.smembers(WORKERS_BY_QUEUE_KEY % VALIDATION))
        return frozenset()

    def sign_of_work(self, service: Service, name: str) -> Callable[[], bool]:
        """Return a check whether a process works that was started after this call."""
        since, workers = 1000 * time.time(), self.workers()

        def has_begun() -> bool:
            with suppress(StoreError), closing(open_store(self.settings, 1.0)) as store:
                began = store.connection.command("GET", f"{{processes}}:{name}")
                return name == STORE or int(began or 0) >= since
            return False

        def is_ready() -> bool:
            with suppress(OSError, HTTPException):
                return service.api.call("GET", "/readyz").status == 200
            return False

        if name == "worker":
            return lambda: bool(self.workers() - workers)
        return has_begun if name == STORE or name in PROCESSES else is_ready

    def stop_bots(self) -> None:
        """Stop the bots, so that games do not change while they are examined."""
        for each in self.services:
            if each.is_running("bots"):
                each.stop("bots")

    def mend(self) -> None:
        """Restart processes that ended by themselves, as a process manager does, and record them."""
        for service in self.services:
            for name, status in service.ended().items():
                said = service.log(name)[-500:]
                self.findings.append(f"{name} ended by itself with status {status}: {said}")
                self.start(name) if service is self.service else service.start(name)

    def left_behind(self) -> list[str]:
        """Return a finding if processes still run some seconds after everything was stopped."""

        def alive() -> list[int]:
            return [process for each in self.services for process in each.alive()]

        with suppress(AssertionError):
            eventually(lambda: not alive(), seconds=LEAVE_SECONDS)
        return [f"processes were left behind: {left}"] if (left := alive()) else []


class Revision(NamedTuple):
    """Sources that can be started."""

    name: str
    folder: Path


class NotUsable(Exception):
    """A commit cannot run beside this one; the message says why."""


def unpack(revision: str, folder: Path) -> Revision:
    """Unpack the sources of a commit that needs the requirements of this one."""
    folder.mkdir(parents=True)
    archive = folder / "sources.tar"
    command = ["git", "-C", str(ROOT), "archive", "--output", str(archive), "--end-of-options", revision]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise NotUsable(f"git cannot unpack {revision!r}: {done.stderr.strip()}")
    with tarfile.open(archive) as sources:
        sources.extractall(folder)  # noqa: S202 - our own archive
    archive.unlink()
    runtime = Path("requirements") / "runtime.txt"
    if (folder / runtime).read_bytes() != (ROOT / runtime).read_bytes():
        raise NotUsable(f"{revision} has other requirements than this commit; name one with the same ones.")
    return Revision(revision, folder)


class Place(NamedTuple):
    """A process of a machine: 0 is the machine of the store."""

    machine: int
    process: str

    def __str__(self) -> str:
        return self.process if self.process == STORE else f"{self.process} of machine {self.machine}"


class Fleet(Installation):
    """All processes on two machines around one store; each process runs a revision of its own."""

    def __init__(self, folder: Path, revision: Revision) -> None:
        super().__init__(folder, Setting("fsync", tables=SYSTEMS), WITH_WEBHOOKS)
        other = machine(folder / "two", "fsync")
        decks = shutil.copytree(self.service.folder / "decks", other.folder / "decks")
        other.environment["FIELDBOOK_CATALOGUES"] = str(decks)
        self.services = [machine(folder / STORE, "fsync"), self.service, other]
        for each in self.services:
            each.environment["WEB_PROCESSES"] = "1"
            each.sources = revision.folder

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            hosts = stack.enter_context(Hosts(*self.services))
            hosts.start(*self.processes)
            eventually(lambda: len(self.workers()) == len(hosts.all))
            self._stack = stack.pop_all()
        return self

    @property
    def ports(self) -> Sequence[int]:
        return [each.port for each in self.services[1:]]

    def exchange(self, place: Place, revision: Revision) -> float:
        """Stop a process and start it from another revision; return the seconds until it works."""
        begun, service = time.monotonic(), self.services[place.machine]
        if status := service.stop(place.process):
            self.findings.append(f"{place} ended with status {status}: {service.log(place.process)[-500:]}")
        works, service.sources = self.sign_of_work(service, place.process), revision.folder
        service.start(place.process)
        eventually(works, seconds=READY_SECONDS)
        return time.monotonic() - begun
