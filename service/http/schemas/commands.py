"""One schema per command of a seat, made from the command's own definition so that the two cannot drift."""

from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, get_args, get_origin, get_type_hints

import marshmallow as ma
import msgspec
from marshmallow import fields, validate

from events.commands import Command
from events.log.codec import SEAT_COMMAND_TYPES
from service.http.schemas.members import means

MOST_COMMANDS = 20
"""Commands in one request at most."""
MEANINGS: Final[dict[str, str]] = {
    "type": "Which command.",
    "bonus": "The key of the bonus card, as the hand shows it.",
    "card": "The number of the card, as the table shows it. A card keeps its number while it lies there.",
    "fan": "The number of the fan, counted from 0.",
    "field": "The number of the field, counted from 0.",
    "hand": "Numbers of own hand cards to give, in any order: the `number` of a card, not its place.",
    "kind": "`drawn`, so that all win who are there, or `called_off`, so that nobody does.",
    "miss": "The place of the miss in the field, counted from 0 at the bottom.",
    "offer": "The number of the offer.",
    "owner": "The seat whose field it is.",
    "places": "How many places she moves towards the top.",
    "revealed": "Numbers of revealed cards to give, in any order; only the active player has any.",
    "reward": "`field` or `coin`, where make-up beans leave a choice.",
    "rotate": "Another own field whose top card goes to its bottom.",
    "seen_confirmed": "That the game is to go back although hidden cards were seen since that version.",
    "seats": "The seats whose top coins are taken, in this order.",
    "spare": "Promises the other side one's next levy.",
    "text": "What is said: one line of up to 500 characters.",
    "to": "The seat that is asked; without it the offer is open to all.",
    "to_version": "The version to go back to: one after a whole command, at which somebody could act.",
    "variety": "The variety, as the table names it.",
    "want": 'How many cards of each variety are wanted, by the card\'s key: `{"blue": 1}`.',
    "want_revealed": "Numbers of the active player's revealed cards that are wanted.",
    "want_spared": "Asks the other side for such a promise.",
}
"""What each member of a command means, by its name."""
_NUMBER = validate.Range(min=-(2**31), max=2**31)
_SHORT = validate.Length(max=600)
_FEW = validate.Length(max=120)


def _field(hint: Any, **settings: Any) -> fields.Field[Any]:
    """The marshmallow field for a type annotation of a command."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is UnionType:
        (inner,) = (each for each in arguments if each is not NoneType)
        return _field(inner, allow_none=True, **settings)
    if origin is tuple:
        return fields.List(_field(arguments[0]), validate=_FEW, **settings)
    if origin is dict:
        keys, values = fields.String(validate=_SHORT), _field(arguments[1])
        return fields.Dict(keys=keys, values=values, validate=_FEW, **settings)
    if hint is bool:
        return fields.Boolean(truthy={True}, falsy={False}, **settings)
    if hint is int:
        return fields.Integer(strict=True, validate=_NUMBER, **settings)
    return fields.String(validate=_SHORT, **settings)


@cache
def command_schema(type_name: str) -> ma.Schema:
    """The schema of one command type."""
    struct = SEAT_COMMAND_TYPES[type_name]
    hints = get_type_hints(struct)
    members: dict[str, Any] = {
        "type": fields.String(
            required=True, validate=validate.OneOf([type_name]), metadata=means(MEANINGS["type"])
        ),
    }
    for info in msgspec.structs.fields(struct):
        meaning = means(MEANINGS[info.name])
        members[info.name] = _field(hints[info.name], required=info.required, metadata=meaning)
    description = " ".join((struct.__doc__ or "").split())
    schema = ma.Schema.from_dict(members, name=f"{struct.__name__}Command")
    schema.__doc__ = description
    return schema()


def load_command(body: Any) -> Command:
    """A command from a JSON value.

    Raises:
        marshmallow.ValidationError: it is no command; the messages name each member that is wrong.
    """
    if not isinstance(body, dict):
        raise ma.ValidationError({"_schema": ["A command is a JSON object with a type."]})
    type_name = body.get("type")
    if not isinstance(type_name, str) or type_name not in SEAT_COMMAND_TYPES:
        known = ", ".join(SEAT_COMMAND_TYPES)
        raise ma.ValidationError({"type": [f"A command's type is one of: {known}."]})
    loaded: dict[str, Any] = command_schema(type_name).load(body)
    return msgspec.convert(loaded, SEAT_COMMAND_TYPES[type_name])


def load_commands(body: Any) -> list[Command]:
    """One command or an array of them.

    Raises:
        marshmallow.ValidationError: messages of an array are keyed by place.
    """
    if not isinstance(body, list):
        return [load_command(body)]
    if not 1 <= len(body) <= MOST_COMMANDS:
        raise ma.ValidationError({"_schema": [f"Send 1 to {MOST_COMMANDS} commands at once."]})
    commands, wrong = [], {}
    for place, each in enumerate(body):
        try:
            commands.append(load_command(each))
        except ma.ValidationError as error:
            wrong[str(place)] = error.messages
    if wrong:
        raise ma.ValidationError(wrong)
    return commands
