"""Keys: making them, looking at them, revoking them, and asking what one is."""

from typing import Any

from flask import Response

from service.access.keys import Key, NewKey
from service.http.context.acts import note
from service.http.context.bearers import Bearer
from service.http.context.callers import admit
from service.http.context.identity import fingerprint, request_id
from service.http.context.services import services
from service.http.contract.access import OPERATORS, TOKEN_HOLDERS
from service.http.contract.headers import LOCATION
from service.http.contract.operation import Link, Operation, Resource, next_page
from service.http.contract.problems import COUNTED, LISTED, NAMED, of
from service.http.contract.request_headers import KEY
from service.http.messages.bodies import json_response
from service.http.messages.problems import Problem
from service.http.messages.reading import json_body
from service.http.schemas.keys import (
    NewKeyRequest,
    PageQuery,
    SelfQuery,
)
from service.platform.clock import now_milliseconds
from service.projections.list_cursors import read_cursor, write_cursor

blueprint = Resource("keys", __name__, url_prefix="/v1/keys", description="Keys")


@blueprint.get("")
@Operation(OPERATORS, "KeysAnswer", LISTED, links=next_page("list_keys"))
@blueprint.arguments(PageQuery, location="query")
def list_keys(query: dict[str, Any]) -> Response:
    """List keys, newest first, revoked and expired ones too."""
    keys = services().keys.all()
    if query["cursor"] is not None:
        place = read_cursor(query["cursor"])
        keys = [each for each in keys if (each.created, each.id) < place]
    limit = query["limit"]
    last = keys[limit - 1] if len(keys) > limit else None
    following = None if last is None else write_cursor((last.created, last.id))
    return json_response({"keys": _describe(keys[:limit]), "next": following})


@blueprint.post("")
@Operation(
    OPERATORS,
    "NewKeyAnswer",
    COUNTED | of(422, "expires_in_the_past"),
    status=201,
    takes=(KEY,),
    gives=(LOCATION,),
    links={
        "look": Link("show_key", {"key": "$response.body#/id"}, "Whether and when it was used."),
        "revoke": Link("revoke_key", {"key": "$response.body#/id"}, "Revoke it."),
    },
)
@blueprint.arguments(NewKeyRequest)
def create_key(wanted: dict[str, Any], holder: Key) -> Response:
    """Make a key; the answer holds its token, which is not shown again."""
    named, now = request_id(), now_milliseconds()
    if wanted["expires"] is not None and wanted["expires"] <= now:
        raise Problem(422, "expires_in_the_past", "This key would have expired before it was made.")
    new = NewKey(**{**wanted, "scopes": tuple(dict.fromkeys(wanted["scopes"]))})
    keys = services().keys
    if keys.find(keys.token_for(holder.id, named)) is None:
        note(holder, "key_created", keys.id_for(holder.id, named), " ".join([new.kind, *new.scopes]))
    token, key, known = keys.issue(
        new, at=now, by=holder.id, request=named, fingerprint=fingerprint(json_body())
    )
    answer = {**_describe([key])[0], "token": token}
    return json_response(answer, 201, {"Location": f"/v1/keys/{key.id}"}, is_known=known)


@blueprint.get("/self")
@Operation(
    TOKEN_HOLDERS,
    "SelfAnswer",
    of(403, "not_your_game") | of(404, "game_not_found") | of(422, "game_required"),
)
@blueprint.arguments(SelfQuery, location="query")
def show_own_token(query: dict[str, Any], sender: Bearer) -> Response:
    """Say what the token is that you send: a key with its scopes or, in a game, a seat or a spectator."""
    if sender.key is not None:
        return json_response(_describe([sender.key])[0])
    if query["game"] is None:
        detail = "Tokens of seats and spectators are good in one game: name it with ?game=."
        raise Problem(422, "game_required", detail)
    caller = admit(query["game"])
    if caller.seat is not None:
        return json_response({"kind": "seat", "game": query["game"], "seat": caller.seat})
    return json_response({"kind": "spectator", "game": query["game"], "spectator": caller.spectator})


@blueprint.get("/<string(minlength=5):key>")
@Operation(OPERATORS, "KeyAnswer", NAMED | of(404, "key_not_found"))
def show_key(key: str) -> Response:
    """Show a key, without its token."""
    return json_response(_describe([_key(key)])[0])


@blueprint.delete("/<string(minlength=5):key>")
@Operation(OPERATORS, "KeyAnswer", NAMED | COUNTED | of(404, "key_not_found"))
def revoke_key(key: str, holder: Key) -> Response:
    """Revoke a key: it is refused from now on, everywhere. It stays in the list."""
    found = _key(key)
    if found.revoked is None:
        note(holder, "key_revoked", found.id)
    return json_response(_describe([services().keys.revoke(found, now_milliseconds())])[0])


def _key(key_id: str) -> Key:
    key = services().keys.get(key_id)
    if key is None:
        raise Problem(404, "key_not_found", "There is no key with this id.")
    return key


def _describe(keys: list[Key]) -> list[dict[str, Any]]:
    last_used = services().keys.last_used([each.id for each in keys])
    return [each.describe(used) for each, used in zip(keys, last_used, strict=True)]
