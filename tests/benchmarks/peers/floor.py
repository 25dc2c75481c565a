"""The bare floor: the cost of a command without rules. `python -m tests.benchmarks.peers.floor FILE` serves it.

It has only what no service of this kind can do without: our server with as many processes and its bounds on
connections, the request's JSON, the token that the append has to prove, one append of real events at the store's
level of durability, and an answer of the same kind. It has no rules, commitments or chain, and no schemas, rate
limits, metrics, log of requests or security headers; nothing else runs. An append that another process preceded
is done again.
"""

import hashlib
import random
import secrets
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import msgspec
from flask import Flask

from events.log.recorded import RecordedEvent
from events.store.errors import RequirementUnmet, VersionConflict
from events.store.event_store import Head
from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import SECRET, GamePolicy
from service.access.tokens import token_field
from service.catalogues.catalogues import Catalogues
from service.http.app import application_of_resources
from service.http.context.counting import read_token
from service.http.context.services import SETTINGS
from service.http.messages.begun import Begun
from service.http.short_way.hot_request import HotRequest
from service.http.short_way.looking import Patience
from service.http.short_way.short_way import ShortAnswer
from service.platform.process_logging import log_to_standard_error
from service.server.web_process import WebProcess
from service.server.web_worker import WebWorker
from service.startup.store_opening import open_store
from service.startup.web_settings import WebSettings
from service.storage.pipelining import open_pipelined_store
from service.storage.settings import StoreSettings
from tests.benchmarks.chosen import ChosenGame, SetUp, chosen_game, recorded_commands, set_up
from tests.benchmarks.own_service import (
    OwnService,
    await_ready,
    free_port,
    plain_environment,
    running_store,
    started,
)
from tests.benchmarks.playing import Played, Size, played

FLOOR: Final = "floor"
"""The extension of an application that has its floor."""


class Floor(msgspec.Struct, frozen=True):
    """The games that a floor knows, and the events of the commands of a real game."""

    games: tuple[SetUp, ...]
    batches: tuple[tuple[RecordedEvent, ...], ...]


@contextmanager
def own_floor(service: OwnService, size: Size) -> Iterator[Callable[[], Played]]:
    """Start a floor on a new store, with the events of a game of the service; yield what plays a run.

    Its commands are repeated, since no rule looks at them.
    """
    made = [set_up(service) for _ in range(size.games)]
    with service.opened_store() as store:
        batches = tuple(tuple(each) for each in recorded_commands(store, made[0], random.Random("0")))
        lanes: list[tuple[ChosenGame, ...]] = [
            (chosen_game(store, each, random.Random(str(place)), service.port),)
            for place, each in enumerate(made)
        ]
    with TemporaryDirectory(prefix="fieldbook-bench-") as name:
        folder, port = Path(name), free_port()
        file, floor, log = folder / "floor.json", Floor(tuple(made), batches), folder / "floor.log"
        file.write_bytes(msgspec.json.encode(floor))
        environment = plain_environment(PORT=str(port), FIELDBOOK_DATA=str(folder / "data"))
        command = [sys.executable, "-m", "tests.benchmarks.peers.floor", str(file)]
        with running_store(environment, folder / "store.log") as store:
            _set_up(store, floor)
            with started(command, environment, log) as process:
                await_ready(process, "/readyz", port, log)
                yield lambda: played(port, (process.pid,), lanes, size.warm_up, size.seconds, again=True)


def _set_up(store: RedisEventStore, floor: Floor) -> None:
    """Begin a stream for each game, with the hashes of its tokens, as the service keeps them."""
    for made in floor.games:
        tokens = {token_field(token): str(seat) for seat, token in enumerate(made.tokens)}
        store.append(
            made.game,
            _renumbered(floor.batches[0], 0),
            expected_version=0,
            command_id="floor:begin",
            fingerprint="floor",
            private={SECRET: "none", **GamePolicy().private_fields(), **tokens},
        )


def _renumbered(batch: tuple[RecordedEvent, ...], after: int) -> list[RecordedEvent]:
    return [
        msgspec.structs.replace(event, version=version)
        for version, event in enumerate(batch, start=after + 1)
    ]


class BareFloor:
    """A route and an append, in place of the handling of commands."""

    def __init__(self, application: Flask, threads: Executor) -> None:
        """Know the tokens of the floor's games."""
        floor: Floor = application.extensions[FLOOR]
        self.settings = WebSettings()
        self._store = open_pipelined_store(open_store(StoreSettings.from_environment()), threads)
        self._batches = floor.batches
        begun = Head(version=len(self._batches[0]), hash=self._batches[0][-1].hash)
        self._heads = {made.game: begun for made in floor.games}
        self._seats = {
            token_field(token): str(seat) for made in floor.games for seat, token in enumerate(made.tokens)
        }
        # The same Idempotency-Keys come again in each round, and a known command would not be appended.
        self._process, self._numbers = secrets.token_hex(4), count()

    def close(self) -> None:
        """Close the connection to the store."""
        self._store.close()

    async def answer(self, request: HotRequest, body: bytes, patience: Patience) -> ShortAnswer | Begun:  # noqa: ARG002
        """Append the events of one command."""
        token = read_token(request.header(b"authorization") or "")
        field = token_field(token.text, token.digest)
        msgspec.json.decode(body)
        key = request.header(b"idempotency-key") or ""
        try:
            events = await self._append(request.game, key, body, {field: self._seats.get(field, "none")})
        except RequirementUnmet:
            return Begun()
        answer = msgspec.json.encode(
            {
                "game": request.game,
                "version": events[-1].version,
                "hash": events[-1].hash,
                "events": [{**msgspec.to_builtins(each), "data": msgspec.Raw(each.data)} for each in events],
            }
        )
        head = [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))]
        return ShortAnswer(head, answer)

    async def _append(
        self, game: str, key: str, body: bytes, required: dict[str, str]
    ) -> list[RecordedEvent]:
        name = f"{key}:{self._process}-{next(self._numbers)}"
        head = self._heads[game]
        while True:
            events = _renumbered(self._batches[head.version % len(self._batches)], head.version)
            try:
                await self._store.append(
                    game,
                    events,
                    expected_version=head.version,
                    expected_hash=head.hash,
                    command_id=name,
                    fingerprint=hashlib.sha256(body).hexdigest(),
                    private={},
                    required=required,
                )
            except VersionConflict as conflict:
                last = conflict.missed[-1]
                head = Head(version=last.version, hash=last.hash)
            else:
                self._heads[game] = Head(version=events[-1].version, hash=events[-1].hash)
                return events


class FloorWorker(WebWorker):
    """Our worker with a floor in it."""

    def open_short_way(self) -> Callable[[Executor], Any]:
        """Return what opens the floor."""
        return lambda threads: BareFloor(self.application, threads)

    def open_signs(self) -> None:
        """Open nothing: no game is played here."""


class FloorProcess(WebProcess):
    """The same server with a floor in it."""

    def __init__(self, floor: Floor) -> None:
        """Serve this floor with the settings of the environment."""
        self._floor = floor
        super().__init__(WebSettings.from_environment(), Catalogues(), application_of_resources())

    def load_config(self) -> None:
        """Set another worker."""
        super().load_config()
        self.cfg.set("worker_class", FloorWorker)

    def load(self) -> Flask:
        """Make the application that answers everything but commands, in each process its own."""
        app = Flask(__name__, static_folder=None)
        app.extensions.update({SETTINGS: WebSettings(), FLOOR: self._floor})
        app.add_url_rule("/readyz", view_func=lambda: "ready", endpoint="ready")
        return app


def main() -> None:
    """Serve until SIGTERM."""
    log_to_standard_error(batched=True)
    FloorProcess(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Floor)).run()


if __name__ == "__main__":
    main()
