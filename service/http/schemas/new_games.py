"""The shapes of requests to set a game up and to take a seat in it."""

from typing import Any

import marshmallow as ma
import msgspec
from marshmallow import fields, validate, validates_schema

from events.bots import BOTS, QUICK_BOTS
from events.commands import PRESETS, ClockSettings
from events.rules.definition.names import LONGEST_NAME
from events.rules.phases.setting_up import LONGEST_PATIENCE
from service.access.game_access import LONGEST_DELAY, PUBLIC_GAME, VISIBILITIES
from service.http.schemas.members import SEAT, Many, Number, Pattern, Text
from service.players.ids import NAMESPACE, OWN

LONGEST_VALUE = 100
LONGEST_SEED = 128
MOST_OPTIONS = 20
NAME = validate.Length(min=1, max=LONGEST_NAME)
_PATIENCE = validate.Range(min=0, max=LONGEST_PATIENCE)
_BOTS = ", ".join(BOTS)
SECONDS = validate.Range(min=0, max=2**53)
"""What the clock itself makes of them, the rules of setting up say."""
_CLOCK = msgspec.structs.asdict(next(iter(PRESETS.values()))) | {
    each.name: each.default for each in msgspec.structs.fields(ClockSettings) if not each.required
}
_SEED = Text(
    "This player's own share in the shuffle, up to 128 printable ASCII characters: who brings"
    " one that the service could not foresee knows that the deal was not chosen.",
    Pattern(rf"^[\x21-\x7e]{{0,{LONGEST_SEED}}}$", error="A seed is at most 128 printable ASCII characters."),
    default="",
)


class OptionValue(fields.Field[str | int | bool]):
    """The value of an option: a string, an integer or a boolean."""

    def _deserialize(self, value: Any, *_others: Any, **_more: Any) -> str | int | bool:
        if isinstance(value, (str, int)) and len(str(value)) <= LONGEST_VALUE:
            return value
        raise ma.ValidationError("An option's value is a string, an integer or a boolean.")


class ProgramRequest(ma.Schema):
    """A program that plays a seat, as everybody sees it."""

    name = Text("What the program is called.", NAME)
    version = Text("Which version of it plays.", NAME)


_PROGRAM = fields.Nested(
    ProgramRequest,
    load_default=None,
    allow_none=True,
    metadata={"description": "Which program plays this seat. Only with `kind` `program`."},
)


def _check_program(data: dict[str, Any]) -> None:
    if (data.get("kind") == "program") != bool(data.get("program")):
        raise ma.ValidationError(
            'A seat of kind "program" says which: "program": {"name": ..., "version": ...}; no other does.',
            "program",
        )


_PLAYER = Text(
    "Who that is in all their games: your own id of them, or the whole one with your key's namespace. The log then"
    " has this id and no name; what is shown is put at `/v1/players`. Only with a key, in place of `name`.",
    Pattern(rf"^({NAMESPACE}:)?{OWN}$"),
    default=None,
)


def _check_who(data: dict[str, Any]) -> None:
    if (data.get("name") is None) == (data.get("player") is None):
        raise ma.ValidationError("A seat has a name or the id of a player, one of the two.", "name")
    if data.get("player") is not None and data.get("kind") == "bot":
        raise ma.ValidationError("A bot of ours has a name, and no id of a player.", "player")


class SeatRequest(ma.Schema):
    """A player for a seat of a new game."""

    name = Text("The player's name, as everybody sees it.", NAME, default=None)
    player = _PLAYER
    kind = Text(
        "`bot` for a seat that the service plays; it then takes `bot` too. `program` for a bot of your own, which"
        " others do not wait for; it then takes `program` too.",
        validate.OneOf(["human", "bot", "program"]),
        default="human",
    )
    bot = Text(
        "Which bot: `lookahead` thinks ahead and takes its time, `greedy` plays sensibly, `random` does anything"
        " legal. Only with `kind` `bot`.",
        validate.OneOf(["", *BOTS], error=f"Must be one of: {_BOTS}."),
        default="",
    )
    program = _PROGRAM
    seed = _SEED

    @validates_schema
    def name_or_player(self, data: dict[str, Any], **_others: Any) -> None:
        """Require one of the two."""
        _check_who(data)

    @validates_schema
    def program_where_kind_is_program(self, data: dict[str, Any], **_others: Any) -> None:
        """Require the program's name and version for a program and refuse them for others."""
        _check_program(data)

    @validates_schema
    def bot_where_kind_is_bot(self, data: dict[str, Any], **_others: Any) -> None:
        """Require the bot's name for a bot and refuse it for a person."""
        if data.get("kind") == "bot" and not data.get("bot"):
            raise ma.ValidationError(f"Say which bot plays this seat: {_BOTS}.", "bot")
        if data.get("bot") and data.get("kind") != "bot":
            raise ma.ValidationError(
                'Only a seat of kind "bot" has one: add "kind": "bot", or leave "bot" out.', "kind"
            )


class PatienceRequest(ma.Schema):
    """How long bots whose turn it is wait, after the last event, for others to answer or to offer, in seconds."""

    people = Number(
        "For people that are not `ready`; without it what the operator finds right, 10 where nothing is set.",
        _PATIENCE,
        default=None,
    )
    programs = Number("For programs that are not `ready`.", _PATIENCE, default=0)


class ClockRequest(ma.Schema):
    """A clock; all times are seconds. Its bot plays the moves that nobody made in time."""

    bank = Number("What each player has at the beginning, for their own turns.", SECONDS)
    increment = Number("What a player gets for each turn of their own, when it ends.", SECONDS)
    cap = Number("More than this nobody saves.", SECONDS)
    answer = Number(
        "For all answers to offers in one turn, for any other answer, and in each own turn at least.",
        SECONDS,
    )
    grace = Number("So much later a command still counts.", SECONDS, default=_CLOCK["grace"])
    strikes = Number(
        "After so many turns in which time ran out a bot takes the seat over.",
        SECONDS,
        default=_CLOCK["strikes"],
    )
    bot = Text(f"Which bot: {', '.join(QUICK_BOTS)}.", validate.Length(min=1, max=60), default=_CLOCK["bot"])


class ClockChoice(fields.Field[ClockSettings]):
    """A clock: the name of one that the service knows, or its settings."""

    def __init__(self) -> None:
        """Without one the game is played without a clock."""
        super().__init__(
            load_default=None,
            allow_none=True,
            metadata={
                "description": "The clock that the game is played with: one of those that `GET /v1/systems` lists, by"
                " its name, or its settings in seconds. Without it nobody's time runs.",
                "oneOf": [
                    {"type": "string", "enum": [*PRESETS]},
                    {
                        "type": "object",
                        "properties": {
                            name: {
                                "type": "string" if isinstance(each, Text) else "integer",
                                "description": each.metadata["description"],
                            }
                            | ({} if each.required else {"default": each.load_default})
                            for name, each in ClockRequest().fields.items()
                        },
                        "required": [name for name, each in ClockRequest().fields.items() if each.required],
                        "additionalProperties": False,
                    },
                    {"type": "null"},
                ],
            },
        )

    def _deserialize(self, value: Any, *_others: Any, **_more: Any) -> ClockSettings:
        if isinstance(value, str) and value in PRESETS:
            return PRESETS[value]
        if not isinstance(value, dict):
            raise ma.ValidationError(
                f"A clock is one of {', '.join(PRESETS)}, or an object with its settings in seconds."
            )
        return ClockSettings(**ClockRequest().load(value))


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
        validate=validate.Length(max=MOST_OPTIONS),
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
    patience = fields.Nested(
        PatienceRequest,
        load_default=lambda: {"people": None, "programs": 0},
        metadata={"description": "How long bots wait for others in trading."},
    )
    reservation = Text(
        "What `POST /v1/reservations` gave you: the game gets the id and the commitment that it names.",
        validate.Length(max=100),
        default=None,
    )
    clock = ClockChoice()
    close_after = Number(
        "After so many seconds in which nothing happened the game may be closed; without it, never.",
        SECONDS,
        default=None,
    )


class TakeSeatRequest(ma.Schema):
    """Take a seat: this one, or the first that is free."""

    name = Text("Your name, as everybody sees it.", NAME, default=None)
    player = _PLAYER
    kind = Text(
        "`program` for a bot of your own; it then takes `program` too.",
        validate.OneOf(["human", "program"]),
        default="human",
    )
    program = _PROGRAM
    seat = Number("The seat that you want; without it the first that is free.", SEAT, default=None)
    seed = _SEED

    @validates_schema
    def name_or_player(self, data: dict[str, Any], **_others: Any) -> None:
        """Require one of the two."""
        _check_who(data)

    @validates_schema
    def program_where_kind_is_program(self, data: dict[str, Any], **_others: Any) -> None:
        """Require the program's name and version for a program and refuse them for others."""
        _check_program(data)
