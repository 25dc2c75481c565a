"""Annotations: what stands, as pages or as a file; one entry more; a file taken over."""

from collections.abc import Iterable
from contextlib import nullcontext
from http import HTTPStatus
from io import BytesIO
from typing import Any, Final

import marshmallow as ma
from flask import Response, request

from replay.annotations import content as c
from replay.annotations.book import AnnotationBook
from replay.annotations.content import AnnotationRefused
from replay.annotations.entries import AnnotationBroken, AnnotationEntry, Moment, check_author
from replay.annotations.files import LARGEST_FILE, NAME, Binding, FileBroken, read_file, write_file
from replay.annotations.moments import Unbound, check_binding, check_moment
from replay.annotations.permissions import may_write, visible
from replay.annotations.sets import AnnotationSet
from service.annotations.annotations import Kept, SetChanged, SetOwner, Wish
from service.http.context.annotators import Writer, reader_of
from service.http.context.callers import Viewpoint
from service.http.context.identity import expected_version, fingerprint, request_id
from service.http.context.limits import callers
from service.http.context.services import services
from service.http.context.turns import LONG, turns
from service.http.contract.access import ANNOTATORS, VIEWERS
from service.http.contract.headers import ENTITY_TAG, FILE, LINK
from service.http.contract.operation import SAME_GAME, Link, Operation, Resource, next_page
from service.http.contract.problems import APPENDING, LISTED, LONG_WORK, VERSION, of
from service.http.contract.request_headers import IF_MATCH_SET, KEY
from service.http.messages.bodies import json_response
from service.http.messages.links import link_pages
from service.http.messages.problems import Problem
from service.http.messages.reading import json_body, save_body, schema_violation
from service.http.resources.game.annotation_forms import (
    describe_note,
    describe_set,
    draw_note,
    read_cursor,
    take_drawable,
    write_cursor,
)
from service.http.schemas.annotations import AnnotationsQuery, load_annotation
from service.platform.clock import now_milliseconds

blueprint = Resource("annotations", __name__, url_prefix="/v1/games", description="Annotations")
JSON, NDJSON = "application/json", "application/x-ndjson"
_A_FILE: Final = f"A file of the format {NAME}, see docs/annotation-format.md."
_WRITING: Final = APPENDING | of(
    422, "annotations_full", "bad_annotation", "empty_annotation", "no_such_seat"
)
"""Where something is said about a game."""
_STATUS: Final = {"annotations_forked": HTTPStatus.CONFLICT, "not_your_set": HTTPStatus.FORBIDDEN}
"""Refusals that are no 422."""


@blueprint.get("/<string:game>/annotations")
@Operation(
    VIEWERS,
    "AnnotationsAnswer",
    LISTED | LONG_WORK,
    gives=(LINK, FILE),
    forms={NDJSON: _A_FILE},
    links=next_page("list_annotations", "after", **SAME_GAME),
)
@blueprint.arguments(AnnotationsQuery, location="query")
def list_annotations(query: dict[str, Any], game: str, seen: Viewpoint) -> Response:
    """Show the annotations that the caller may see, by version; as NDJSON the whole sets, to be kept.

    Until the game has finished that is nothing for everybody but arbiters.
    """
    kept = _find_kept(seen)
    is_long = query["text"] is not None or sum(each.number for each in kept.book.sets) > LONG
    with turns.at_long_work(callers()) if is_long else nullcontext():
        return _list(game, query, seen, kept)


def _list(game: str, query: dict[str, Any], seen: Viewpoint, kept: Kept) -> Response:
    accepted = request.accept_mimetypes.best_match((JSON, NDJSON), JSON)
    shown = _show(seen, kept)
    owners = {each.id: kept.owners[each.id] for each in shown.sets}
    chosen = [
        each
        for each in shown.sets
        if query["set"] in (None, each.id) and query["author"] in (None, owners[each.id])
    ]
    if accepted == NDJSON:
        return _file(seen, chosen)
    notes = [
        note
        for note in AnnotationBook.of(game, _entries(chosen)).standing
        if query["version"] in (None, note.first.moment.version)
        and (query["history"] or note.withdrawn is None)
        and note.place > read_cursor(query["after"])
    ]
    page = notes[: query["limit"]] if query["text"] is None else take_drawable(notes[: query["limit"]])
    following = write_cursor(page[-1]) if len(notes) > len(page) else None
    answer = {
        "game": game,
        "sets": [describe_set(each, owners[each.id]) for each in chosen],
        "writes_as": _writes_as(seen),
        "annotations": [
            describe_note(note, shown, history=query["history"]) | draw_note(seen, note, query["text"])
            for note in page
        ],
        "next": following,
    }
    return json_response(answer, headers=link_pages("after", following))


@blueprint.post("/<string:game>/annotations")
@Operation(
    ANNOTATORS,
    "WrittenAnswer",
    _WRITING
    | VERSION
    | of(422, "no_such_annotation", "annotation_withdrawn", "no_such_set", "nothing_to_publish"),
    status=201,
    takes=(KEY, IF_MATCH_SET),
    gives=(ENTITY_TAG,),
    body={JSON: {"$ref": "#/components/schemas/Annotation"}},
    links={"look": Link("list_annotations", SAME_GAME, "What stands, with what was written.")},
)
def annotate(game: str, writer: Writer) -> Response:
    """Write a note, a reply, an edit, a withdrawal or a publication; a set is a draft until it is published."""
    seen, owner, author = writer.seen, writer.owner, writer.author
    body = json_body()
    try:
        wanted = load_annotation(body)
    except ma.ValidationError as error:
        raise schema_violation(error.messages) from error
    kind, name = wanted.pop("kind"), wanted.pop("set", None)
    try:
        wish = Wish(
            game=game,
            set=name,
            owner=owner,
            author=author,
            kind=kind,
            moment=_moment(seen, owner, kind, name, wanted),
            data=wanted,
            at=now_milliseconds(),
            request=request_id(),
            fingerprint=fingerprint(body),
            seats=len(seen.table.state.seats),
            expected=expected_version(),
            role=writer.role,
        )
        written, known = services().annotations.write(wish)
    except AnnotationRefused as refused:
        raise from_refusal(refused) from refused
    except SetChanged as changed:
        raise _stale(changed) from changed
    answer = {"game": game, "set": written.set, "number": written.number, "hash": written.hash}
    return json_response(answer, 201, {"ETag": _tag(written.number, written.hash)}, is_known=known)


@blueprint.post("/<string:game>/annotations/imports")
@Operation(
    ANNOTATORS,
    "TakenOverAnswer",
    _WRITING
    | of(403, "not_your_set")
    | of(409, "annotations_forked")
    | of(422, "another_game", "annotations_broken"),
    body={NDJSON: {"type": "string", "description": _A_FILE}},
    links={"look": Link("list_annotations", SAME_GAME, "What stands, with what was taken over.")},
)
def import_annotations(game: str, writer: Writer) -> Response:
    """Take sets over from a file of annotations, as they are; sent again it changes nothing.

    Each set is taken over whole or not at all. It is the caller's from then on, whoever its author is said to be.
    """
    seen = writer.seen
    binding, book = _read_upload()
    table = seen.table
    try:
        check_binding(binding, Binding(game, _hash_at(seen, 1)))
        hashes = {
            version: _hash_at(seen, version)
            for version in {entry.moment.version for entry in book.entries}
            if version <= table.version
        }
        for entry in book.entries:
            check_moment(entry, hashes)
        for each in book.sets:
            check_author(each.author)
    except AnnotationBroken as broken:
        raise Problem(422, "annotations_broken", f"Nothing was taken over: {broken}.") from broken
    except Unbound as unbound:
        raise Problem(422, "another_game", f"Nothing was taken over: {unbound}.") from unbound
    taken, owning = [], SetOwner(writer.owner, writer.role)
    try:
        for each in book.sets:
            added = services().annotations.take_over(game, owning, each)
            taken.append({"set": each.id, "added": added, "entries": each.number})
    except AnnotationRefused as refused:
        raise from_refusal(refused) from refused
    except SetChanged as changed:
        raise _stale(changed) from changed
    return json_response({"game": game, "sets": taken})


def _find_kept(seen: Viewpoint) -> Kept:
    """What is kept about a game, for whoever may see any of it."""
    game = seen.table.game
    if not _is_over(seen) and not reader_of(seen.caller).arbitrates:
        # Not even looked at, so that nothing can be told from how long it takes.
        return Kept(AnnotationBook(game), {}, {})
    return services().annotations.of(game)


def _show(seen: Viewpoint, kept: Kept) -> AnnotationBook:
    """What a viewpoint shows of it."""
    return visible(kept.book, kept.owners, reader_of(seen.caller), is_over=_is_over(seen))


def _is_over(seen: Viewpoint) -> bool:
    return seen.table.state.status == "finished"


def _writes_as(seen: Viewpoint) -> str | None:
    """As the owner of what the caller would write now."""
    reader = reader_of(seen.caller)
    return reader.holder if may_write(reader, is_over=_is_over(seen)) else None


def list_published(seen: Viewpoint) -> AnnotationBook:
    """The published sets that a viewpoint shows."""
    shown = _show(seen, _find_kept(seen)).sets
    return AnnotationBook.of(
        seen.table.game, (entry for each in shown for entry in each.entries[: each.published])
    )


def list_published_lines(seen: Viewpoint) -> list[bytes]:
    """The same as the lines that a record carries."""
    return [entry.line for each in list_published(seen).sets for entry in each.entries]


def from_refusal(refused: AnnotationRefused) -> Problem:
    """The problem that says why nothing was written."""
    return Problem(_STATUS.get(refused.code, HTTPStatus.UNPROCESSABLE_ENTITY), refused.code, refused.detail)


def _moment(seen: Viewpoint, owner: str, kind: str, name: str | None, wanted: dict[str, Any]) -> Moment:
    """The moment that an entry is bound to; what a reply is about is named in full.

    Raises:
        AnnotationRefused: there is nothing to be about.
        Problem: 404 for a version that the game does not have.
    """
    if kind == c.NOTE:
        version = wanted.pop("version")
        if version > seen.table.version:
            detail = f"The game is at version {seen.table.version}; {version} is yet to come."
            raise Problem(404, "no_such_version", detail)
        return Moment(version, _hash_at(seen, version))
    if kind == c.PUBLICATION:
        return Moment(seen.table.version, seen.table.hash)
    if kind == c.REPLY:
        shown = _show(seen, _find_kept(seen))
        found = shown.find(wanted["to"]["set"])
        is_own = name == wanted["to"]["set"]
        reach = 0 if found is None else found.number if is_own else found.published
        begun = found.begins(wanted["to"]["number"]) if found is not None else None
        if begun is None or begun.first.number > reach:
            raise AnnotationRefused(
                "no_such_annotation", "There is no note with this set and number that you may see."
            )
        wanted["to"]["hash"] = begun.first.hash
        return begun.first.moment
    kept = services().annotations.of(seen.table.game)
    begun = kept.own(name or "", owner).begins(wanted["of"])
    if begun is None:
        raise AnnotationRefused(
            "no_such_annotation", f"Entry {wanted['of']} of this set is no note and no reply."
        )
    return begun.first.moment


def _entries(chosen: Iterable[AnnotationSet]) -> list[AnnotationEntry]:
    return [entry for each in chosen for entry in each.entries]


def _hash_at(seen: Viewpoint, version: int) -> str:
    if version == seen.table.version:
        return seen.table.hash
    return services().store.read(seen.table.game, version - 1, 1)[0].hash


def _read_upload() -> tuple[Binding, AnnotationBook]:
    """The file that is sent.

    Raises:
        Problem: 413, 415, or 422 where it does not hold together.
    """
    if request.mimetype != NDJSON:
        raise Problem(415, "unsupported_media_type", f"Send the file with Content-Type: {NDJSON}.")
    received = BytesIO()
    save_body(received, LARGEST_FILE, "A file of annotations")
    try:
        return read_file(received)
    except FileBroken as broken:
        raise Problem(
            422, "annotations_broken", f"This is no whole file of annotations: {broken}."
        ) from broken


def _file(seen: Viewpoint, chosen: Iterable[AnnotationSet]) -> Response:
    table = seen.table
    book = AnnotationBook.of(table.game, _entries(chosen))
    lines = b"".join(write_file(Binding(table.game, _hash_at(seen, 1)), book))
    response = Response(lines, content_type=NDJSON)
    response.headers["Content-Disposition"] = f'attachment; filename="{table.game}.annotations.ndjson"'
    return response


def _tag(number: int, chain_hash: str) -> str:
    return f'"{number}-{chain_hash[:8]}"'


def _stale(changed: SetChanged) -> Problem:
    return Problem(
        412,
        "set_changed",
        f"The set is at its entry {changed.number} by now; look at it and decide again.",
        headers={"ETag": _tag(changed.number, changed.hash)},
        number=changed.number,
        hash=changed.hash,
    )
