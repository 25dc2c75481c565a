"""The shapes of requests to set a game up and to take a seat in it."""

from typing import Any

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from events.bots import BOTS
from service.access.game_access import LONGEST_DELAY, PUBLIC_GAME, VISIBILITIES
from service.http.schemas.members import SEAT, Many, Number, Pattern, Text

LONGEST_VALUE = 100
NAME = validate.Length(min=1, max=40)
_BOTS = ", ".join(BOTS)
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

    name = Text("The player's name, as everybody sees it.", NAME)
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

    name = Text("Your name, as everybody sees it.", NAME)
    seat = Number("The seat that you want; without it the first that is free.", SEAT, default=None)
    seed = _SEED
