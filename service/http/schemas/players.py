"""The shapes of requests and answers about players."""

from typing import Final

import marshmallow as ma

from events.rules.errors import BadName
from service.http.schemas.members import Pattern, Text
from service.http.schemas.new_games import NAME
from service.http.schemas.shapes import Schema, describe_answer
from service.play.names import check_visible
from service.players.ids import NAMESPACE, OWN


def _shows_something(name: str) -> None:
    try:
        check_visible(name)
    except BadName as refused:
        raise ma.ValidationError(str(refused)) from refused


class PlayerRequest(ma.Schema):
    """What is shown for a player."""

    name = Text("The name to show.", NAME, _shows_something)


class MergeRequest(ma.Schema):
    """Whom an id is to mean."""

    into = Text("The id of the player.", Pattern(rf"^({NAMESPACE}:)?{OWN}$"))


ANSWERS: Final[dict[str, Schema]] = {
    # A player by the whole id: the name to show, and into whom it was merged in the end.
    "PlayerAnswer": describe_answer(player=str, name=str | None, merged_into=str | None),
}
