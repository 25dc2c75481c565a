"""The shapes of annotations: what may be written, of each kind, and what is answered."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate

from events.rules.catalogues.card_names import LANGUAGES
from replay.annotations import content as c
from replay.annotations.entries import SET
from replay.annotations.glyphs import MOVES, OBSERVATIONS, POSITIONS
from replay.annotations.marks import COLOURS, PATTERN
from service.http.schemas.members import (
    LEFT_OUT,
    SEAT,
    VERSION,
    Flag,
    Limit,
    Many,
    Number,
    Part,
    Pattern,
    Query,
    Text,
)
from service.http.schemas.shapes import OBJECT, PAGE, Schema, describe_answer, list_of, refer

MOST_LISTED: Final = 500
_SET_ID = Pattern(rf"^{SET}$", error="The id of a set has 20 letters and digits.")
_NUMBER = validate.Range(min=1, max=2**31)
_PLACE = Pattern(PATTERN, error="A place on the table, such as seat:1, field:1:0 or hand:1:12.")
_COLOUR = Text("Its colour.", validate.OneOf(COLOURS), default=LEFT_OUT)
_MARKDOWN = Text("Text in Markdown.", validate.Length(max=c.LONGEST_COMMENT), default=LEFT_OUT)
_OWN_SET = Text("The id of a set of yours.", _SET_ID)
_OF = Number("The number of the note or reply in your set.", _NUMBER)


def _some(meaning: str, each: fields.Field[Any], most: int) -> Many:
    return Many(meaning, each, validate.Length(max=most), default=LEFT_OUT)


class PositionRequest(ma.Schema):
    """Who stands how; `slightly_better`, `better` and `winning` name the seats."""

    glyph = Text("How they stand.", validate.OneOf(list(POSITIONS)))
    seats = _some("Of whom the glyph speaks.", fields.Integer(strict=True, validate=SEAT), c.MOST_SEATS)


class MarkRequest(ma.Schema):
    """A mark on a card, a field, a seat or a pile."""

    on = Text("A place on the table, such as `field:0:1` or `seat:1`.", _PLACE)
    colour = _COLOUR


class ArrowRequest(ma.Schema):
    """An arrow from one place to another."""

    start = Text("The place where it begins, such as `hand:1:12`.", _PLACE)
    end = Text("The place where it points.", _PLACE)
    colour = _COLOUR


class ReferenceRequest(ma.Schema):
    """A note or reply of some set."""

    set = Text("The id of the set.", _SET_ID)
    number = Number("The number in that set.", _NUMBER)


class _Saying(ma.Schema):
    comment = _MARKDOWN
    move = Text(
        "A glyph for the move that led to the version.", validate.OneOf(list(MOVES)), default=LEFT_OUT
    )
    position = Part("Who stands how at the version.", PositionRequest, default=LEFT_OUT)
    observations = _some(
        "What the move is an instance of, such as `missed_deal`.",
        fields.String(validate=validate.OneOf(list(OBSERVATIONS))),
        c.MOST["observations"],
    )
    marks = _some("What is marked on the table.", fields.Nested(MarkRequest), c.MOST["marks"])
    arrows = _some("Arrows between places on the table.", fields.Nested(ArrowRequest), c.MOST["arrows"])
    tags = _some(
        "Words to find it by.",
        fields.String(validate=validate.Length(min=1, max=c.LONGEST_TAG)),
        c.MOST["tags"],
    )
    variations = _some(
        "Other ways to play on: tokens of branches of this game.",
        fields.String(
            validate=[
                validate.Length(max=c.LONGEST_VARIATION),
                Pattern(f"^{c.VARIATION}$", error="This is no token of a branch."),
            ]
        ),
        c.MOST["variations"],
    )


def _kind(name: str) -> Text:
    return Text("Says which kind of annotation this is.", validate.OneOf([name]))


class NoteAnnotation(_Saying):
    """Something said about a version of the game; without `set` it begins a new one."""

    kind = _kind(c.NOTE)
    set = Text(
        "The id of a set of yours to go on with; without it the note begins a new one.",
        _SET_ID,
        default=LEFT_OUT,
    )
    version = Number("The version of the game that it is about.", VERSION)


class ReplyAnnotation(_Saying):
    """Something said about a note or a reply; without `set` it begins a new one."""

    kind = _kind(c.REPLY)
    set = Text(
        "The id of a set of yours to go on with; without it the reply begins a new one.",
        _SET_ID,
        default=LEFT_OUT,
    )
    to = Part("What it replies to.", ReferenceRequest)


class EditAnnotation(_Saying):
    """What a note or reply of your set says from now on: all of it."""

    kind = _kind(c.EDIT)
    set = _OWN_SET
    of = _OF


class WithdrawalAnnotation(ma.Schema):
    """A note or reply of your set is taken back; it can still be read in the set's history."""

    kind = _kind(c.WITHDRAWAL)
    set = _OWN_SET
    of = _OF
    reason = _MARKDOWN


class PublicationAnnotation(ma.Schema):
    """Your set as it is so far is there for all who may see the game."""

    kind = _kind(c.PUBLICATION)
    set = _OWN_SET
    title = Text("A title for the set.", validate.Length(max=c.LONGEST_TITLE), default=LEFT_OUT)


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

    version = Number("Only what is said about this version.", VERSION, default=None)
    author = Text(
        "Only what this author says: a seat such as `seat:1`, or the id of a key.",
        validate.Length(min=1, max=64),
        default=None,
    )
    set = Text("Only the annotations of this set.", _SET_ID, default=None)
    history = Flag("`true`: with everything that was edited or withdrawn.")
    text = Text(
        "A language: each annotation then is `shown` as a page draws it; a page may have fewer.",
        validate.OneOf(LANGUAGES),
        default=None,
    )
    after = Text(
        "Where to go on: the `next` of an earlier page. Without it the list begins.",
        Pattern(
            rf"^[0-9]{{1,15}}\.[0-9]{{1,15}}\.{SET}\.[0-9]{{1,9}}$", error="The `next` of an earlier page."
        ),
        default=None,
    )
    limit = Limit(100, MOST_LISTED)


ANSWERS: Final[dict[str, Schema]] = {
    # A set as the caller sees it: `published` is the number of the entry up to which others see it.
    "AnnotationSetAnswer": describe_answer(
        set=str, title=str, author=OBJECT, owner=str, entries=int, hash=str, published=int, taken_over=bool
    ),
    # A note or reply as it stands, with the members that say something.
    "StandingAnswer": describe_answer(
        {"history": list_of(OBJECT), "shown": OBJECT},
        set=str,
        number=int,
        hash=str,
        kind=str,
        version=int,
        moment=OBJECT,
        author=OBJECT,
        at=int,
        edited=int | None,
        withdrawn=int | None,
        says=OBJECT,
    ),
    # A page of annotations by version, and all sets that the caller sees; as whose `owner` they would write now.
    "AnnotationsAnswer": describe_answer(
        game=str,
        writes_as=str | None,
        sets=list_of(refer("AnnotationSetAnswer")),
        annotations=list_of(refer("StandingAnswer")),
        **PAGE,
    ),
    # Where an entry stands: set, number, and the hash after it.
    "WrittenAnswer": describe_answer(game=str, set=str, number=int, hash=str),
    # Which sets were taken over from a file, and how many entries of each were new.
    "TakenOverAnswer": describe_answer(game=str, sets=list_of(OBJECT)),
}
