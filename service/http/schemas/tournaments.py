"""The shapes of requests and answers about tournaments."""

import re
from typing import Any, Final

import marshmallow as ma
from marshmallow import fields, validate, validates_schema

from events.bots import BOTS
from events.tournaments.limits import LATEST, LONGEST_NAME, MOST_ROUNDS, PLAYER
from events.tournaments.state import FORMATS, KNOCKOUT, STATUSES, SWISS
from service.http.schemas.members import CURSOR, Limit, Many, Number, Pattern, Query, Text
from service.http.schemas.new_games import LONGEST_SEED, MOST_OPTIONS, NAME, ClockChoice, OptionValue
from service.http.schemas.shapes import OBJECT, Schema, describe_answer, list_of, one_of, refer
from service.players.ids import NAMESPACE, OWN
from service.tournaments.listing import MOST_LISTED, USUALLY_LISTED

_PLAYER = Text(
    "The player's id, as you call them; of one whose name lies at `/v1/players`, your own or the whole id.",
    Pattern(
        f"^{PLAYER.pattern}$",
        error="A player's id has 1 to 96 ASCII letters, digits and characters of '._~:-', and begins with a letter"
        " or digit.",
    ),
)


class TournamentsQuery(Query):
    """Which tournaments."""

    limit = Limit(USUALLY_LISTED, MOST_LISTED)
    cursor = CURSOR


class NewTournamentRequest(ma.Schema):
    """A new tournament; docs/tournaments.md has formats, pairing and points."""

    name = Text("What it is called.", validate.Length(min=1, max=LONGEST_NAME))
    system = Text("The key of the rule system of all tables.", validate.Length(max=60))
    format = Text("How players meet.", validate.OneOf(FORMATS), default=SWISS)
    rounds = Number(
        "How many rounds; a knock-out has as many as it takes, and names none.",
        validate.Range(min=0, max=MOST_ROUNDS),
        default=0,
    )
    sizes = Many(
        "How many players a table may have, the number that is wanted most first; without it 4, then all others that"
        " the system allows.",
        fields.Integer(strict=True),
        validate.Length(min=1, max=10),
        default=None,
    )
    options = fields.Dict(
        keys=fields.String(validate=validate.Length(max=60)),
        values=OptionValue(),
        load_default=dict,
        validate=validate.Length(max=MOST_OPTIONS),
        metadata={"description": "The system's options by name."},
    )
    clock = ClockChoice()
    late_after = Number(
        "So many seconds after a round was paired, tables that are not over are closed as late; without it, never.",
        validate.Range(min=1, max=LATEST),
        default=None,
    )

    @validates_schema
    def rounds_where_they_are_counted(self, data: dict[str, Any], **_others: Any) -> None:
        """Require a number of rounds but for a knock-out, which names none."""
        if (data.get("format") == KNOCKOUT) == bool(data.get("rounds")):
            raise ma.ValidationError("Say how many rounds there are; only a knock-out names none.", "rounds")


class NewPlayerRequest(ma.Schema):
    """A player of a tournament."""

    player = _PLAYER
    name = Text(
        "The player's name, as everybody sees it, for ever in the log. Without one `player` is an id of your"
        " `/v1/players`: the name to show lies there, and the games count in ratings. A bot has a name.",
        NAME,
        default=None,
    )
    bot = Text(
        "Which bot of the service it is; empty for a person.",
        validate.OneOf(["", *BOTS], error=f"Must be one of: {', '.join(BOTS)}."),
        default="",
    )
    seed = Text(
        "The player's own share in who meets whom, up to 128 printable ASCII characters.",
        Pattern(
            rf"^[\x21-\x7e]{{0,{LONGEST_SEED}}}$", error="A seed is at most 128 printable ASCII characters."
        ),
        default="",
    )

    @validates_schema
    def player_id_where_no_name_is_given(self, data: dict[str, Any], **_others: Any) -> None:
        """Refuse an id that no player of `/v1/players` can have."""
        if not data.get("name") and not re.fullmatch(f"({NAMESPACE}:)?{OWN}", data["player"]):
            raise ma.ValidationError(
                "Without a name this is a player's own id (up to 64 letters, digits and characters of '._~-'),"
                " or a namespace, a colon and that id.",
                "player",
            )


class PlayersSeatRequest(ma.Schema):
    """Whose seat is looked for."""

    player = _PLAYER
    token = Text("The token that registering has answered.", validate.Length(min=1, max=100))


_ROW: Final[dict[str, Any]] = {
    "tournament": str,
    "name": str,
    "format": one_of(*FORMATS),
    "system": str,
    "status": one_of(*STATUSES),
    "created": int,
    "players": int,
    "rounds": int,
}
ANSWERS: Final[dict[str, Schema]] = {
    # A tournament in a list: how many players have registered, and how many rounds were paired.
    "TournamentRow": describe_answer(**_ROW),
    # Tournaments, newest first.
    "TournamentsAnswer": describe_answer(tournaments=list_of(refer("TournamentRow")), next=str | None),
    # A tournament: as in the list, by what it is played (`settings`), who takes part (`field`), the rounds with
    # tables, byes, results and `points` by seat (`schedule`), and the table, as docs/tournaments.md has them; `hash`
    # is the log's head.
    "TournamentAnswer": describe_answer(
        **_ROW,
        settings=OBJECT,
        field=list_of(OBJECT),
        schedule=list_of(OBJECT),
        standings=list_of(OBJECT),
        entries=int,
        hash=str,
    ),
    # A registered player; `token` is for the player alone: with it they find their seats.
    "TournamentPlayerAnswer": describe_answer({"token": str}, tournament=str, player=str),
    # Where a player sits in the round that is played: `token` is that of the seat. Nothing but the round with a bye.
    "TournamentSeatAnswer": describe_answer(
        {"table": int, "game": str, "seat": int, "token": str}, tournament=str, round=int
    ),
}
