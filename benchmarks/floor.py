"""The floor: what a command would cost without rules. `python -m benchmarks.floor FILE` serves it.

It has what no service of this kind can do without, and what ours uses for it: gunicorn with our worker and as many
processes and threads, Flask with the same route, the request's JSON, the token looked up in the store each time,
one append of real events at the store's level of durability (an append that another process was faster than is done
again), and an answer of the same kind. It has nothing else: no rules, no commitments, no chain, no schemas, no rate
limits, no metrics, no log of requests, no headers of security, no presence.
"""

import hashlib
import secrets
import sys
from itertools import count
from pathlib import Path
from typing import Final

import msgspec
from flask import Flask, Response, request

from benchmarks.chosen import SetUp
from events.recorded import RecordedEvent
from events.redis_store import RedisEventStore
from events.store import Head
from events.store_errors import VersionConflict
from service.admission import Admissions
from service.catalogues import Catalogues
from service.process_logging import log_to_standard_error
from service.store_opening import open_store
from service.store_settings import StoreSettings
from service.tables import SECRET
from service.tokens import token_field
from service.web import WebProcess
from service.web_settings import WebSettings

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

    def append(self, game: str, command_id: str, body: bytes) -> list[RecordedEvent]:
        """The events that a command is said to have led to."""
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
                )
            except VersionConflict as conflict:
                last = conflict.missed[-1]
                head = Head(version=last.version, hash=last.hash)
                continue
            self._heads[game] = Head(version=events[-1].version, hash=events[-1].hash)
            return events


def create_floor(store: RedisEventStore, batches: tuple[Batch, ...]) -> Flask:
    """The application."""
    app = Flask(__name__, static_folder=None)
    admissions, appending = Admissions(store), Appending(store, batches)
    # The same commands come again in each round, and what is known already would not be appended.
    process, numbers = secrets.token_hex(4), count()

    @app.get("/readyz")
    def ready() -> str:
        """That it serves."""
        return "ready"

    @app.post("/v1/games/<string:game>/commands")
    def send(game: str) -> Response:
        """Append the events of one command."""
        _, _, token = request.headers.get("Authorization", "").partition(" ")
        seat = admissions.of(game, token_field(token)).seat
        if seat is None:
            return Response(status=UNAUTHORIZED)
        body = request.get_data()
        msgspec.json.decode(body)
        key = request.headers.get("Idempotency-Key", "")
        events = appending.append(game, f"seat:{seat}:{key}:{process}-{next(numbers)}", body)
        answer = {
            "game": game,
            "version": events[-1].version,
            "hash": events[-1].hash,
            "events": [{**msgspec.to_builtins(each), "data": msgspec.Raw(each.data)} for each in events],
        }
        return Response(msgspec.json.encode(answer), content_type="application/json")

    return app


class FloorProcess(WebProcess):
    """The same server with the floor in it."""

    def __init__(self, batches: tuple[Batch, ...]) -> None:
        """Serve the floor with the settings of the environment."""
        self._batches = batches
        super().__init__(WebSettings.from_environment(), Catalogues())

    def load(self) -> Flask:
        """Make the application, in each process its own."""
        return create_floor(open_store(StoreSettings.from_environment()), self._batches)


def main() -> None:
    """Serve until SIGTERM."""
    log_to_standard_error()
    file = Path(sys.argv[1])
    FloorProcess(msgspec.json.decode(file.read_bytes(), type=tuple[Batch, ...])).run()


if __name__ == "__main__":
    main()
