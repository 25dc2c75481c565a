"""Registering webhooks: once per request, bounded, each key's own, and silent until the endpoint agrees."""

import base64
from typing import Any

import pytest

from service.access.keys import OPERATOR
from service.access.store import Keys
from service.webhooks.webhook import MOST_WEBHOOKS
from tests.service.webhooks.conftest import Telling
from tests.support.receiver import Receiver, signature_of

BAD_URLS = (
    "ftp://example.org/",
    "file:///etc/passwd",
    "gopher://example.org/",
    "example.org/hook",
    "https://",
    "https://user:word@example.org/",
    "https://user@example.org/",
    "https://example.org:0/",
    "https://example.org:70000/",
    "https://example.org:http/",
    "https://example.org:/",
    "https://example.org/#part",
    "https://exam ple.org/",
    "https://example.org/\r\nX: y",
    "https://ex\u00e4mple.org/",
    "https://[::1/",
    "https://a\\b/",
    "https://example.org/" + "x" * 481,
)
"""What no webhook can be sent to."""
BAD_SHAPES: tuple[dict[str, Any], ...] = (
    {"events": []},
    {"events": ["game.turned"]},
    {"games": "none"},
    {"games": "one"},
    {"game": "abc"},
    {"games": "own", "game": "abc"},
    {"secret": "mine"},
    {"url": 7},
)
"""Bodies that are refused."""


def key(telling: Telling, *scopes: str) -> str:
    """A key of its own."""
    return Keys(telling.api.store).create(" ".join(scopes), scopes or ("webhooks",), 1)


def test_an_endpoint_that_answers_the_challenge_is_told_of_games(
    telling: Telling, endpoint: Receiver
) -> None:
    """The challenge comes first and is signed like everything else."""
    made = telling.make(endpoint.url())
    assert (made["state"], made["waiting"]) == ("unverified", 1)
    telling.send()
    assert telling.shown(made["id"])["state"] == "active"
    asked = endpoint.received[0]
    assert asked.type == "webhook.verify"
    assert asked.json["data"]["webhook"] == made["id"]
    assert asked.headers["webhook-signature"] == signature_of(made["secret"], asked)


@pytest.mark.parametrize("challenges", ["ok", "echo", "500", "redirect", "close", "huge"])
def test_an_endpoint_that_does_not_agree_is_told_nothing(
    telling: Telling, endpoint: Receiver, challenges: str
) -> None:
    """Not even one that sends back what it gets: it must know what a challenge is."""
    endpoint.challenges = challenges
    made = telling.make(endpoint.url(), games="all")
    telling.send()
    telling.api.people()
    telling.tell()
    shown = telling.shown(made["id"])
    assert (shown["state"], shown["reason"]) == ("unverified", "challenge_failed")
    assert endpoint.told == []
    assert len(endpoint.received) == 5
    assert len({each.id for each in endpoint.received}) == 1
    assert len({each.json["data"]["challenge"] for each in endpoint.received}) == 5


def test_it_can_be_asked_again(telling: Telling, endpoint: Receiver) -> None:
    """Whoever has mended the endpoint need not wait."""
    endpoint.challenges = "500"
    made = telling.make(endpoint.url())
    telling.send()
    endpoint.challenges = "answer"
    again = telling.api.call("POST", f"/v1/webhooks/{made['id']}/verify", token=telling.api.key)
    assert again.status == 202
    telling.send()
    assert telling.shown(made["id"])["state"] == "active"


def test_the_secret_is_shown_once_and_stored_nowhere(telling: Telling, endpoint: Receiver) -> None:
    """It has 256 bits, and neither an answer nor the store holds it afterwards."""
    made = telling.active(endpoint.url())
    secret = made["secret"]
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    for path in ("", f"/{made['id']}", f"/{made['id']}/deliveries"):
        answer = telling.api.call("GET", f"/v1/webhooks{path}", token=telling.api.key)
        assert answer.status == 200
        assert secret.encode() not in answer.body
    command = telling.api.store.connection.command
    stored = b"".join(command("DUMP", name) for name in command("KEYS", "*"))
    assert secret.removeprefix("whsec_").encode() not in stored
    assert base64.b64decode(secret.removeprefix("whsec_")) not in stored


def test_the_same_request_again_makes_the_same_webhook(telling: Telling, endpoint: Receiver) -> None:
    """With the same secret; with another body it is refused, and another key's request makes another webhook."""
    named = {"Idempotency-Key": "first"}

    def make(token: str, **more: Any) -> Any:
        body = {"url": endpoint.url(), **more}
        return telling.api.call("POST", "/v1/webhooks", body, token=token, headers=named)

    first, again = make(telling.api.key), make(telling.api.key)
    assert (first.status, again.status) == (201, 201)
    assert (first.json["id"], first.json["secret"]) == (again.json["id"], again.json["secret"])
    assert again.headers["idempotent-replayed"] == "true"
    other = make(telling.api.key, games="all")
    assert (other.status, other.json["code"]) == (422, "idempotency_key_reused")
    assert make(key(telling)).json["id"] != first.json["id"]
    telling.send()
    assert len(endpoint.received) == 2


def test_a_key_has_its_own_webhooks_and_a_bounded_number(telling: Telling, endpoint: Receiver) -> None:
    """Those of others do not exist for it; operators see all."""
    mine, other = key(telling), key(telling)
    made = [telling.make(endpoint.url(), mine)["id"] for _ in range(MOST_WEBHOOKS)]
    full = telling.make(endpoint.url(), mine, 409)
    assert full["code"] == "too_many_webhooks"
    assert {each["id"] for each in telling.api.get("/v1/webhooks", mine)["webhooks"]} == set(made)
    assert telling.api.get("/v1/webhooks", other)["webhooks"] == []
    for method, path in (("GET", ""), ("DELETE", ""), ("POST", "/verify"), ("POST", "/disable")):
        answer = telling.api.call(method, f"/v1/webhooks/{made[0]}{path}", token=other)
        assert (answer.status, answer.json["code"]) == (404, "webhook_not_found")
    operator = Keys(telling.api.store).create("operator", (), 1, OPERATOR)
    assert {each["id"] for each in telling.api.get("/v1/webhooks", operator)["webhooks"]} == set(made)
    answer = telling.api.call("POST", f"/v1/webhooks/{made[0]}/verify", token=operator)
    assert (answer.status, answer.json["code"]) == (403, "not_your_webhook")
    for _ in range(2):
        assert telling.api.call("POST", f"/v1/webhooks/{made[0]}/disable", token=operator).status == 200
    assert telling.api.call("DELETE", f"/v1/webhooks/{made[0]}", token=operator).status == 200
    acts = telling.api.get("/v1/operator-acts", operator)["acts"]
    assert [(each["what"], each["about"]) for each in acts] == [
        ("webhook_deleted", made[0]),
        ("webhook_disabled", made[0]),
    ]
    telling.make(endpoint.url(), mine)


def test_what_is_no_address_is_refused(telling: Telling) -> None:
    """With a sentence that says why."""
    for url in BAD_URLS:
        assert telling.make(url, None, 422)["code"] in {"bad_webhook_url", "schema_violation"}, url


def test_other_shapes_are_refused(telling: Telling, endpoint: Receiver) -> None:
    """Each names the member that is wrong."""
    for more in BAD_SHAPES:
        body = {"url": endpoint.url(), **more}
        answer = telling.api.call("POST", "/v1/webhooks", body, token=telling.api.key)
        assert (answer.status, answer.json["code"]) == (422, "schema_violation"), more


def test_a_deleted_webhook_leaves_nothing_behind(telling: Telling, endpoint: Receiver) -> None:
    """Neither is it told what waited."""
    before = set(telling.api.store.connection.command("KEYS", "{webhooks}:*"))
    made = telling.active(endpoint.url(), games="all")
    telling.api.people()
    assert telling.ring() > 0
    path = f"/v1/webhooks/{made['id']}"
    assert telling.api.call("DELETE", path, token=telling.api.key).status == 200
    telling.send()
    assert endpoint.told == []
    assert telling.api.call("GET", path, token=telling.api.key).status == 404
    left = set(telling.api.store.connection.command("KEYS", "{webhooks}:*")) - before
    assert left <= {b"{webhooks}:changes"}
