"""Records and validations: a game as one self-contained file, and what the validator says of it."""

import hashlib
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import msgspec
from flask import Response

from events.game.record import Attachment, header_for, write_record
from events.log.disclosure import ALL, Form, form_for
from events.transparency.game_head import GameHead
from service.http.context.callers import Caller, view_as
from service.http.context.limits import callers, shares_of
from service.http.context.places import Places
from service.http.context.services import Services, services
from service.http.context.turns import too_many, turns
from service.http.contract.access import GUESTS
from service.http.contract.headers import FILE
from service.http.contract.operation import Operation, Resource
from service.http.contract.problems import ENTRY, EYES, LONG_WORK
from service.http.messages.bodies import json_response
from service.http.messages.caching import representation_tag
from service.http.messages.pieces import joined
from service.http.resources.game.annotations import list_published_lines
from service.http.resources.transparency import head_of
from service.http.schemas.queries import RecordQuery
from service.play.tables import LoadedGame

blueprint = Resource("records", __name__, url_prefix="/v1/games", description="Records")
AT_ONCE: Final = 64
"""Downloads of records under way in one process of the interface at most."""
OF_ONE: Final = 8
"""Of these of one caller, and of one address, at most."""
_CHUNK = 200
NDJSON = "application/x-ndjson"
_places = Places()


@blueprint.get("/<string:game>/record")
@Operation(
    GUESTS, problems=EYES | ENTRY | LONG_WORK, gives=(FILE,), forms={NDJSON: "The record, line by line."}
)
@blueprint.arguments(RecordQuery, location="query")
def download_record(query: dict[str, Any], game: str, caller: Caller) -> Response:
    """Download the record as NDJSON: a finished game's whole, a running one's as the caller may see it.

    It is signed, and a finished game's has the proof that it is in the log. With the size of a checkpoint that
    you kept, the proof that the log grew out of that checkpoint's is in it too. With `annotations=true` it also
    carries the published annotations, those of a running game only with `as=all`.
    """
    seen = view_as(caller, query["viewer"])
    loaded, viewer = seen.loaded, seen.viewer
    if query["viewer"] is None and loaded.table.state.status == "finished":
        viewer = ALL
    attachments = attachments_of(services(), head_of(loaded.table), query["checkpoint"])
    # What arbiters say of a running game has no place in a record that shows less than all.
    is_shown = viewer == ALL or loaded.table.state.status == "finished"
    annotations = list_published_lines(seen) if query["annotations"] and is_shown else []
    forms = _forms(services(), loaded, viewer)
    # Asked for before the answer begins: a log that cannot be read is refused, not cut off.
    first = next(forms)
    shares = shares_of(AT_ONCE, OF_ONE)
    if _places.take(shares) is not None:
        raise too_many()
    lines = write_record(header_for(loaded.table, viewer), chain([first], forms), attachments, annotations)
    response = Response(joined(lines), content_type=NDJSON)
    response.call_on_close(lambda: _places.give_back(shares))
    attached = hashlib.sha256(msgspec.json.encode(attachments) + b"".join(annotations)).hexdigest()[:16]
    table = loaded.table
    response.headers["ETag"] = representation_tag(table.version, table.hash, viewer, f"record-{attached}")
    response.headers["Content-Disposition"] = f'attachment; filename="{game}.ndjson"'
    return response


def _forms(found: Services, loaded: LoadedGame, viewer: int) -> Iterator[Form]:
    table, after = loaded.table, 0
    while after < table.version:
        entries = found.store.read(table.game, after, min(_CHUNK, table.version - after))
        with turns.at_long_work(None if after else callers()):
            made = [form_for(entry, table.key, viewer) for entry in entries]
        yield from made
        after = entries[-1].version


def attachments_of(found: Services, head: GameHead, kept: int | None) -> list[Attachment]:
    """What vouches for a record up to this head: key, signed head and, of a finished game, its place in the log.

    `kept` is the size of a checkpoint that the caller has.

    Raises:
        NoSuchEntry: the log never had that size.
        StoreUnavailable
    """
    attached = [
        Attachment("key", str(found.signing_keys.current)),
        Attachment("head", found.signing_keys.sign(head.text())),
    ]
    if head.status != "finished":
        return attached
    found.transparency.log(head)
    sizes = found.transparency.proving_sizes(head.game)
    attached += [
        Attachment("inclusion", found.transparency.inclusion_proof(head.game, size)) for size in sizes
    ]
    if kept is not None and kept != sizes[-1]:
        old, new = sorted((kept, sizes[-1]))
        attached.append(Attachment("consistency", found.transparency.consistency_proof(old, new)))
    return attached


@blueprint.get("/<string:game>/validations")
@Operation(GUESTS, "ValidationsAnswer")
def list_validations(game: str) -> Response:
    """Show what the validator found, newest first; `pending` until a finished game has been validated.

    `receipts` are the signed notes of audits, one for each version of the rules and of the engine.
    """
    found = services().validations
    return json_response(
        {
            "game": game,
            "validation": found.verdict(game),
            "reports": found.reports(game),
            "receipts": services().receipts.of(game),
        }
    )
