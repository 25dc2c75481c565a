"""`FIELDBOOK_SHORT_WAY=off`: a real service that answers everything behind Flask answers the same."""

import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tests.support.http_play import Party
from tests.support.processes import Service
from tests.support.servers import eventually

SAY = {"type": "say", "text": "hello"}


@pytest.mark.process
def test_a_service_answers_the_same_with_the_short_way_and_without(tmp_path: Path) -> None:
    """Tables, legal commands, a poll and a command, over sockets; see docs/operating.md for the setting."""
    with Service(tmp_path) as service:
        service.environment["WEB_PROCESSES"] = "1"
        service.start("store", "web")
        service.await_ready()
        party = service.people(seed=5)
        party.play(10)
        short = look(service, party)
        service.signal("web", signal.SIGTERM)
        service.await_end("web")

        service.start("web", FIELDBOOK_SHORT_WAY="off")
        service.await_ready()
        assert look(service, party) == short
        assert poll(service, party) == ["talked"]


def look(service: Service, party: Party) -> list[tuple[str, bytes]]:
    """What each seat is shown, with its entity tag."""
    found = []
    for token in party.tokens:
        for path in ("", "/commands"):
            answer = service.api.call("GET", f"/v1/games/{party.game}{path}", token=token)
            assert answer.status == 200
            found.append((answer.headers["etag"], answer.body))
    return found


def poll(service: Service, party: Party) -> list[Any]:
    """What happens while a seat waits for the next table."""
    version = service.api.call("GET", f"/v1/games/{party.game}").json["version"]
    with ThreadPoolExecutor(1) as threads:
        path = f"/v1/games/{party.game}?after={version}&wait=60"
        waiting = threads.submit(service.api.call, "GET", path, token=party.tokens[0])
        eventually(lambda: service.api.call("GET", "/readyz").json["streams"] == 1)
        sent = party.send(1, SAY)
        assert sent.status == 200
        assert waiting.result(60).json["version"] == sent.json["version"]
    return [each["entry"]["type"] for each in sent.json["events"]]
