"""The shapes of the other request bodies and of query parameters."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from service.admission import LONGEST_DELAY, PUBLIC_GAME, VISIBILITIES
from service.bots import BOTS

LONGEST_VALUE = 100
_NAME = validate.Length(min=1, max=40)
_SEED = validate.Regexp(r"^[\x21-\x7e]{0,128}$", error="A seed is at most 128 printable ASCII characters.")


class OptionValue(fields.Field[str | int | bool]):
    """The value of an option: a string, an integer or a boolean."""

    def _deserialize(self, value: Any, *_others: Any, **_more: Any) -> str | int | bool:
        if isinstance(value, (str, int)) and len(str(value)) <= LONGEST_VALUE:
            return value
        raise ma.ValidationError("An option's value is a string, an integer or a boolean.")


class SeatRequest(ma.Schema):
    """A player for a seat of a new game."""

    name = fields.String(required=True, validate=_NAME)
    kind = fields.String(load_default="human", validate=validate.OneOf(["human", "bot"]))
    bot = fields.String(load_default="", validate=validate.OneOf(["", *BOTS]))
    seed = fields.String(load_default="", validate=_SEED)

    @validates_schema
    def bot_where_kind_is_bot(self, data: dict[str, Any], **_others: Any) -> None:
        """Require the bot's name for a bot and refuse it for a person."""
        if (data.get("kind") == "bot") != bool(data.get("bot")):
            raise ma.ValidationError("A seat of kind 'bot' names its bot; others have none.", "bot")


class NewGameRequest(ma.Schema):
    """A new game: rule system, one entry per seat (null: to be taken later), options, and a catalogue by its name.

    `visibility` says who may watch; spectators are `spectator_delay` versions behind until the game has finished.
    """

    system = fields.String(required=True, validate=validate.Length(max=60))
    seats = fields.List(
        fields.Nested(SeatRequest, allow_none=True), required=True, validate=validate.Length(min=1, max=10)
    )
    options = fields.Dict(
        keys=fields.String(validate=validate.Length(max=60)),
        values=OptionValue(),
        load_default=dict,
        validate=validate.Length(max=20),
    )
    catalogue = fields.String(load_default=None, validate=validate.Length(min=1, max=60))
    visibility = fields.String(load_default=PUBLIC_GAME, validate=validate.OneOf(VISIBILITIES))
    spectator_delay = fields.Integer(
        strict=True, load_default=0, validate=validate.Range(min=0, max=LONGEST_DELAY)
    )


class TakeSeatRequest(ma.Schema):
    """Take a seat: this one, or the first that is free."""

    name = fields.String(required=True, validate=_NAME)
    seat = fields.Integer(
        strict=True, load_default=None, allow_none=True, validate=validate.Range(min=0, max=9)
    )
    seed = fields.String(load_default="", validate=_SEED)


class Query(ma.Schema):
    """Base of query parameters: unknown ones are refused."""

    class Meta:
        """Settings of the schema."""

        unknown = ma.RAISE


_VERSION = validate.Range(min=0, max=2**53)
_VIEWER = validate.Regexp(r"^(public|all|seat:[0-9])$", error="One of public, all, seat:0 to seat:9.")


class StateQuery(Query):
    """Which version, seen by whom."""

    at = fields.Integer(load_default=None, validate=validate.Range(min=1, max=2**53))
    viewer = fields.String(data_key="as", load_default=None, validate=_VIEWER)


class CommandQuery(Query):
    """Whether only to try."""

    dry_run = fields.Boolean(load_default=False, truthy={"true"}, falsy={"false"})


class EventsQuery(Query):
    """Which events, seen by whom, and how long to wait for new ones."""

    after = fields.Integer(load_default=None, validate=_VERSION)
    limit = fields.Integer(load_default=500, validate=validate.Range(min=1))
    wait = fields.Integer(load_default=0, validate=validate.Range(min=0, max=60))
    viewer = fields.String(data_key="as", load_default=None, validate=_VIEWER)


class ViewerQuery(Query):
    """Seen by whom."""

    viewer = fields.String(data_key="as", load_default=None, validate=_VIEWER)


_SIZE = validate.Range(min=0, max=2**53)


class RecordQuery(ViewerQuery):
    """Seen by whom, and with the answer to which kept checkpoint: the size of the log that it names."""

    checkpoint = fields.Integer(load_default=None, validate=_SIZE)


class SizeQuery(Query):
    """The log at which size; without it as it stands."""

    size = fields.Integer(load_default=None, validate=_SIZE)


class EntriesQuery(Query):
    """Which entries of the log."""

    first = fields.Integer(data_key="from", load_default=0, validate=_SIZE)
    limit = fields.Integer(load_default=500, validate=validate.Range(min=1, max=1000))


class ConsistencyQuery(Query):
    """Between which sizes of the log; `to` is the log as it stands where it is left out."""

    old = fields.Integer(data_key="from", required=True, validate=_SIZE)
    new = fields.Integer(data_key="to", load_default=None, validate=_SIZE)


class ReceiptQuery(Query):
    """The game at which version; without it as it stands."""

    version = fields.Integer(load_default=None, validate=validate.Range(min=1, max=2**53))


class VerificationQuery(Query):
    """Whether to ask the rules again about every command too."""

    audit = fields.Boolean(load_default=False, truthy={"true"}, falsy={"false"})


class GamesQuery(Query):
    """Which games to list."""

    system = fields.String(load_default=None, validate=validate.Length(max=60))
    status = fields.String(load_default=None, validate=validate.OneOf(["open", "running", "finished"]))
    player = fields.String(load_default=None, validate=_NAME)
    validation = fields.String(load_default=None, validate=validate.OneOf(["pending", "valid", "invalid"]))
    limit = fields.Integer(load_default=50, validate=validate.Range(min=1))
    cursor = fields.String(load_default=None, validate=validate.Length(max=200))


class NoQuery(Query):
    """No query parameters."""
