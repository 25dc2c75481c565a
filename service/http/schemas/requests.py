"""The shapes of the other request bodies and of query parameters."""

import re
from datetime import datetime
from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from events.bots import BOTS
from events.rules.catalogues.card_names import LANGUAGES
from service.access.game_access import LONGEST_DELAY, PUBLIC_GAME, VISIBILITIES
from service.http.schemas.members import (
    CURSOR,
    SEAT,
    SIZE,
    VERSION,
    Flag,
    Limit,
    Many,
    Number,
    Pattern,
    Query,
    Text,
)
from service.projections.read_models import MOST_LISTED

LONGEST_VALUE = 100
RECORD_MEDIA_TYPES: Final = ("application/x-ndjson", "application/gzip")
"""How a record is sent as the body of a request."""

_BOTS = ", ".join(BOTS)
_NAME = validate.Length(min=1, max=40)
_SEED = Text(
    "This player's own share in the shuffle, up to 128 printable ASCII characters: who brings"
    " one that the service could not foresee knows that the deal was not chosen.",
    Pattern(r"^[\x21-\x7e]{0,128}$", error="A seed is at most 128 printable ASCII characters."),
    default="",
)


class OptionValue(fields.Field[str | int | bool]):
    """The value of an option: a string, an integer or a boolean."""

    def _deserialize(self, value: Any, *_others: Any, **_more: Any) -> str | int | bool:
        if isinstance(value, (str, int)) and len(str(value)) <= LONGEST_VALUE:
            return value
        raise ma.ValidationError("An option's value is a string, an integer or a boolean.")


class SeatRequest(ma.Schema):
    """A player for a seat of a new game."""

    name = Text("The player's name, as everybody sees it.", _NAME)
    kind = Text(
        "`bot` for a seat that the service plays; it then takes `bot` too.",
        validate.OneOf(["human", "bot"]),
        default="human",
    )
    bot = Text(
        "Which bot: `greedy` plays sensibly, `random` does anything legal. Only with `kind` `bot`.",
        validate.OneOf(["", *BOTS], error=f"Must be one of: {_BOTS}."),
        default="",
    )
    seed = _SEED

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

    system = Text(
        "The key of the rule system; `GET /v1/systems` lists them with the numbers of players.",
        validate.Length(max=60),
    )
    seats = Many(
        "One entry for each seat, so as many as players: a person, a bot, or null for a seat to be taken.",
        fields.Nested(SeatRequest, allow_none=True),
        validate.Length(min=1, max=10),
    )
    options = fields.Dict(
        keys=fields.String(validate=validate.Length(max=60)),
        values=OptionValue(),
        load_default=dict,
        validate=validate.Length(max=20),
        metadata={"description": "The system's options by name; those left out have their default."},
    )
    catalogue = Text(
        "The name of the catalogue to play with, one of the system's `catalogues`; without it the usual one.",
        validate.Length(min=1, max=60),
        default=None,
    )
    visibility = Text(
        "Who may watch: everybody who finds it in the list (`public`), everybody who knows its id"
        " (`unlisted`), or only whoever was given a token (`private`).",
        validate.OneOf(VISIBILITIES),
        default=PUBLIC_GAME,
    )
    spectator_delay = Number(
        "How many versions spectators are behind until the game has finished.",
        validate.Range(min=0, max=LONGEST_DELAY),
        default=0,
    )


class TakeSeatRequest(ma.Schema):
    """Take a seat: this one, or the first that is free."""

    name = Text("Your name, as everybody sees it.", _NAME)
    seat = Number("The seat that you want; without it the first that is free.", SEAT, default=None)
    seed = _SEED


_WAIT = Number(
    "Seconds for which the answer is held back while there is nothing after `after`: 60 at most.",
    validate.Range(min=0, max=60),
    default=0,
)
CURSOR_PATTERN: Final = r"^[0-9]{1,15}(-[0-9a-f]{8})?$"
_AFTER = Text(
    "The version that you know, such as `41`, or the `cursor` of an earlier answer, such as `41-0f3c9a1e`, "
    "which also tells of a history that was lost.",
    Pattern(CURSOR_PATTERN, error="A version, such as 41, or a cursor, such as 41-0f3c9a1e."),
    default=None,
)
_VIEWER = Text(
    "Through whose eyes: `public`, a seat such as `seat:0`, or `all`. Without it your own; others, and `all`, "
    "are for games that have finished, and for arbiters.",
    Pattern(r"^(public|all|seat:[0-9])$", error="One of public, all, seat:0 to seat:9."),
    default=None,
    name="as",
)
_TEXT = Text(
    "A language: each event then has a sentence `text` that tells it.",
    validate.OneOf(LANGUAGES),
    default=None,
)
_SYSTEM = Text("Only games of this rule system.", validate.Length(max=60), default=None)


class StateQuery(Query):
    """Which version, seen by whom; or the newest, as soon as there is one after a version."""

    at = Number(
        "A version that has been: the answer never changes and may be kept for ever. Without it the newest.",
        VERSION,
        default=None,
    )
    after = _AFTER
    wait = _WAIT
    viewer = _VIEWER

    @validates_schema
    def one_version_or_the_newest(self, data: dict[str, Any], **_others: Any) -> None:
        """Refuse what asks for a version that has been and waits for one to come."""
        if data.get("at") is not None and (data.get("after") is not None or data.get("wait")):
            raise ma.ValidationError("A version that has been is not waited for.", "at")


class LegalCommandsQuery(Query):
    """The newest commands, as soon as there is a version after this one."""

    after = _AFTER
    wait = _WAIT


class CommandQuery(Query):
    """Whether only to try, whether an array counts wholly or not at all, and in which language to tell of it."""

    dry_run = Flag(
        "`true`: only says what would happen. Nothing is appended, and an `Idempotency-Key` is not looked at."
    )
    atomic = Flag("`true`: all commands of the array count, or none does.")
    text = _TEXT


class EventsQuery(Query):
    """Which events, seen by whom, told in which language, how long to wait for new ones, how a stream begins."""

    after = _AFTER
    limit = Limit(500, 1000)
    wait = _WAIT
    viewer = _VIEWER
    view = Flag(
        "Whether a stream begins with the table in a frame `view`: `true` also for one that is "
        "resumed, `false` never. Without it one that is resumed does not.",
        default=None,
    )
    ticket = Text(
        "A ticket for this one stream in place of a token, for a browser's `EventSource`.",
        validate.Length(min=1, max=100),
        default=None,
    )
    text = _TEXT


class ViewerQuery(Query):
    """Seen by whom."""

    viewer = _VIEWER


class RecordQuery(ViewerQuery):
    """Seen by whom, with the answer to which kept checkpoint (the log's size in it), and whether with annotations."""

    checkpoint = Number(
        "The size of the log in a checkpoint that you keep: the record then answers it.",
        SIZE,
        default=None,
    )
    annotations = Flag("`true`: the record carries the published annotations too.")


def _log_size(name: str | None = None) -> Number:
    meaning = "The size of the log, that of your checkpoint for instance; without it the log as it stands."
    return Number(meaning, SIZE, default=None, name=name)


class SizeQuery(Query):
    """The log at which size; without it as it stands."""

    size = _log_size()


class EntriesQuery(Query):
    """Which entries of the log."""

    first = Number("The number of the first entry, counted from 0.", SIZE, default=0, name="from")
    limit = Limit(500, 1000)


class ConsistencyQuery(Query):
    """Between which sizes of the log; `to` is the log as it stands where it is left out."""

    old = Number("The size of the log that you know.", SIZE, name="from")
    new = _log_size("to")


class ReceiptQuery(Query):
    """The game at which version; without it as it stands."""

    version = Number("A version of the game; without it the game as it stands.", VERSION, default=None)


class VerificationQuery(Query):
    """Whether to ask the rules again about every command too."""

    audit = Flag("`true`: the rules are asked again about every command.")


class Moment(fields.Field[int]):
    """A time as milliseconds since the epoch or as RFC 3339 writes it, with its offset; loads as milliseconds."""

    def __init__(self, description: str) -> None:
        """None where it is not given."""
        described = f"{description} Milliseconds since the epoch, or such as `2026-11-21T08:30:00Z`."
        super().__init__(
            load_default=None, metadata={"type": "string", "maxLength": 40, "description": described}
        )

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

    system = _SYSTEM
    status = Text("Only games in this status.", validate.OneOf(["open", "running", "finished"]), default=None)
    player = Text("Only games with a player of this name.", _NAME, default=None)
    validation = Text(
        "Only games that the validator has judged so; `pending` until it has.",
        validate.OneOf(["pending", "valid", "invalid"]),
        default=None,
    )
    quarantined = Flag(
        "`true`: only games that cannot be read up to their end; `false`: only the others.", default=None
    )
    created_after = Moment("Only games created then or later.")
    created_before = Moment("Only games created before.")
    limit = Limit(50, MOST_LISTED)
    cursor = CURSOR


class ExportQuery(Query):
    """Which finished games to export, from which place on, and how many at most; without `limit` all."""

    system = _SYSTEM
    finished_after = Moment("Only games finished then or later.")
    finished_before = Moment("Only games finished before.")
    after = Text(
        "The place behind a record, from a line `after` of an earlier download.",
        validate.Length(max=2000),
        default=None,
    )
    limit = Number("How many games at most; without it all.", validate.Range(min=1), default=None)
