"""What reads, folds or draws whole games goes behind the bulkhead, and nothing else does."""

import pytest

from service.server.bulkhead.long_requests import takes_long

GAME = "/v1/games/a1-B_2"
LONG = (
    f"GET {GAME}/record",
    f"HEAD {GAME}/record",
    f"GET {GAME}/record?as=public",
    f"GET {GAME}/history?text=en",
    f"GET {GAME}/take-backs",
    f"GET {GAME}/disputes/1/evidence-pack",
    f"GET {GAME}?at=12",
    f"GET {GAME}?as=public&at=12",
    f"GET {GAME}/scene?text=de&at=3",
    f"GET {GAME}/scene?knowledge=true",
    f"GET {GAME}/events?after=0&limit=1000&text=en",
    f"GET {GAME}/events?after=0&wait=20&text=en",
    f"GET {GAME}/annotations?text=fr",
    f"GET {GAME}/record/",
    f"GET /{GAME}/%72ecord",
    f"GET {GAME}?%61t=5&wait=0",
    f"POST {GAME}/branches",
    "POST /v1/verifications?audit=true",
    "GET /v1/exports/games?after=x",
    "GET /v1/dataset?table=games",
    "GET /games/a1-B_2/page.html?lang=de",
)
SHORT = (
    f"POST {GAME}/commands",
    f"GET {GAME}/commands",
    f"GET {GAME}",
    f"GET {GAME}?after=4&wait=20",
    f"GET {GAME}/scene?text=en",
    f"GET {GAME}/scene?format=text",
    f"GET {GAME}/events?after=0&limit=1000",
    f"GET {GAME}/annotations",
    f"POST {GAME}/annotations?text=en",
    f"POST {GAME}/take-backs",
    f"GET {GAME}/recorded",
    f"DELETE {GAME}/record",
    "GET /v1/games?text=en&at=1",
    "GET /v1/games//record",
    "POST /v1/games",
    "GET /games/a1-B_2",
)


def scope(asked: str, accept: bytes = b"*/*") -> dict[str, object]:
    """The request as ASGI describes it."""
    method, target = asked.split(" ")
    path, _, query = target.encode().partition(b"?")
    return {"method": method, "raw_path": path, "query_string": query, "headers": [(b"accept", accept)]}


@pytest.mark.parametrize("asked", LONG)
def test_what_reads_whole_games_takes_long(asked: str) -> None:
    """However its parameters stand."""
    assert takes_long(scope(asked))


@pytest.mark.parametrize("asked", SHORT)
def test_what_plays_or_waits_or_changes_something_does_not(asked: str) -> None:
    """It is answered where it comes in."""
    assert not takes_long(scope(asked))


def test_a_stream_is_no_long_request() -> None:
    """It takes no time while it waits, and its connection is the process's own."""
    assert not takes_long(scope(f"GET {GAME}/events?text=en", b"text/event-stream"))
