"""What browsers are told: which pages may use the API, and what an answer is not."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from events.store.redis.redis_store import RedisEventStore
from service.platform.configuration import BadSetting
from service.startup.web_settings import WebSettings
from tests.service.in_process import InProcess

PAGE = "https://beans.example"
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
Start = Callable[..., InProcess]


@pytest.fixture
def serving(store: RedisEventStore) -> Iterator[Start]:
    """Make an application with some settings."""
    started: list[InProcess] = []

    def start(**settings: Any) -> InProcess:
        started.append(InProcess(store, settings=WebSettings(**settings)))
        return started[-1]

    yield start
    for each in started:
        each.close()


def test_without_configuration_no_other_page_may_use_the_api(serving: Start) -> None:
    """A browser then keeps the answer from its page, and OPTIONS is a method that is not taken."""
    api = serving()
    answer = api.call("GET", "/v1/games", headers={"Origin": PAGE})
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert api.call("OPTIONS", "/v1/games", headers={"Origin": PAGE, **PREFLIGHT}).status == 405


def test_a_configured_page_may_read_answers_and_their_headers(serving: Start) -> None:
    """Also errors, so that a page can tell why; never with the browser's own credentials."""
    api = serving(cors_origins=(PAGE,))
    for path in ("/v1/games", "/v1/games/nobody", "/v1/nowhere"):
        answer = api.call("GET", path, headers={"Origin": PAGE})
        assert answer.headers["access-control-allow-origin"] == PAGE
        exposed = answer.headers["access-control-expose-headers"].split(", ")
        assert {"ETag", "Link", "RateLimit", "RateLimit-Policy", "Retry-After", "Location"} < set(exposed)
        assert {"Idempotent-Replayed", "X-Request-Id"} < set(exposed)
        assert "access-control-allow-credentials" not in answer.headers
        assert "Origin" in answer.headers["vary"]


@pytest.mark.parametrize(
    "origin", ["https://beans.example.evil", "http://beans.example", f"{PAGE}:8443", "null", ""]
)
def test_other_pages_may_not(serving: Start, origin: str) -> None:
    """An origin is compared whole; the answer still depends on it."""
    api = serving(cors_origins=(PAGE,))
    answer = api.call("GET", "/v1/games", headers={"Origin": origin})
    assert "access-control-allow-origin" not in answer.headers
    assert "Origin" in answer.headers["vary"]
    asked = api.call("OPTIONS", "/v1/games", headers={"Origin": origin, **PREFLIGHT})
    assert "access-control-allow-origin" not in asked.headers


def test_a_preflight_says_what_this_address_takes(serving: Start) -> None:
    """The methods of this route, and the request headers that the API knows."""
    api = serving(cors_origins=(PAGE,))
    answer = api.call("OPTIONS", "/v1/games/some-game/commands", headers={"Origin": PAGE, **PREFLIGHT})
    assert (answer.status, answer.body) == (204, b"")
    assert "content-type" not in answer.headers
    assert answer.headers["access-control-allow-origin"] == PAGE
    assert answer.headers["access-control-allow-methods"] == "GET, HEAD, POST"
    allowed = answer.headers["access-control-allow-headers"].split(", ")
    assert {"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Last-Event-ID"} < set(allowed)
    assert int(answer.headers["access-control-max-age"]) > 0
    assert api.call("OPTIONS", "/v1/games", headers={"Origin": PAGE}).status == 405


def test_all_pages_may_where_a_star_is_set(serving: Start) -> None:
    """The answer is then the same for every origin."""
    answer = serving(cors_origins=("*",)).call("GET", "/v1/games", headers={"Origin": PAGE})
    assert answer.headers["access-control-allow-origin"] == "*"
    assert "Origin" not in answer.headers["vary"].split(", ")


def test_every_answer_carries_the_security_headers(serving: Start) -> None:
    """JSON, text, errors and the page: nothing is sniffed, framed or kept unasked, and no answer runs anything."""
    api = serving()
    for path in (
        "/",
        "/v1/games",
        "/v1/games/nobody",
        "/v1/nowhere",
        "/openapi.yaml",
        "/openapi.json",
        "/verify",
        "/metrics",
    ):
        headers = api.call("GET", path).headers
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["referrer-policy"] == "no-referrer"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "camera=()" in headers["permissions-policy"]
        assert "strict-transport-security" not in headers
        # The list and the contract are asked for again each time, with their entity tags.
        tagged = path in {"/v1/games", "/openapi.yaml", "/openapi.json"}
        assert headers["cache-control"] == ("no-cache" if tagged else "no-store")
    assert "script-src 'self'" in api.call("GET", "/verify").headers["content-security-policy"]


def test_https_only_is_said_where_it_is_configured(serving: Start) -> None:
    """It would lock out a service without TLS for as long as it says."""
    answer = serving(hsts_seconds=31536000).call("GET", "/v1/games")
    assert answer.headers["strict-transport-security"] == "max-age=31536000"


@pytest.mark.parametrize(
    "text", ["beans.example", "https://beans.example/", "https://*.example", "null", "ftp://x", "https://a b"]
)
def test_what_is_no_origin_is_refused_at_the_start(text: str) -> None:
    """It would silently match nothing."""
    with pytest.raises(BadSetting, match="FIELDBOOK_CORS_ORIGINS"):
        WebSettings.from_environment({"FIELDBOOK_CORS_ORIGINS": text})


def test_origins_are_listed_with_commas() -> None:
    """With or without spaces; letters in any case."""
    found = WebSettings.from_environment(
        {"FIELDBOOK_CORS_ORIGINS": "https://Beans.example, http://localhost:5173,http://[::1]:80"}
    )
    assert found.cors_origins == ("https://beans.example", "http://localhost:5173", "http://[::1]:80")
