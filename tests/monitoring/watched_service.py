"""A service at work with a Prometheus that watches it: people play, bots play, some things are refused."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from replay.client import Fieldbook
from tests.support.http_play import Party, await_verdict
from tests.support.processes import EVERYTHING, NAMES, Service
from tests.support.prometheus import Prometheus, prometheus
from tests.support.receiver import receiver
from tests.support.servers import eventually

RATE_INTERVAL = "20s"
"""Long enough for a rate at one scrape a second, some of which may fail."""


@contextmanager
def watched_service(folder: Path, seconds: float) -> Iterator[Prometheus]:
    """A service that was played on for so long; what is counted about it stands in the Prometheus."""
    with Service(folder) as service, receiver() as endpoint:
        service.environment |= {
            "FIELDBOOK_WEBHOOK_NETWORKS": "127.0.0.0/8",
            "FIELDBOOK_LIMITS": "verifications=1/60",
        }
        service.start(*EVERYTHING)
        service.await_ready()
        with prometheus(folder, f"127.0.0.1:{service.port}") as watching:
            # A counter needs a sample before it is counted on.
            eventually(lambda: bool(watching.query("fieldbook_store_up")))
            play(service, endpoint.url(), seconds)
            # What the other processes count they hand in every few seconds.
            eventually(lambda: bool(watching.query(f"rate(fieldbook_bot_commands_total[{RATE_INTERVAL}])")))
            yield watching


def play(service: Service, address: str, seconds: float) -> None:
    """Play, with bots and without, for so long; one game is brought to its verdict, and some things are refused."""
    key, until = service.key(), time.monotonic() + seconds
    fieldbook = Fieldbook(f"http://127.0.0.1:{service.port}", key)
    fieldbook.create_webhook(address, games="all")
    seats = [{"name": name, "kind": "bot", "bot": "random"} for name in ("Dot", "Eve")]
    made = service.api.call("POST", "/v1/games", {"system": "bean-duel", "seats": seats}, token=key)
    assert made.status == 201, made.body
    ended = service.people(1)
    ended.send(0, {"type": "offer_end", "kind": "drawn"})
    for seat in (1, 2):
        ended.send(seat, {"type": "accept_end"})
    for _ in range(2):
        service.api.call(
            "POST", "/v1/verifications", raw=b"no record", headers={"Content-Type": "application/x-ndjson"}
        )
    for number in count():
        if time.monotonic() > until:
            break
        new = fieldbook.create_game("classic", NAMES)
        people = Party(service.api, new.game, [str(each.token) for each in new.seats], random.Random(number))
        people.play(20)
        path = f"/v1/games/{people.game}/commands"
        service.api.call("POST", path, {"type": "accept_end"}, token=people.tokens[0])
    await_verdict(service.api, ended.game)
