"""The shapes of annotations: what may be written, of each kind, and what is answered."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate

from replay.annotations import content as c
from replay.annotations.entries import SET
from replay.annotations.glyphs import MOVES, OBSERVATIONS, POSITIONS
from replay.annotations.marks import COLOURS, PATTERN
from service.http.schemas.answers import Answer
from service.http.schemas.meaning import means
from service.http.schemas.requests import Flag, Limit, Query

MOST_LISTED: Final = 500
_SET_ID = validate.Regexp(rf"^{SET}$", error="The id of a set has 20 letters and digits.")
_VERSION = validate.Range(min=1, max=2**53)
_NUMBER = validate.Range(min=1, max=2**31)
_PLACE = validate.Regexp(PATTERN, error="A place on the table, such as seat:1, field:1:0 or hand:1:12.")
_COLOUR = validate.OneOf(COLOURS)


def _many(inner: fields.Field[Any], name: str, description: str) -> fields.List[Any]:
    longest = validate.Length(max=c.MOST[name])
    return fields.List(inner, validate=longest, metadata={"description": description})


class PositionRequest(ma.Schema):
    """Who stands how; `slightly_better`, `better` and `winning` name the seats."""

    glyph = fields.String(
        required=True, validate=validate.OneOf(list(POSITIONS)), metadata=means("How they stand.")
    )
    seats = fields.List(
        fields.Integer(strict=True, validate=validate.Range(min=0, max=9)),
        validate=validate.Length(max=c.MOST_SEATS),
        metadata=means("Of whom the glyph speaks."),
    )


class MarkRequest(ma.Schema):
    """A mark on a card, a field, a seat or a pile."""

    on = fields.String(
        required=True,
        validate=_PLACE,
        metadata=means("A place on the table, such as `field:0:1` or `seat:1`."),
    )
    colour = fields.String(validate=_COLOUR, metadata=means("Its colour."))


class ArrowRequest(ma.Schema):
    """An arrow from one place to another."""

    start = fields.String(
        required=True,
        validate=_PLACE,
        metadata=means("The place where it begins, such as `hand:1:12`."),
    )
    end = fields.String(required=True, validate=_PLACE, metadata=means("The place where it points."))
    colour = fields.String(validate=_COLOUR, metadata=means("Its colour."))


class ReferenceRequest(ma.Schema):
    """A note or reply of some set."""

    set = fields.String(required=True, validate=_SET_ID, metadata=means("The id of the set."))
    number = fields.Integer(
        required=True, strict=True, validate=_NUMBER, metadata=means("The number in that set.")
    )


class _Saying(ma.Schema):
    comment = fields.String(
        validate=validate.Length(max=c.LONGEST_COMMENT), metadata=means("Text in Markdown.")
    )
    move = fields.String(
        validate=validate.OneOf(list(MOVES)),
        metadata=means("A glyph for the move that led to the version."),
    )
    position = fields.Nested(PositionRequest, metadata=means("Who stands how at the version."))
    observations = _many(
        fields.String(validate=validate.OneOf(list(OBSERVATIONS))),
        "observations",
        description="What the move is an instance of, such as `missed_deal`.",
    )
    marks = _many(fields.Nested(MarkRequest), "marks", description="What is marked on the table.")
    arrows = _many(fields.Nested(ArrowRequest), "arrows", description="Arrows between places on the table.")
    tags = _many(
        fields.String(validate=validate.Length(min=1, max=c.LONGEST_TAG)),
        "tags",
        description="Words to find it by.",
    )
    variations = _many(
        fields.String(
            validate=[
                validate.Length(max=c.LONGEST_VARIATION),
                validate.Regexp(f"^{c.VARIATION}$", error="This is no token of a branch."),
            ]
        ),
        "variations",
        description="Other ways to play on: tokens of branches of this game.",
    )


class NoteAnnotation(_Saying):
    """Something said about a version of the game; without `set` it begins a new one."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf([c.NOTE]),
        metadata=means("Says which kind of annotation this is."),
    )
    set = fields.String(
        validate=_SET_ID,
        metadata=means("The id of a set of yours to go on with; without it the note begins a new one."),
    )
    version = fields.Integer(
        required=True,
        strict=True,
        validate=_VERSION,
        metadata=means("The version of the game that it is about."),
    )


class ReplyAnnotation(_Saying):
    """Something said about a note or a reply; without `set` it begins a new one."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf([c.REPLY]),
        metadata=means("Says which kind of annotation this is."),
    )
    set = fields.String(
        validate=_SET_ID,
        metadata=means("The id of a set of yours to go on with; without it the reply begins a new one."),
    )
    to = fields.Nested(ReferenceRequest, required=True, metadata=means("What it replies to."))


class EditAnnotation(_Saying):
    """What a note or reply of your set says from now on: all of it."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf([c.EDIT]),
        metadata=means("Says which kind of annotation this is."),
    )
    set = fields.String(required=True, validate=_SET_ID, metadata=means("The id of a set of yours."))
    of = fields.Integer(
        required=True,
        strict=True,
        validate=_NUMBER,
        metadata=means("The number of the note or reply in your set."),
    )


class WithdrawalAnnotation(ma.Schema):
    """A note or reply of your set is taken back; it can still be read in the set's history."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf([c.WITHDRAWAL]),
        metadata=means("Says which kind of annotation this is."),
    )
    set = fields.String(required=True, validate=_SET_ID, metadata=means("The id of a set of yours."))
    of = fields.Integer(
        required=True,
        strict=True,
        validate=_NUMBER,
        metadata=means("The number of the note or reply in your set."),
    )
    reason = fields.String(
        validate=validate.Length(max=c.LONGEST_COMMENT), metadata=means("Text in Markdown.")
    )


class PublicationAnnotation(ma.Schema):
    """Your set as it is so far is there for all who may see the game."""

    kind = fields.String(
        required=True,
        validate=validate.OneOf([c.PUBLICATION]),
        metadata=means("Says which kind of annotation this is."),
    )
    set = fields.String(required=True, validate=_SET_ID, metadata=means("The id of a set of yours."))
    title = fields.String(
        validate=validate.Length(max=c.LONGEST_TITLE), metadata=means("A title for the set.")
    )


KINDS: Final[dict[str, type[ma.Schema]]] = {
    c.NOTE: NoteAnnotation,
    c.REPLY: ReplyAnnotation,
    c.EDIT: EditAnnotation,
    c.WITHDRAWAL: WithdrawalAnnotation,
    c.PUBLICATION: PublicationAnnotation,
}
"""The schema of each kind."""


def load_annotation(body: Any) -> dict[str, Any]:
    """An annotation from a JSON value.

    Raises:
        marshmallow.ValidationError: it is none; the messages name each member that is wrong.
    """
    if not isinstance(body, dict):
        raise ma.ValidationError({"_schema": ["An annotation is a JSON object with a kind."]})
    kind = body.get("kind")
    if not isinstance(kind, str) or kind not in KINDS:
        raise ma.ValidationError({"kind": [f"An annotation's kind is one of: {', '.join(KINDS)}."]})
    loaded: dict[str, Any] = KINDS[kind]().load(body)
    return loaded


class AnnotationsQuery(Query):
    """Which annotations: about a version, of an author, of a set; whether with all that was edited or withdrawn."""

    version = fields.Integer(
        load_default=None,
        validate=_VERSION,
        metadata=means("Only what is said about this version."),
    )
    author = fields.String(
        load_default=None,
        validate=validate.Length(min=1, max=64),
        metadata=means("Only what this author says: a seat such as `seat:1`, or the id of a key."),
    )
    set = fields.String(
        load_default=None, validate=_SET_ID, metadata=means("Only the annotations of this set.")
    )
    history = Flag("`true`: with everything that was edited or withdrawn.")
    after = fields.String(
        load_default=None,
        validate=validate.Regexp(
            rf"^[0-9]{{1,15}}\.[0-9]{{1,15}}\.{SET}\.[0-9]{{1,9}}$", error="The `next` of an earlier page."
        ),
        metadata=means("Where to go on: the `next` of an earlier page. Without it the list begins."),
    )
    limit = Limit(100, MOST_LISTED)


class AnnotationSetAnswer(Answer):
    """A set as the caller sees it: `published` is the number of the entry up to which others see it."""

    set = fields.String(required=True)
    title = fields.String(required=True)
    author = fields.Dict(required=True)
    owner = fields.String(required=True)
    entries = fields.Integer(required=True)
    hash = fields.String(required=True)
    published = fields.Integer(required=True)
    taken_over = fields.Boolean(required=True)


class StandingAnswer(Answer):
    """A note or reply as it stands, with the members that say something."""

    set = fields.String(required=True)
    number = fields.Integer(required=True)
    hash = fields.String(required=True)
    kind = fields.String(required=True)
    version = fields.Integer(required=True)
    moment = fields.Dict(required=True)
    author = fields.Dict(required=True)
    at = fields.Integer(required=True)
    edited = fields.Integer(required=True, allow_none=True)
    withdrawn = fields.Integer(required=True, allow_none=True)
    says = fields.Dict(required=True)
    history = fields.List(fields.Dict())


class AnnotationsAnswer(Answer):
    """A page of annotations by version, and all sets that the caller sees; `next` goes on, or is null."""

    game = fields.String(required=True)
    sets = fields.List(fields.Nested(AnnotationSetAnswer), required=True)
    annotations = fields.List(fields.Nested(StandingAnswer), required=True)
    next = fields.String(required=True, allow_none=True)


class WrittenAnswer(Answer):
    """Where an entry stands: set, number, and the hash after it."""

    game = fields.String(required=True)
    set = fields.String(required=True)
    number = fields.Integer(required=True)
    hash = fields.String(required=True)


class TakenOverAnswer(Answer):
    """Which sets were taken over from a file, and how many entries of each were new."""

    game = fields.String(required=True)
    sets = fields.List(fields.Dict(), required=True)
