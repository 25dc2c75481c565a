"""An installation to be broken: every process of its own, killable by its id, on its own folder, port and socket."""

import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import redis

from events.store.partitions import partition_of
from events.store.redis.client.connection import RedisConnection
from events.store.redis.redis_store import RedisEventStore
from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from tests.support.lossy_proxy import LossyProxy
from tests.support.processes import Service
from tests.support.servers import ROOT

LEAVE_SECONDS = 5.0
LOOK_SECONDS = 0.05
OPERATE_SECONDS = 120.0
AROUND_THE_STORE = ("web", "worker", "projector", "bots")
CATALOGUE = "short-play"
DECK = """
name = "short-play"
title = "A small deck, so that games come to their end"
source = "made up for the tests"
total = 30

[[beans]]
card = "pinto"
copies = 15
beanometer = { 1 = 2, 2 = 4 }
provenance = "house"
names = { en = "pinto bean" }

[[beans]]
card = "borlotti"
copies = 15
beanometer = { 1 = 2, 2 = 3 }
provenance = "house"
names = { en = "borlotti bean" }
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """What an installation is like: its level of durability, and whether a proxy stands before the store."""

    durability: str = "local"
    proxied: bool = False


@dataclass(frozen=True, slots=True)
class TableKind:
    """What kind of game clients begin: with which rules, deck and number of players."""

    system: str
    players: int
    catalogue: str = ""

    def body(self, seats: Sequence[Mapping[str, str]]) -> dict[str, Any]:
        """The request for a game with these seats."""
        deck = {"catalogue": self.catalogue} if self.catalogue else {}
        return {"system": self.system, "seats": list(seats), **deck}


class Installation:
    """Store, web with two processes, worker, projector and bots; all of them are ended when this is left.

    Attributes:
        tables: what clients begin, in turn.
        passing: codes of problems after which clients ask again, as after 503.
    """

    tables: Sequence[TableKind] = (TableKind("classic", 3, CATALOGUE),)
    passing: frozenset[str] = frozenset()

    def __init__(self, folder: Path, setting: Setting) -> None:
        """Prepare for an empty folder."""
        self.setting = setting
        self.service = Service(folder, setting.durability)
        decks = folder / "decks"
        decks.mkdir(parents=True)
        (decks / "short.toml").write_text(DECK, encoding="utf-8")
        self.service.environment["FIELDBOOK_CATALOGUES"] = str(decks)
        self.service.environment["WEB_PROCESSES"] = "2"
        self.findings: list[str] = []
        self._proxy: LossyProxy | None = None
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Start everything and wait until it is ready."""
        with ExitStack() as stack:
            stack.enter_context(self.service)
            self.service.start("store")
            self.open_store().close()
            if self.setting.proxied:
                self._proxy = stack.enter_context(LossyProxy(self.settings.address()))
            self.start(*AROUND_THE_STORE)
            self.service.await_ready()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """End every process."""
        self._stack.close()

    @property
    def ports(self) -> Sequence[int]:
        """Where clients ask, in turn."""
        return (self.service.port,)

    @property
    def settings(self) -> StoreSettings:
        """Where its store is, without the proxy."""
        return StoreSettings.from_environment(self.service.environment)

    @property
    def proxy(self) -> LossyProxy:
        """The proxy before the store."""
        assert self._proxy is not None, "this installation has none"
        return self._proxy

    def start(self, *names: str) -> None:
        """Start processes; all but the store go through the proxy, if there is one."""
        for name in names:
            proxied = self._proxy is not None and name != "store"
            self.service.start(name, **({"REDIS_URL": self.proxy.url} if proxied else {}))

    def restart_store(self) -> None:
        """Start the store on the same folder."""
        self.service.start("store")

    def open_store(self) -> RedisEventStore:
        """Its store, reached without the proxy, once it answers."""
        return open_store(self.settings)

    @contextmanager
    def queue(self) -> Iterator[redis.Redis]:
        """A client of the queue's server, without the proxy."""
        client = redis.Redis.from_url(self.settings.address())
        try:
            yield client
        finally:
            client.close()

    @cached_property
    def partitions(self) -> int:
        """The number of the store's partitions."""
        store = self.open_store()
        try:
            return store.partitions
        finally:
            store.close()

    def partition_of(self, game: str) -> int:
        """The partition of a game."""
        return partition_of(game, self.partitions)

    def operate(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `fieldbook` as an operator would."""
        return subprocess.run(
            [sys.executable, "-m", "service.command_line", *arguments],
            cwd=ROOT,
            env=self.service.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=OPERATE_SECONDS,
            check=False,
        )

    def said(self, name: str) -> str:
        """Everything that a process has written to its log."""
        return (self.service.folder / f"{name}.log").read_text(errors="replace")

    def server(self, *command: str | int) -> object:
        """Send one command to the store's server, past everything."""
        connection = RedisConnection(self.settings.address())
        try:
            return connection.command(*command)
        finally:
            connection.close()

    def newest_log_file(self) -> Path:
        """The file that the store appends to."""
        files = (self.settings.store_folder / "appendonlydir").glob("*.incr.aof")
        return max(files, key=lambda file: int(file.name.split(".")[-3]))

    def left_behind(self) -> list[int]:
        """The processes that still work on its folder some seconds after everything was stopped."""
        deadline = time.monotonic() + LEAVE_SECONDS
        while (alive := self.service.alive()) and time.monotonic() < deadline:
            time.sleep(LOOK_SECONDS)
        return alive

    def mend(self) -> None:
        """Start again what has ended by itself, as a process manager does, and keep that it had to."""
        for name, status in self.service.ended().items():
            self.findings.append(f"{name} ended by itself with status {status}")
            self.start(name)
