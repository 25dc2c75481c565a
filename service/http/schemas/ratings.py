"""The shapes of questions and answers about ratings."""

from typing import Final

from marshmallow import validate

from replay.ratings.finished_game import PEOPLE, POOLS
from replay.ratings.times import A_TIME, ALWAYS, PACES
from service.http.schemas.members import CURSOR, Limit, Pattern, Query, Text
from service.http.schemas.shapes import INTEGER as _INTEGER
from service.http.schemas.shapes import (
    OBJECT,
    PAGE,
    Schema,
    describe_answer,
    describe_object,
    list_of,
    refer,
)
from service.http.schemas.shapes import TEXT as _TEXT

MOST_LISTED: Final = 200
"""Players, or changes, on a page at most."""


class RatingsQuery(Query):
    """Which pool, and which page of it."""

    system = Text("The key of the rule system.", validate.Length(min=1, max=60), default="classic")
    pool = Text("Whether of people or of bots.", validate.OneOf(POOLS), default=PEOPLE)
    time = Text(
        "Of all games, of those by how long players may think, or of those that ended in a month, by UTC.",
        Pattern(A_TIME, error=f"It is {ALWAYS}, {', '.join(PACES)}, or a month such as 2026-11."),
        default=ALWAYS,
    )
    limit = Limit(50, MOST_LISTED, least=1)
    cursor = CURSOR


class ChangesQuery(RatingsQuery):
    """In which pool, and which page of what has changed."""


_POOL: Final = {"system": str, "system_version": int, "pool": str, "time": str}
_FIGURES: Final = dict.fromkeys(("rating", "mu", "sigma", "games", "wins", "last"), _INTEGER)
_FIGURE: Final[Schema] = {"type": "array", "items": _INTEGER, "description": "`mu` and `sigma`."}
ANSWERS: Final[dict[str, Schema]] = {
    # What no record tells, each where there is any: rulings after the end, games with an open case, merged ids.
    "RatingInputsAnswer": describe_answer({"ruled": OBJECT, "disputed": list[str], "merged": OBJECT}),
    # How somebody stands: `rating` is `mu` - 3 `sigma`, in ten-thousandths; `last`: when the last game ended.
    "RatedPlayerAnswer": describe_answer({"name": str | None}, player=str, **_FIGURES),
    # A page of a board, the best first, and what places in the order of play are worth.
    "RatingsAnswer": describe_answer(
        **_POOL,
        ratings_version=int,
        players=list_of(refer("RatedPlayerAnswer")),
        seats=list_of(
            describe_object(
                "A place in the order of play.",
                dict.fromkeys(("players", "place", "mu", "sigma", "games", "wins"), _INTEGER),
            )
        ),
        times=list[str],
        **PAGE,
    ),
    # The boards on which a player stands; `player` is whom the id means, `name` what is shown for them.
    "RatingBoardsAnswer": describe_answer(
        player=str,
        name=str | None,
        boards=list_of(
            describe_object(
                "How they stand on a board.",
                {
                    "system": _TEXT,
                    "system_version": _INTEGER,
                    "pool": _TEXT,
                    "time": _TEXT,
                    "player": _TEXT,
                    **_FIGURES,
                },
            )
        ),
    ),
    # How a player stands, and what each game has changed, the newest first.
    "RatingAnswer": describe_answer(
        **_POOL,
        player=str,
        name=str | None,
        standing=refer("RatedPlayerAnswer"),
        changes=list_of(
            describe_object(
                "What a game has changed.",
                {"game": _TEXT, "ended": _INTEGER, "before": _FIGURE, "after": _FIGURE},
            )
        ),
        **PAGE,
    ),
}
