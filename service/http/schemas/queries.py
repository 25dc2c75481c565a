"""The shapes of the parameters of queries."""

import re
from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, post_load, validate, validates_schema

from events.rules.catalogues.card_names import LANGUAGES
from replay.across.dataset.format import TABLES
from replay.across.dataset.manifest import COMPLETE, PUBLIC, choose_left_out
from replay.across.left import BY_CHOICE
from replay.commentary.messages import DEFAULT
from service.access.game_access import VISIBILITIES
from service.http.schemas.members import (
    CURSOR,
    SIZE,
    VERSION,
    Flag,
    Limit,
    Number,
    Pattern,
    Query,
    Text,
)
from service.http.schemas.new_games import NAME
from service.platform.times import parse_time
from service.projections.game_list import MOST_LISTED

MOST_EVENTS: Final = 1000
"""Events, or entries of the transparency log, on a page at most."""
RECORD_MEDIA_TYPES: Final = ("application/x-ndjson", "application/gzip")
"""How a record is sent as the body of a request."""
MOST_TABULATED: Final = 1000
"""Games whose rows one call for a table of the dataset makes at most."""
USUALLY_TABULATED: Final = 100
"""So many where nobody says how many."""
LONGEST_WAIT: Final = 60
"""Seconds for which an answer is held back at most."""
_WAIT = Number(
    f"Seconds for which the answer is held back while there is nothing after `after`: {LONGEST_WAIT} at most.",
    validate.Range(min=0, max=LONGEST_WAIT),
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


_LANGUAGE = Text("The language of its texts.", validate.OneOf(LANGUAGES), default=DEFAULT)


class LanguageQuery(Query):
    """In which language."""

    text = _LANGUAGE


class SceneQuery(Query):
    """Which version, seen by whom, in which language, and whether with what they could know."""

    at = Number("A version that has been. Without it the newest.", VERSION, default=None)
    viewer = _VIEWER
    text = _LANGUAGE
    knowledge = Flag("`true`: with what this seat, or the public, could know for certain.")


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
    limit = Limit(500, MOST_EVENTS)
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


class HistoryQuery(ViewerQuery):
    """Seen by whom, in which language."""

    text = _LANGUAGE


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


class CheckpointQuery(SizeQuery):
    """The log at which size, or the newest that a witness has co-signed; without either as it stands."""

    cosigned = Flag("`true`: the newest checkpoint that a witness has co-signed.")

    @validates_schema
    def check_choice(self, data: dict[str, Any], **_: Any) -> None:
        """Take a size or the newest one."""
        if data["cosigned"] and data["size"] is not None:
            raise ma.ValidationError("The newest one has a size of its own.", "size")


class EntriesQuery(Query):
    """Which entries of the log."""

    first = Number("The number of the first entry, counted from 0.", SIZE, default=0, name="from")
    limit = Limit(500, MOST_EVENTS)


class ConsistencyQuery(Query):
    """Between which sizes of the log; `to` is the log as it stands where it is left out."""

    old = Number("The size of the log that you know.", SIZE, name="from")
    new = _log_size("to")


class ReceiptQuery(Query):
    """The game at which version; without it as it stands."""

    version = Number("A version of the game; without it the game as it stands.", VERSION, default=None)


class VerificationQuery(Query):
    """Whether to ask the rules again about every command too, and in which language to draw the record's tables."""

    audit = Flag("`true`: the rules are asked again about every command.")
    text = Text(
        "A language: the answer then has the record's tables too, in `history`, as a game's are answered.",
        validate.OneOf(LANGUAGES),
        default=None,
    )


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
        if re.fullmatch(r"[0-9]{1,15}", text):
            return int(text)
        try:
            return parse_time(text)
        except ValueError as error:
            detail = "A time is milliseconds since the epoch, or such as 2026-11-21T08:30:00Z."
            raise ma.ValidationError(detail) from error


class GamesQuery(Query):
    """Which games to list: all of what is asked for at once. Times count from `created_after` to before the other."""

    system = _SYSTEM
    status = Text("Only games in this status.", validate.OneOf(["open", "running", "finished"]), default=None)
    player = Text("Only games with a player of this name.", NAME, default=None)
    player_id = Text(
        "Only games with this player, by the whole id; ids that were merged into one player find the same games.",
        validate.Length(max=100),
        default=None,
    )
    seats = Number("Only games of so many seats.", SIZE, default=None)
    free = Number(
        "Only open games with so many seats at least that can be taken.",
        validate.Range(min=1, max=10),
        default=None,
    )
    clock = Flag("`true`: only games with a clock; `false`: only others.", default=None)
    visibility = Text("Only games of this visibility.", validate.OneOf(VISIBILITIES), default=None)
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


_REASON: Final = f"({'|'.join(sorted(BY_CHOICE))})"
_REASONS: Final = Pattern(
    f"^{_REASON}(,{_REASON}){{0,9}}$", error=f"One or more of {', '.join(sorted(BY_CHOICE))}, with commas."
)


class DatasetQuery(Query):
    """Which table of the dataset, for whom, of which finished games, from which place on, and how many at most."""

    table = Text(
        "The table, as docs/dataset.md describes it.", validate.OneOf([table.name for table in TABLES])
    )
    audience = Text(
        "Whom it is for: `public` has nothing of games that are private or unlisted, `complete` has them.",
        validate.OneOf([PUBLIC, COMPLETE]),
        default=PUBLIC,
        name="for",
    )
    system = _SYSTEM
    month = Text(
        "Only games that ended in this month, by UTC, such as `2026-11`; `undated` for those that no clock saw.",
        Pattern(r"^([12][0-9]{3}-(0[1-9]|1[0-2])|undated)$", error="A month, such as 2026-11, or undated."),
        default=None,
    )
    take = Text(
        "Reasons for which games are usually left out, with commas between them: such games are taken in.",
        _REASONS,
        default=None,
    )
    leave_out = Text(
        "Reasons for which further games are left out, with commas between them.", _REASONS, default=None
    )
    after = Text(
        "Where to go on: the `after` of the last line that you have.", validate.Length(max=2000), default=None
    )
    limit = Number(
        "How many games are read at most.",
        validate.Range(min=1, max=MOST_TABULATED),
        default=USUALLY_TABULATED,
    )

    @post_load
    def choose_reasons(self, data: dict[str, Any], **_: Any) -> dict[str, Any]:
        """Say for which reasons games are left out, by the audience and by what was asked for."""
        leave_out, take = (data.pop(name).split(",") if data[name] else () for name in ("leave_out", "take"))
        try:
            left = choose_left_out(data["audience"], leave_out, take)
        except ValueError as refused:
            raise ma.ValidationError(str(refused), "take") from refused
        return {**data, "left": left}
