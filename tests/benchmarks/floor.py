"""The floor: what a command would cost without rules. `python -m tests.benchmarks.floor KIND FILE` serves it.

There are two. The `whole` one is our own application with all that it does for any request (limits, metrics, headers,
log, tokens, JSON), and for a command one append of real events at the store's level of durability instead of rules,
commitments and chain.

The `bare` one has only what no service of this kind can do without: gunicorn with our worker and as many processes
and threads, Flask with the same route, the request's JSON, the token looked up in the store each time, the same
append, and an answer of the same kind. It has no schemas, no rate limits, no metrics, no log of requests, no headers
of security, no presence.

Neither has anything running beside it. An append that another process was faster than is done again.
"""

import hashlib
import secrets
import sys
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from flask import Flask, Response, request

from events.log.recorded import RecordedEvent
from events.store.errors import VersionConflict
from events.store.event_store import NOTHING_PRIVATE, Head
from events.store.redis.redis_store import RedisEventStore
from service.access.game_access import SECRET, GameAccess
from service.access.tokens import token_field
from service.catalogues.catalogues import Catalogues
from service.http.context.identity import request_id
from service.http.context.seats import Seated, with_authenticated_seat
from service.http.messages.bodies import headers_for, json_response
from service.http.messages.reading import json_body
from service.platform.process_logging import log_to_standard_error
from service.startup.store_opening import open_store
from service.startup.web_settings import WebSettings
from service.storage.settings import StoreSettings
from service.web import WebProcess
from tests.benchmarks.chosen import SetUp

Kind = Literal["whole", "bare"]
UNAUTHORIZED: Final = 401


class Batch(msgspec.Struct, frozen=True):
    """The events of one command."""

    events: tuple[RecordedEvent, ...]


def set_up_floor(store: RedisEventStore, games: list[SetUp], batches: tuple[Batch, ...]) -> None:
    """Begin a stream for each game, with the hashes of its tokens beside it, as the service keeps them."""
    for made in games:
        private = {token_field(token): str(seat) for seat, token in enumerate(made.tokens)}
        store.append(
            made.game,
            renumbered(batches[0], 0),
            expected_version=0,
            command_id="floor:begin",
            fingerprint="floor",
            private={SECRET: "none", **private},
        )


def renumbered(batch: Batch, after: int) -> list[RecordedEvent]:
    """The events of a batch with the versions that follow."""
    return [
        msgspec.structs.replace(event, version=version)
        for version, event in enumerate(batch.events, start=after + 1)
    ]


class Appending:
    """Appends batches to the streams, and knows where each of them stood when it last looked."""

    def __init__(self, store: RedisEventStore, batches: tuple[Batch, ...]) -> None:
        """Append these batches one after the other to each stream."""
        self._store = store
        self._batches = batches
        self._heads: dict[str, Head] = {}

    def append(
        self, game: str, command_id: str, body: bytes, required: Mapping[str, str] = NOTHING_PRIVATE
    ) -> list[RecordedEvent]:
        """The events that a command is said to have led to.

        Raises:
            RequirementUnmet: a required private field of the game has another value.
        """
        head = self._heads.get(game) or self._store.head(game) or Head(version=0, hash="")
        fingerprint = hashlib.sha256(body).hexdigest()
        while True:
            events = renumbered(self._batches[head.version % len(self._batches)], head.version)
            try:
                self._store.append(
                    game,
                    events,
                    expected_version=head.version,
                    expected_hash=head.hash,
                    command_id=command_id,
                    fingerprint=fingerprint,
                    required=required,
                )
            except VersionConflict as conflict:
                last = conflict.missed[-1]
                head = Head(version=last.version, hash=last.hash)
                continue
            self._heads[game] = Head(version=events[-1].version, hash=events[-1].hash)
            return events


class Names:
    """Ids of commands: the same ones come again in each round, and what is known would not be appended."""

    def __init__(self) -> None:
        """Begin for one process."""
        self._process, self._numbers = secrets.token_hex(4), count()

    def next(self, seat: int, key: str) -> str:
        """An id that no other command has."""
        return f"seat:{seat}:{key}:{self._process}-{next(self._numbers)}"


def told(game: str, events: list[RecordedEvent]) -> dict[str, Any]:
    """The answer to a command."""
    return {
        "game": game,
        "version": events[-1].version,
        "hash": events[-1].hash,
        "events": [{**msgspec.to_builtins(each), "data": msgspec.Raw(each.data)} for each in events],
    }


def without_rules(app: Flask, store: RedisEventStore, batches: tuple[Batch, ...]) -> Flask:
    """Our application, in which a command appends the next events whatever it says."""
    appending, names = Appending(store, batches), Names()

    @with_authenticated_seat
    def send(game: str, seated: Seated) -> Response:
        """Append the events of one command."""
        json_body()
        name = names.next(seated.seat, request_id())
        events = appending.append(game, name, request.get_data(), seated.required)
        headers = headers_for(events[-1].version, events[-1].hash)
        return json_response(told(game, events), headers=headers)

    app.view_functions["commands.send_commands"] = send
    return app


def create_floor(store: RedisEventStore, batches: tuple[Batch, ...]) -> Flask:
    """The bare application."""
    app = Flask(__name__, static_folder=None)
    game_access, appending, names = GameAccess(store), Appending(store, batches), Names()

    @app.get("/readyz")
    def ready() -> str:
        """That it serves."""
        return "ready"

    @app.post("/v1/games/<string:game>/commands")
    def send(game: str) -> Response:
        """Append the events of one command."""
        _, _, token = request.headers.get("Authorization", "").partition(" ")
        seat = game_access.of(game, token_field(token)).seat
        if seat is None:
            return Response(status=UNAUTHORIZED)
        body = request.get_data()
        msgspec.json.decode(body)
        name = names.next(seat, request.headers.get("Idempotency-Key", ""))
        events = appending.append(game, name, body)
        return Response(msgspec.json.encode(told(game, events)), content_type="application/json")

    return app


class FloorProcess(WebProcess):
    """The same server with a floor in it."""

    def __init__(self, kind: Kind, batches: tuple[Batch, ...]) -> None:
        """Serve this kind of floor with the settings of the environment."""
        self._kind = kind
        self._batches = batches
        super().__init__(WebSettings.from_environment(), Catalogues())

    def load(self) -> Flask:
        """Make the application, in each process its own."""
        store = open_store(StoreSettings.from_environment())
        if self._kind == "bare":
            return create_floor(store, self._batches)
        return without_rules(super().load(), store, self._batches)


def main() -> None:
    """Serve until SIGTERM."""
    log_to_standard_error(batched=True)
    kind, file = msgspec.convert(sys.argv[1], Kind), Path(sys.argv[2])
    FloorProcess(kind, msgspec.json.decode(file.read_bytes(), type=tuple[Batch, ...])).run()


if __name__ == "__main__":
    main()
