"""Signatures and the transparency log: published keys, checkpoints, proofs and receipts."""

from typing import Any

from flask import Response

from events.game.table import Table
from events.transparency.game_head import GameHead, signed_status
from service.http.context.callers import Viewpoint
from service.http.context.services import services
from service.http.contract.access import ANYBODY, VIEWERS
from service.http.contract.operation import Link, Operation, Resource, next_page
from service.http.contract.problems import ENTRY, TREE, VERSION, of
from service.http.messages.bodies import headers_for, json_response
from service.http.messages.problems import Problem
from service.http.schemas.queries import (
    CheckpointQuery,
    ConsistencyQuery,
    EntriesQuery,
    ReceiptQuery,
    SizeQuery,
)

blueprint = Resource("transparency", __name__, url_prefix="/v1", description="Signatures and the log")
TEXT = "text/plain"


@blueprint.get("/signing-keys")
@Operation(ANYBODY, "SigningKeysAnswer")
def list_signing_keys() -> Response:
    """List all keys there ever were, the one in use last; each is endorsed by the one before it."""
    keys = services().signing_keys
    return json_response({"name": keys.name, "keys": keys.published})


@blueprint.get("/log")
@Operation(
    ANYBODY,
    "LogAnswer",
    TREE,
    links={
        "checkpoint": Link("fetch_checkpoint", {"size": "$response.body#/size"}, "The checkpoint by itself."),
        "consistency": Link(
            "fetch_consistency", {"from": "$response.body#/size"}, "Ask later what it grew from."
        ),
    },
)
def show_log() -> Response:
    """Show the log's size and its signed checkpoint (C2SP tlog-checkpoint): keep it, to catch us later."""
    found = services()
    size = found.transparency.size()
    checkpoint = found.transparency.checkpoint(size)
    return json_response({"origin": found.signing_keys.name, "size": size, "checkpoint": checkpoint})


@blueprint.get("/log/entries")
@Operation(ANYBODY, "LogEntriesAnswer", TREE, links=next_page("list_log_entries", "from"))
@blueprint.arguments(EntriesQuery, location="query")
def list_log_entries(query: dict[str, Any]) -> Response:
    """List entries in order, for whoever computes the root of a checkpoint themselves."""
    first = query["first"]
    entries = services().transparency.published(first, query["limit"])
    return json_response({"from": first, "entries": entries, "next": first + len(entries)})


@blueprint.get("/log/checkpoint")
@Operation(
    ANYBODY,
    problems=TREE | ENTRY,
    forms={TEXT: "A signed note with the checkpoint (C2SP tlog-checkpoint)."},
)
@blueprint.arguments(CheckpointQuery, location="query")
def fetch_checkpoint(query: dict[str, Any]) -> Response:
    """Fetch the checkpoint (C2SP tlog-checkpoint) of the log as it stands, or at an earlier size.

    Where witnesses have co-signed it (C2SP tlog-cosignature), it has their signature lines too.
    """
    log = services().transparency
    return _text(log.cosigned_checkpoint() if query["cosigned"] else log.checkpoint(query["size"]))


@blueprint.get("/log/consistency")
@Operation(
    ANYBODY,
    problems=TREE | ENTRY,
    forms={TEXT: "A consistency proof, as docs/record-format.md describes it."},
)
@blueprint.arguments(ConsistencyQuery, location="query")
def fetch_consistency(query: dict[str, Any]) -> Response:
    """Fetch the proof that the log grew out of the one of an earlier checkpoint."""
    return _text(services().transparency.consistency_proof(query["old"], query["new"]))


@blueprint.get("/games/<string:game>/proof")
@Operation(
    VIEWERS,
    problems=ENTRY | of(404, "not_finished"),
    forms={TEXT: "An inclusion proof with its checkpoint (C2SP tlog-proof)."},
)
@blueprint.arguments(SizeQuery, location="query")
def fetch_proof(query: dict[str, Any], game: str, seen: Viewpoint) -> Response:
    """Fetch the proof (C2SP tlog-proof) that a finished game's head is in the log."""
    found = services()
    loaded = seen.loaded
    if loaded.table.state.status != "finished":
        raise Problem(404, "not_finished", "Only finished games are logged; ask for a receipt instead.")
    found.transparency.log(head_of(loaded.table))
    return _text(found.transparency.inclusion_proof(game, query["size"]))


@blueprint.get("/games/<string:game>/receipt")
@Operation(VIEWERS, problems=VERSION, forms={TEXT: "A signed note with the game's head."})
@blueprint.arguments(ReceiptQuery, location="query")
def fetch_receipt(query: dict[str, Any], seen: Viewpoint, **_game: str) -> Response:
    """Fetch a signed note about the game's chain hash, as it stands or at an earlier version."""
    found = services()
    loaded = seen.loaded
    table, version = loaded.table, query["version"]
    if version is not None and version > table.version:
        raise Problem(404, "no_such_version", f"The game is at version {table.version}.")
    head = head_of(table if version is None else found.tables.at(loaded, version))
    answer = _text(found.signing_keys.sign(head.text()))
    answer.headers.update(headers_for(head.version, head.hash))
    return answer


def head_of(table: Table) -> GameHead:
    """What is signed about a game as it stands."""
    return GameHead(table.game, table.version, table.hash, signed_status(table.state.status))


def _text(text: str) -> Response:
    return Response(text, content_type=f"{TEXT}; charset=utf-8")
