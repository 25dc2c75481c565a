"""The headers of requests, each described once, with what they can be refused by and what is answered to them."""

from dataclasses import dataclass
from typing import Any, Final

from service.http.context.identity import UNGUESSABLE
from service.http.contract.headers import REPLAYED
from service.http.contract.problems import BOUND, HISTORY, NONE, REPEATABLE, Problems, of


@dataclass(frozen=True)
class RequestHeader:
    """A header that an operation reads."""

    component: str
    """The name of its description."""
    name: str
    description: str
    longest: int | None = None
    shortest: int | None = None
    problems: Problems = NONE
    answered: tuple[str, ...] = ()
    """The headers of an answer to it."""

    def describe(self) -> dict[str, Any]:
        """The parameter as the contract has it."""
        bounds = {"minLength": self.shortest, "maxLength": self.longest}
        schema = {"type": "string", **{name: value for name, value in bounds.items() if value is not None}}
        return {
            "name": self.name,
            "in": "header",
            "required": False,
            "description": self.description,
            "schema": schema,
        }


_SAFE: Final = "Makes the request safe to send again: it then gets its first answer"
_LONGEST: Final = 202
"""200 characters in quotes."""


def _key(component: str, text: str, shortest: int, problems: Problems) -> RequestHeader:
    return RequestHeader(
        component, "Idempotency-Key", f"{_SAFE}{text}", _LONGEST, shortest, problems, (REPLAYED,)
    )


KEY: Final = _key(
    "IdempotencyKey",
    ". Best a random UUID for each request; 1 to 200 visible ASCII characters.",
    1,
    BOUND,
)
KEY_ALONE: Final = _key(KEY.component, KEY.description.removeprefix(_SAFE), 1, REPEATABLE)
"""One that is not bound to the request that it came with."""
SECRET_KEY: Final = _key(
    "SecretIdempotencyKey",
    f", with the seat's token. Take a random UUID; {UNGUESSABLE} to 200 visible ASCII characters.",
    UNGUESSABLE,
    BOUND | of(400, "idempotency_key_too_short"),
)
IF_MATCH: Final = RequestHeader(
    "IfMatch",
    "If-Match",
    "Applies the commands only to the version in this entity tag of the game.",
    80,
    problems=of(400, "bad_if_match") | of(412, "stale_version", *HISTORY),
)
IF_MATCH_SET: Final = RequestHeader(
    "IfMatchSet",
    "If-Match",
    "Writes the entry only after the one in this entity tag of the set.",
    80,
    problems=of(400, "bad_if_match") | of(412, "set_changed"),
)
IF_NONE_MATCH: Final = RequestHeader(
    "IfNoneMatch",
    "If-None-Match",
    "Entity tags of what the caller has: 304 where one is still what there is.",
)
LAST_EVENT_ID: Final = RequestHeader(
    "LastEventId",
    "Last-Event-ID",
    "The id of the last frame of a stream that is resumed.",
    40,
    problems=of(400, "bad_last_event_id"),
)
REQUEST_HEADERS: Final = {
    each.component: each for each in (KEY, SECRET_KEY, IF_MATCH, IF_MATCH_SET, IF_NONE_MATCH, LAST_EVENT_ID)
}
