"""The floor: what a command would cost without rules. `python -m tests.benchmarks.floor FILE` serves it.

There are two, both on our server, with as many processes, and one pipelined connection to the store in each. The
`whole` one is our own way of a command with all that it does for any (limits, metrics, headers, log, tokens, schemas,
JSON), and one append of real events at the store's level of durability instead of rules, commitments and chain.

The `bare` one has only what no service of this kind can do without: the server and its bounds on connections, the
request's JSON, the token that the append has to prove, the same append, and an answer of the same kind. It has no
schemas, no rate limits, no metrics, no log of requests, no headers of security, no presence.

Neither has anything running beside it. An append that another process was faster than is done again.
"""

import hashlib
import secrets
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Executor
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal

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
from service.http.context.services import SETTINGS, Services
from service.http.messages.begun import Begun
from service.http.short_way.hot_request import HotRequest
from service.http.short_way.looking import Patience
from service.http.short_way.sending import Sending, Understood
from service.http.short_way.short_way import ShortAnswer, ShortWay
from service.platform.process_logging import log_to_standard_error
from service.play.outcome import Outcome
from service.server.web_process import WebProcess
from service.server.web_worker import WebWorker
from service.startup.store_opening import open_store
from service.startup.web_settings import WebSettings
from service.storage.pipelining import PipelinedStore, open_pipelined_store
from service.storage.settings import StoreSettings
from tests.benchmarks.chosen import SetUp

Kind = Literal["whole", "bare"]
FLOOR: Final = "floor"
"""Where an application keeps what it is a floor for."""


class Batch(msgspec.Struct, frozen=True):
    """The events of one command."""

    events: tuple[RecordedEvent, ...]


class Floor(msgspec.Struct, frozen=True):
    """Of which kind a floor is, the games that it knows, and what commands lead to."""

    kind: Kind
    games: tuple[SetUp, ...]
    batches: tuple[Batch, ...]


def set_up_floor(store: RedisEventStore, floor: Floor) -> None:
    """Begin a stream for each game, with the hashes of its tokens beside it, as the service keeps them."""
    for made in floor.games:
        private = {token_field(token): str(seat) for seat, token in enumerate(made.tokens)}
        store.append(
            made.game,
            renumbered(floor.batches[0], 0),
            expected_version=0,
            command_id="floor:begin",
            fingerprint="floor",
            private={SECRET: "none", **GamePolicy().private_fields(), **private},
        )


def renumbered(batch: Batch, after: int) -> list[RecordedEvent]:
    """The events of a batch with the versions that follow."""
    return [
        msgspec.structs.replace(event, version=version)
        for version, event in enumerate(batch.events, start=after + 1)
    ]


class Appending:
    """Appends batches to the streams, and knows where each of them stood when it last looked."""

    def __init__(self, store: PipelinedStore, floor: Floor) -> None:
        """Append the batches one after the other to each stream."""
        self._store = store
        self._batches = floor.batches
        begun = self._batches[0].events[-1]
        self._heads = {
            made.game: Head(version=len(self._batches[0].events), hash=begun.hash) for made in floor.games
        }
        # The same Idempotency-Keys come again in each round, and what is known would not be appended.
        self._process, self._numbers = secrets.token_hex(4), count()

    async def append(
        self, game: str, key: str, body: bytes, required: Mapping[str, str]
    ) -> list[RecordedEvent]:
        """The events that a command is said to have led to.

        Raises:
            RequirementUnmet: a required private field of the game has another value.
        """
        name, fingerprint = f"{key}:{self._process}-{next(self._numbers)}", hashlib.sha256(body).hexdigest()
        head = self._heads[game]
        while True:
            events = renumbered(self._batches[head.version % len(self._batches)], head.version)
            try:
                await self._store.append(
                    game,
                    events,
                    expected_version=head.version,
                    expected_hash=head.hash,
                    command_id=name,
                    fingerprint=fingerprint,
                    private={},
                    required=required,
                )
            except VersionConflict as conflict:
                last = conflict.missed[-1]
                head = Head(version=last.version, hash=last.hash)
                continue
            self._heads[game] = Head(version=events[-1].version, hash=events[-1].hash)
            return events


def form_answer(game: str, events: list[RecordedEvent]) -> dict[str, Any]:
    """The answer to a command."""
    return {
        "game": game,
        "version": events[-1].version,
        "hash": events[-1].hash,
        "events": [{**msgspec.to_builtins(each), "data": msgspec.Raw(each.data)} for each in events],
    }


class WholeFloor(ShortWay):
    """Our own way of a command, in which it appends the next events whatever it says."""

    def __init__(self, application: Flask, threads: Executor) -> None:
        """Answer as this application would."""
        self._floor: Floor = application.extensions[FLOOR]
        super().__init__(application, threads)
        for made in self._floor.games:
            for token in made.tokens:
                self._services.game_access.of(made.game, token_field(token))

    def open_sending(self) -> Sending:
        """What appends in place of applying."""
        return SendingWithoutRules(self._services, self._store, self._floor)


class SendingWithoutRules(Sending):
    """Takes commands for granted."""

    def __init__(self, services: Services, store: PipelinedStore, floor: Floor) -> None:
        """Append what the floor has."""
        super().__init__(services, store)
        self._appending = Appending(store, floor)

    async def apply(
        self, game: str, seat: int, field: str, understood: Understood, request_id: str
    ) -> Outcome:
        """Append the events of one command."""
        body = understood.fingerprint.encode()
        events = await self._appending.append(game, request_id, body, {field: str(seat)})
        # There is no table behind it: nothing but its entries is asked for.
        return Outcome(None, events, (), applied=1)  # type: ignore[arg-type]

    def form(self, game: str, seat: int, outcome: Outcome) -> dict[str, Any]:  # noqa: ARG002 - as it is there
        """What is answered."""
        return form_answer(game, [*outcome.entries])


class BareFloor:
    """A route and an append."""

    def __init__(self, application: Flask, threads: Executor) -> None:
        """Know the tokens of the floor's games."""
        floor: Floor = application.extensions[FLOOR]
        self.settings = WebSettings()
        self._store = open_pipelined_store(open_store(StoreSettings.from_environment()), threads)
        self._appending = Appending(self._store, floor)
        self._seats = {
            token_field(token): str(seat) for made in floor.games for seat, token in enumerate(made.tokens)
        }

    def close(self) -> None:
        """Ask the store nothing more."""
        self._store.close()

    async def answer(self, asked: HotRequest, body: bytes, patience: Patience) -> ShortAnswer | Begun:  # noqa: ARG002
        """Append the events of one command."""
        token = read_token(asked.header(b"authorization") or "")
        field = token_field(token.text, token.digest)
        msgspec.json.decode(body)
        key = asked.header(b"idempotency-key") or ""
        try:
            events = await self._appending.append(
                asked.game, key, body, {field: self._seats.get(field, "none")}
            )
        except RequirementUnmet:
            return Begun()
        answer = msgspec.json.encode(form_answer(asked.game, events))
        return ShortAnswer(
            [("Content-Type", "application/json"), ("Content-Length", str(len(answer)))], answer
        )


class FloorWorker(WebWorker):
    """Our worker, with a floor in place of our own way of commands."""

    def open_short_way(self) -> Callable[[Executor], Any]:
        """The floor of this application."""
        kind = WholeFloor if self.application.extensions[FLOOR].kind == "whole" else BareFloor
        return lambda threads: kind(self.application, threads)

    def open_signs(self) -> None:
        """No game is played here."""

    def open_refusals(self) -> None:
        """Nothing is kept of them."""


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
        """Make the application, in each process its own."""
        app = super().load() if self._floor.kind == "whole" else bare_application()
        app.extensions[FLOOR] = self._floor
        return app


def bare_application() -> Flask:
    """What answers everything but commands."""
    app = Flask(__name__, static_folder=None)
    app.extensions[SETTINGS] = WebSettings()

    @app.get("/readyz")
    def ready() -> str:
        """That it serves."""
        return "ready"

    return app


def main() -> None:
    """Serve until SIGTERM."""
    log_to_standard_error(batched=True)
    FloorProcess(msgspec.json.decode(Path(sys.argv[1]).read_bytes(), type=Floor)).run()


if __name__ == "__main__":
    main()
