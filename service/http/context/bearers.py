"""The token of a request: what kind it is, and what its key may do wherever no game is asked for."""

import logging
from dataclasses import dataclass
from typing import Final

from flask import Response, after_this_request, g, request

from events.store.errors import StoreError
from service.access.keys import Key
from service.access.tokens import token_field
from service.http.context.limits import mark_authenticated, sent_token
from service.http.context.services import Services, services
from service.http.messages.problems import Problem
from service.platform.clock import now_milliseconds

CHALLENGE: Final = {"WWW-Authenticate": "Bearer"}
USE_MILLISECONDS: Final = 60_000
"""A process writes down at most once in this time that a key is in use."""
_log = logging.getLogger("fieldbook.keys")


@dataclass(frozen=True, slots=True)
class Bearer:
    """Who sends a request: nobody in particular, the holder of a key, or of a token of some game."""

    key: Key | None = None
    field: str | None = None
    """The private field of a game under which a seat's or a spectator's token is kept."""
    token: str | None = None
    """That token; None also where a ticket stands for it."""


def bearer() -> Bearer:
    """Who sends this request, before any game is looked at: so a bad token tells nothing about games.

    Raises:
        Problem: 401 for a token that is none, and for a key that was revoked or has expired.
    """
    if "Authorization" not in request.headers:
        return Bearer()
    token = sent_token()
    if not token.text:
        raise _bad_token("Send the token as 'Authorization: Bearer <token>'.")
    if token.kind is None:
        raise _bad_token("This is no token of this service.")
    if token.kind == "key":
        return Bearer(key=_key(token.text))
    return Bearer(field=token_field(token.text, token.digest), token=token.text)


def token_holder() -> Bearer:
    """Who sends this request, with a token of whatever kind.

    Raises:
        Problem: 401 without one.
    """
    sender = bearer()
    if sender.key is None and sender.field is None:
        raise Problem(401, "token_required", "Send the token that you ask about.", headers=CHALLENGE)
    return sender


def key_holder(scope: str) -> Key:
    """The caller's key, which must have this scope.

    Raises:
        Problem: 401 without a key, 403 when it lacks the scope.
    """
    key = _any_key()
    if not key.may(scope):
        raise Problem(403, "scope_missing", f"Your key does not have the scope '{scope}'.")
    return key


def operator() -> Key:
    """The caller's key, which must be an operator's.

    Raises:
        Problem: 401 without a key, 403 when it is an integrator's.
    """
    key = _any_key()
    if not key.is_operator:
        raise Problem(403, "operator_required", "This needs the key of an operator.")
    return key


def _any_key() -> Key:
    key = bearer().key
    if key is None:
        detail = (
            "This needs a key: send it as 'Authorization: Bearer fbk_...'. Ask the operator of this service for one, "
            "who makes it with 'fieldbook keys create'."
        )
        raise Problem(401, "key_required", detail, headers=CHALLENGE)
    return key


def _key(token: str) -> Key:
    now = now_milliseconds()
    key = services().keys.find(token)
    if key is None:
        raise _bad_token("This key is not known here.")
    standing = key.standing(now)
    if standing != "valid":
        detail = f"This key was {standing}." if standing == "revoked" else "This key has expired."
        raise Problem(401, f"key_{standing}", detail, headers=CHALLENGE)
    mark_authenticated()
    _note_use(services(), key.id, now)
    return key


def _note_use(found: Services, key_id: str, now: int) -> None:
    """Write down that a key is in use once the answer is out; a failure does not matter to its holder."""
    if now - found.key_uses.get(key_id, 0) < USE_MILLISECONDS or "key_use" in g:
        return
    g.key_use = key_id
    found.key_uses[key_id] = now

    def write_down() -> None:
        try:
            found.keys.note_use(key_id, now)
        except StoreError as error:
            _log.warning("the use of a key was not written down: %s", error)

    @after_this_request
    def afterwards(response: Response) -> Response:
        response.call_on_close(write_down)
        return response


def _bad_token(detail: str) -> Problem:
    return Problem(401, "bad_token", detail, headers=CHALLENGE)
