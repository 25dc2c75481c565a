"""The shapes of requests and answers about players."""

from typing import Final

import marshmallow as ma

from service.http.schemas.members import Name, Pattern, Text
from service.http.schemas.shapes import Schema, describe_answer
from service.players.ids import NAMESPACE, OWN


class PlayerRequest(ma.Schema):
    """What is shown for a player."""

    name = Name("The name to show.")


class MergeRequest(ma.Schema):
    """Whom an id is to mean."""

    into = Text("The id of the player.", Pattern(rf"^({NAMESPACE}:)?{OWN}$"))


ANSWERS: Final[dict[str, Schema]] = {
    # A player by the whole id: the name to show, and into whom it was merged in the end.
    "PlayerAnswer": describe_answer(player=str, name=str | None, merged_into=str | None),
}
