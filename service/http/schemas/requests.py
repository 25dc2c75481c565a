"""The shapes of the other request bodies and of query parameters."""

import re
from datetime import datetime
from typing import Any

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from events.bots import BOTS
from events.rules.card_names import LANGUAGES
from service.admission import LONGEST_DELAY, PUBLIC_GAME, VISIBILITIES
from service.http.cursors import PATTERN
from service.read_models import MOST_LISTED

LONGEST_VALUE = 100


class Pattern(validate.Regexp):
    """A pattern that the whole value has to fit: `$` alone would let a line feed follow."""

    def __call__(self, value: Any) -> Any:
        """The value, where it fits."""
        if re.fullmatch(str(self.regex.pattern), value) is None:
            raise ma.ValidationError(self._format_error(value))
        return value


_BOTS = ", ".join(BOTS)
_NAME = validate.Length(min=1, max=40)
_SEED = Pattern(r"^[\x21-\x7e]{0,128}$", error="A seed is at most 128 printable ASCII characters.")


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
    bot = fields.String(
        load_default="", validate=validate.OneOf(["", *BOTS], error=f"Must be one of: {_BOTS}.")
    )
    seed = fields.String(load_default="", validate=_SEED)

    @validates_schema
    def bot_where_kind_is_bot(self, data: dict[str, Any], **_others: Any) -> None:
        """Require the bot's name for a bot and refuse it for a person."""
        if data.get("kind") == "bot" and not data.get("bot"):
            raise ma.ValidationError(f"Say which bot plays this seat: {_BOTS}.", "bot")
        if data.get("bot") and data.get("kind") != "bot":
            raise ma.ValidationError(
                'A person\'s seat has no bot: add "kind": "bot", or leave "bot" out.', "kind"
            )


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


class Limit(fields.Integer):
    """How many entries a page has at most: more than there may be is as many as may be, and 0 the usual number."""

    def __init__(self, usual: int, most: int) -> None:
        """`usual` where none is asked for, never more than `most`."""
        super().__init__(load_default=usual, validate=validate.Range(min=0))
        self.usual = usual
        self.most = most

    def deserialize(self, value: Any, *others: Any, **more: Any) -> Any:
        """The number asked for, where it is within bounds."""
        return min(super().deserialize(value, *others, **more) or self.usual, self.most)


_WAIT = fields.Integer(load_default=0, validate=validate.Range(min=0, max=60))
_CURSOR = Pattern(PATTERN, error="A version, such as 41, or a cursor, such as 41-0f3c9a1e.")
_VIEWER = Pattern(r"^(public|all|seat:[0-9])$", error="One of public, all, seat:0 to seat:9.")


class StateQuery(Query):
    """Which version, seen by whom; or the newest, as soon as there is one after a version."""

    at = fields.Integer(load_default=None, validate=validate.Range(min=1, max=2**53))
    after = fields.String(load_default=None, validate=_CURSOR)
    wait = _WAIT
    viewer = fields.String(data_key="as", load_default=None, validate=_VIEWER)

    @validates_schema
    def one_version_or_the_newest(self, data: dict[str, Any], **_others: Any) -> None:
        """Refuse what asks for a version that has been and waits for one to come."""
        if data.get("at") is not None and (data.get("after") is not None or data.get("wait")):
            raise ma.ValidationError("A version that has been is not waited for.", "at")


class LegalCommandsQuery(Query):
    """The newest commands, as soon as there is a version after this one."""

    after = fields.String(load_default=None, validate=_CURSOR)
    wait = _WAIT


class CommandQuery(Query):
    """Whether only to try, whether an array counts wholly or not at all, and in which language to tell of it."""

    dry_run = fields.Boolean(load_default=False, truthy={"true"}, falsy={"false"})
    atomic = fields.Boolean(load_default=False, truthy={"true"}, falsy={"false"})
    text = fields.String(load_default=None, validate=validate.OneOf(LANGUAGES))


class EventsQuery(Query):
    """Which events, seen by whom, told in which language, how long to wait for new ones, how a stream begins."""

    after = fields.String(load_default=None, validate=_CURSOR)
    limit = Limit(500, 1000)
    wait = _WAIT
    viewer = fields.String(data_key="as", load_default=None, validate=_VIEWER)
    view = fields.Boolean(load_default=None, truthy={"true"}, falsy={"false"})
    ticket = fields.String(load_default=None, validate=validate.Length(min=1, max=100))
    text = fields.String(load_default=None, validate=validate.OneOf(LANGUAGES))


class ViewerQuery(Query):
    """Seen by whom."""

    viewer = fields.String(data_key="as", load_default=None, validate=_VIEWER)


_SIZE = validate.Range(min=0, max=2**53)


class RecordQuery(ViewerQuery):
    """Seen by whom, with the answer to which kept checkpoint (the log's size in it), and whether with annotations."""

    checkpoint = fields.Integer(load_default=None, validate=_SIZE)
    annotations = fields.Boolean(load_default=False, truthy={"true"}, falsy={"false"})


class SizeQuery(Query):
    """The log at which size; without it as it stands."""

    size = fields.Integer(load_default=None, validate=_SIZE)


class EntriesQuery(Query):
    """Which entries of the log."""

    first = fields.Integer(data_key="from", load_default=0, validate=_SIZE)
    limit = Limit(500, 1000)


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


class Moment(fields.Field[int]):
    """A time as milliseconds since the epoch or as RFC 3339 writes it, with its offset; loads as milliseconds."""

    def __init__(self) -> None:
        """None where it is not given."""
        super().__init__(load_default=None, metadata={"type": "string", "maxLength": 40})

    def _deserialize(self, value: Any, *_others: Any, **_more: Any) -> int:
        text = str(value)
        try:
            if re.fullmatch(r"[0-9]{1,15}", text):
                return int(text)
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is not None:
                return int(moment.timestamp() * 1000)
        except (ValueError, OverflowError):
            pass
        raise ma.ValidationError("A time is milliseconds since the epoch, or such as 2026-11-21T08:30:00Z.")


class GamesQuery(Query):
    """Which games to list: all of what is asked for at once. Times count from `created_after` to before the other."""

    system = fields.String(load_default=None, validate=validate.Length(max=60))
    status = fields.String(load_default=None, validate=validate.OneOf(["open", "running", "finished"]))
    player = fields.String(load_default=None, validate=_NAME)
    validation = fields.String(load_default=None, validate=validate.OneOf(["pending", "valid", "invalid"]))
    quarantined = fields.Boolean(load_default=None, truthy={"true"}, falsy={"false"})
    created_after = Moment()
    created_before = Moment()
    limit = Limit(50, MOST_LISTED)
    cursor = fields.String(load_default=None, validate=validate.Length(max=200))


class ExportQuery(Query):
    """Which finished games to export, from which place on, and how many at most; without `limit` all."""

    system = fields.String(load_default=None, validate=validate.Length(max=60))
    finished_after = Moment()
    finished_before = Moment()
    after = fields.String(load_default=None, validate=validate.Length(max=2000))
    limit = fields.Integer(load_default=None, validate=validate.Range(min=1))


class NoQuery(Query):
    """No query parameters."""
