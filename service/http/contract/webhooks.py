"""What the contract says of the requests that the service itself makes: to the addresses of webhooks."""

from typing import Any, Final

from service.webhooks.webhook import EVENTS, VERIFY

_HEADERS: Final = {
    "webhook-id": "Names what is told; the same in every attempt.",
    "webhook-timestamp": "When this attempt was made: seconds since the epoch.",
    "webhook-signature": "`v1,` and the HMAC-SHA256 of id, timestamp and body with dots between, in base64.",
}
_DATA: Final[dict[str, Any]] = {
    "game": {"type": "string"},
    "system": {"type": "string"},
    "version": {"type": "integer", "description": "The game's version, as far as the key may see it."},
    "hash": {"type": "string", "description": "The chain head at this version."},
    "status": {"type": "string", "enum": ["open", "running", "ended", "finished"]},
    "waiting_for": {
        "type": "array",
        "items": {"type": "integer"},
        "description": "The seats whose turn it is.",
    },
}
_HAPPENED: Final = {"type": "string", "format": "date-time", "description": "When it happened."}


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": sorted(properties)}


WEBHOOK_SCHEMAS: Final[dict[str, Any]] = {
    "WebhookEvent": _object(
        {
            "type": {"type": "string"},
            "timestamp": _HAPPENED,
            "data": _object(_DATA),
        }
    ),
    "WebhookTimes": {
        "type": "array",
        "description": "The seats that it is about, and when their time is over: milliseconds since the epoch."
        " `offer` where it is that for answering one.",
        "items": {
            "type": "object",
            "properties": {name: {"type": "integer"} for name in ("seat", "deadline", "offer")},
            "required": ["deadline", "seat"],
        },
    },
}
WEBHOOK_RESPONSES: Final[dict[str, Any]] = {
    "WebhookTaken": {"description": "With any 2xx it is taken; no body is read."}
}
_VALIDATION: Final = {"validation": {"type": "string", "enum": ["valid", "invalid"]}}
_TIMES: Final = {"times": {"$ref": "#/components/schemas/WebhookTimes"}}
_SEATS: Final = {
    "seats": {"type": "array", "description": "The seats that it is about.", "items": {"type": "integer"}}
}
_MORE: Final[dict[str, dict[str, Any]]] = {
    "game.validated": _VALIDATION,
    "seat.awaited": _TIMES,
    "seat.time_low": _TIMES,
    "seat.time_over": _TIMES,
    "seat.taken_over": _SEATS,
}
"""What is told besides, by the type of event."""
_EXAMPLE: Final = {
    "type": "game.turn",
    "timestamp": "2026-11-21T09:30:00.125Z",
    "data": {
        "game": "k5zq3n7fw2abcdef",
        "system": "classic",
        "version": 41,
        "hash": "0f3c9a1e" * 8,
        "status": "running",
        "waiting_for": [2],
    },
}


def describe_webhooks() -> dict[str, Any]:
    """The member `webhooks` of the contract (OpenAPI 3.1)."""
    challenge = _describe(
        VERIFY,
        "Does this address want to be told? It does where the answer's body is the challenge, and nothing else.",
        _object(
            {
                "type": _named(VERIFY),
                "timestamp": _HAPPENED,
                "data": _object({"webhook": {"type": "string"}, "challenge": {"type": "string"}}),
            }
        ),
        {"description": "The challenge.", "content": {"text/plain": {"schema": {"type": "string"}}}},
    )
    told = {
        name: _describe(name, meaning, _event_schema(name), {"$ref": "#/components/responses/WebhookTaken"})
        for name, meaning in EVENTS.items()
    }
    told["game.turn"]["post"]["requestBody"]["content"]["application/json"]["examples"] = {
        "seat 2 is next": {"value": _EXAMPLE}
    }
    return {**told, VERIFY: challenge}


def _event_schema(name: str) -> dict[str, Any]:
    """What is told of an event of this type: what all have, and what only it has."""
    more = {"data": _object(_MORE[name])} if name in _MORE else {}
    own = {"properties": {"type": _named(name), **more}}
    return {"allOf": [{"$ref": "#/components/schemas/WebhookEvent"}, own]}


def _named(name: str) -> dict[str, str]:
    return {"type": "string", "const": name}


def _describe(name: str, text: str, schema: dict[str, Any], answer: dict[str, Any]) -> dict[str, Any]:
    headers = [
        {"name": each, "in": "header", "required": True, "description": what, "schema": {"type": "string"}}
        for each, what in _HEADERS.items()
    ]
    return {
        "post": {
            "operationId": f"tell_{name.replace('.', '_')}",
            "summary": text,
            "security": [],
            "parameters": headers,
            "requestBody": {"required": True, "content": {"application/json": {"schema": schema}}},
            "responses": {"200": answer},
        }
    }
