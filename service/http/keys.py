"""Keys: making them, looking at them, revoking them, and asking what one is."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Final

from flask import Response
from flask.views import MethodView
from flask_smorest import Blueprint

from service.clock import now_milliseconds
from service.http.acts import note
from service.http.asking import asked_first
from service.http.bearers import CHALLENGE, bearer, operator
from service.http.bodies import json_response
from service.http.callers import admitted
from service.http.identity import fingerprint, request_id
from service.http.problems import Problem
from service.http.reading import Parser, json_body
from service.http.schemas.keys import (
    KeyAnswer,
    KeysAnswer,
    NewKeyAnswer,
    NewKeyRequest,
    PageQuery,
    SelfAnswer,
    SelfQuery,
)
from service.http.schemas.requests import NoQuery
from service.http.services import services
from service.keys import Key, KeyIdReused, NewKey

MOST_LISTED: Final = 200

blueprint = Blueprint("keys", __name__, url_prefix="/v1/keys", description="Keys")
blueprint.ARGUMENTS_PARSER = Parser()


@blueprint.route("")
class KeysView(MethodView):
    """All keys."""

    @blueprint.arguments(PageQuery, location="query")
    @blueprint.response(200, KeysAnswer)
    def get(self, query: dict[str, Any]) -> Response:
        """List keys, newest first, revoked and expired ones too."""
        operator()
        keys = services().keys.all()
        if query["cursor"] is not None:
            place = _decoded(query["cursor"])
            keys = [each for each in keys if (each.created, each.id) < place]
        limit = min(query["limit"], MOST_LISTED)
        following = _encoded(keys[limit - 1]) if len(keys) > limit else None
        return json_response({"keys": _described(keys[:limit]), "next": following})

    @asked_first(holder=operator)
    @blueprint.arguments(NoQuery, location="query")
    @blueprint.arguments(NewKeyRequest)
    @blueprint.response(201, NewKeyAnswer)
    def post(self, _query: dict[str, Any], wanted: dict[str, Any], holder: Key) -> Response:
        """Make a key; the answer holds its token, which is not shown again."""
        named, now = request_id(), now_milliseconds()
        if wanted["expires"] is not None and wanted["expires"] <= now:
            raise Problem(422, "expires_in_the_past", "This key would have expired before it was made.")
        new = NewKey(
            name=wanted["name"],
            kind=wanted["kind"],
            scopes=tuple(dict.fromkeys(wanted["scopes"])),
            expires=wanted["expires"],
        )
        keys = services().keys
        if keys.find(keys.token_for(holder.id, named)) is None:
            note(holder, "key_created", keys.id_for(holder.id, named), " ".join([new.kind, *new.scopes]))
        try:
            token, key, known = keys.issue(
                new, at=now, by=holder.id, request=named, fingerprint=fingerprint(json_body())
            )
        except KeyIdReused:
            detail = "This Idempotency-Key was used for another request; choose a new one."
            raise Problem(422, "idempotency_key_reused", detail) from None
        headers = {"Location": f"/v1/keys/{key.id}", **({"Idempotent-Replayed": "true"} if known else {})}
        return json_response({**_described([key])[0], "token": token}, 201, headers)


@blueprint.route("/self")
class SelfView(MethodView):
    """The token of the request."""

    @blueprint.arguments(SelfQuery, location="query")
    @blueprint.response(200, SelfAnswer)
    def get(self, query: dict[str, Any]) -> Response:
        """Say what the token is that you send: a key with its scopes or, in a game, a seat or a spectator."""
        sender = bearer()
        if sender.key is not None:
            return json_response(_described([sender.key])[0])
        if sender.field is None:
            raise Problem(401, "token_required", "Send the token that you ask about.", headers=CHALLENGE)
        if query["game"] is None:
            detail = "Tokens of seats and spectators are good in one game: name it with ?game=."
            raise Problem(422, "game_required", detail)
        caller = admitted(query["game"])
        if caller.seat is not None:
            return json_response({"kind": "seat", "game": query["game"], "seat": caller.seat})
        return json_response({"kind": "spectator", "game": query["game"], "spectator": caller.spectator})


@blueprint.route("/<string(minlength=5):key>")
class KeyView(MethodView):
    """One key; `self`, which is none, is shorter than the id of any."""

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, KeyAnswer)
    def get(self, _query: dict[str, Any], key: str) -> Response:
        """Show a key, without its token."""
        operator()
        return json_response(_described([_key(key)])[0])

    @blueprint.arguments(NoQuery, location="query")
    @blueprint.response(200, KeyAnswer)
    def delete(self, _query: dict[str, Any], key: str) -> Response:
        """Revoke a key: it is refused from now on, everywhere. It stays in the list."""
        holder, found = operator(), _key(key)
        if found.revoked is None:
            note(holder, "key_revoked", found.id)
        return json_response(_described([services().keys.revoke(found, now_milliseconds())])[0])


def _key(key_id: str) -> Key:
    key = services().keys.get(key_id)
    if key is None:
        raise Problem(404, "key_not_found", "There is no key with this id.")
    return key


def _described(keys: list[Key]) -> list[dict[str, Any]]:
    last_used = services().keys.last_used([each.id for each in keys])
    return [each.described(used) for each, used in zip(keys, last_used, strict=True)]


def _encoded(last: Key) -> str:
    return urlsafe_b64encode(f"{last.created}/{last.id}".encode()).decode().rstrip("=")


def _decoded(cursor: str) -> tuple[int, str]:
    try:
        created, key = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii").split("/")
        return int(created), key
    except ValueError as error:
        raise Problem(400, "bad_cursor", "This cursor is not from this list; begin without one.") from error
