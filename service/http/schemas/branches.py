"""The shapes of a request for a branch, and of its answer."""

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from events.bots import QUICK_BOTS
from events.commands import TAKE_BACKS, Command
from events.rules.catalogues.card_names import LANGUAGES
from replay.branches.bot_play import UNTIL
from replay.branches.branch import MOST_COMMANDS, SEED
from replay.branches.saved.tokens import LONGEST_TOKEN
from service.http.schemas.commands import MOST_COMMANDS as MOST_AT_ONCE
from service.http.schemas.commands import load_command
from service.http.schemas.members import SEAT, SIZE, VERSION, Many, Number, Part, Pattern, Text
from service.http.schemas.shapes import OBJECT, Schema, describe_answer, list_of, one_of, or_null, refer

_NODE = validate.Range(min=0, max=MOST_COMMANDS)


class CommandOfASeat(fields.Field[Command]):
    """A command, as it is sent to a game."""

    def _deserialize(self, value: Any, *_others: Any, **_more: Any) -> Command:
        command = load_command(value)
        if isinstance(command, TAKE_BACKS):
            raise ma.ValidationError(
                {"type": ["In a branch nothing is taken back: play on from another node."]}
            )
        return command


class PlayRequest(ma.Schema):
    """A seat's command in a branch."""

    seat = Number("Whose command it is.", SEAT)
    command = CommandOfASeat(required=True, metadata={"description": "What it plays."})


class BotsRequest(ma.Schema):
    """Which bots play on, and how far: one for all seats, or one for each (null: the seat has none)."""

    seats = Many(
        "The bots by seat, or one for all seats; null: nobody plays there.",
        fields.String(validate=validate.OneOf(list(QUICK_BOTS)), allow_none=True),
        validate.Length(min=1, max=10),
    )
    until = Text(
        "How far they play: to the next `turn`, or to the `end`.", validate.OneOf(UNTIL), default="end"
    )
    commands = Number(
        "How many commands at most.", validate.Range(min=1, max=MOST_COMMANDS), default=MOST_COMMANDS
    )


class BranchRequest(ma.Schema):
    """What is to be done in a branch: a new one from a version, or that of a token; all in the order given here.

    `go` stands after a command of the branch, `undo` takes back so many commands and what follows on them, `play`
    adds commands, `bots` play on. `after` leaves the events up to a version out of the answer.
    """

    version = Number("The version of the game to play on from; for a new branch.", VERSION, default=None)
    token = Text(
        "The branch to go on in, as an earlier answer gave it.",
        validate.Length(min=1, max=LONGEST_TOKEN),
        default=None,
    )
    seed = Text(
        "What the fresh cards of a new branch follow from.",
        Pattern(
            f"^{SEED.pattern}$", error="A seed is at most 32 printable ASCII characters, without spaces."
        ),
        default="",
    )
    go = Number("Stand after the command of this number; 0 is where the branch begins.", _NODE, default=None)
    undo = Number("Take back so many commands, and what follows on them.", _NODE, default=0)
    play = Many(
        "Commands to add, of any seats, in this order.",
        fields.Nested(PlayRequest),
        validate.Length(max=MOST_AT_ONCE),
        default=list,
    )
    bots = Part("Bots that play on then.", BotsRequest, default=None)
    after = Number("Leave the events up to this version out of the answer.", SIZE, default=0)
    text = Text(
        "A language: all that can be played then has a text, and `recording` is there.",
        validate.OneOf(LANGUAGES),
        default=None,
    )

    @validates_schema
    def begins_or_goes_on(self, data: dict[str, Any], **_others: Any) -> None:
        """Demand a version or a token, and a seed for a new branch only."""
        if (data.get("version") is None) == (data.get("token") is None):
            raise ma.ValidationError("Name the version to play on from, or the token of a branch.", "version")
        if data.get("token") is not None and data.get("seed"):
            raise ma.ValidationError("The branch of a token has its seed.", "seed")


_EVENT: Final = refer("BranchEvent")
ANSWERS: Final[dict[str, Schema]] = {
    # A command of a branch: its number, the one before it (0: none), and the version after it.
    "BranchNode": describe_answer(number=int, after=int, actor=str, command=OBJECT, version=int, fresh=bool),
    # An event of a branch; `cards` says whether they come from the recorded deck or from fresh chance.
    "BranchEvent": describe_answer(
        {"command": OBJECT},
        version=int,
        type=str,
        actor=str,
        data=OBJECT,
        cards=one_of("recorded", "fresh", "none"),
        text=str,
    ),
    # The first version at which branch and game are not the same; `game` is null where the game ends before.
    "BranchParting": describe_answer(version=int, game=or_null(_EVENT), branch=_EVENT),
    # How many commands the bots have played, and why they stopped.
    "BranchBots": describe_answer(
        commands=int, stopped=one_of("turn", "end", "commands", "people", "time", "full")
    ),
    # Where a branch parts from its game: the version, and the chain hash there.
    "BranchOrigin": describe_answer(version=int, hash=str),
    # A branch where one stands; `token` is all of it in one line. `recording`, where a language was named, is the way
    # there as a history has a game, from the origin on, whose table is there whole.
    "BranchAnswer": describe_answer(
        {"recording": OBJECT},
        game=str,
        origin=refer("BranchOrigin"),
        viewer=str,
        seed=str,
        token=str,
        here=int,
        tree=list_of(refer("BranchNode")),
        version=int,
        parted=or_null(refer("BranchParting")),
        fresh_from=int | None,
        bots=or_null(refer("BranchBots")),
        events=list_of(_EVENT),
        table=OBJECT,
        legal=list_of(OBJECT),
    ),
}
