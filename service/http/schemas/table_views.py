"""The table as a viewer has it, and the forms among the legal commands, as the contract describes them.

What only some rule systems have is optional; a test holds all of this to games of every system.
"""

from typing import Any, Final

Schema = dict[str, Any]


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _list(item: Schema, description: str = "") -> Schema:
    return {"type": "array", "items": item} | ({"description": description} if description else {})


def _object(
    description: str, members: dict[str, Schema], optional: dict[str, Schema] | None = None
) -> Schema:
    return {
        "type": "object",
        "description": description,
        "properties": {**members, **(optional or {})},
        "required": list(members),
    }


_INTEGER: Final[Schema] = {"type": "integer"}
_SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 9}
_TEXT: Final[Schema] = {"type": "string"}
_FLAG: Final[Schema] = {"type": "boolean"}
_HASH: Final[Schema] = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_CARD: Final[Schema] = {"type": "string", "description": "A card's key in the catalogue, such as `blue`."}
_CARDS: Final[Schema] = _list(_CARD)
_NUMBERS: Final[Schema] = _list({"type": "integer", "minimum": 1})
_COUNTED: Final[Schema] = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}


def _or_null(schema: Schema) -> Schema:
    return (
        {"oneOf": [schema, {"type": "null"}]}
        if "$ref" in schema
        else {**schema, "type": [schema["type"], "null"]}
    )


_NUMBERED: Final = _ref("NumberedCard")
_TRADE: Final[dict[str, Schema]] = {
    "hand": _NUMBERS,
    "revealed": _NUMBERS,
    "want": _COUNTED,
    "want_revealed": _NUMBERS,
}

TABLE: Final[dict[str, Schema]] = {
    "viewer": {**_TEXT, "description": "`public`, `all`, or a seat such as `seat:0`."},
    "options": {"type": "object", "additionalProperties": {"type": ["string", "integer", "boolean"]}},
    "catalogue": {**_HASH, "description": "Hash of the catalogue that the game is pinned to."},
    "commitment": {**_HASH, "description": "SHA-256 of the dealer's secret."},
    "secret": {**_or_null(_TEXT), "description": "The dealer's secret, once the game is over."},
    "status": {"type": "string", "enum": ["open", "running", "finished"]},
    "turn": {**_INTEGER, "description": "The number of the turn; 0 before the first."},
    "phase": _or_null(_TEXT),
    "start_seat": _INTEGER,
    "active": _or_null(_SEAT),
    "waiting_for": _list(_SEAT, "The seats without which the game does not go on."),
    "seats": _list(_ref("SeatView")),
    "revealed": _list(_NUMBERED, "What the active player turned up, and what is left of it."),
    "offers": _list(_ref("OpenOffer")),
    "draw_pile": _object("The draw pile.", {"size": _INTEGER, "exhaustions": _INTEGER}, {"cards": _CARDS}),
    "discard_pile": _CARDS,
    "box": {**_CARDS, "description": "Cards that are out of the game."},
    "result": _or_null(_ref("GameResult")),
    "paused_by": _list(
        _INTEGER, "The disputes that hold the game up: until they are settled only talk is accepted."
    ),
    "take_back": _or_null(_ref("AskedTakeBack")),
}
"""The members of the table that every rule system has."""
OF_SOME_SYSTEMS: Final[dict[str, Schema]] = {
    "duel": {"type": "object", "description": "`the-duel`: gifts, bonus cards, claims."},
    "fans": _list(_CARDS, "`ladybohn-expansion`: the fans, each from the first card to the last."),
    "quota_field": {
        "type": ["object", "integer", "string", "boolean", "null"],
        "description": "`ladybohn-expansion`.",
    },
    "levies": {"type": "array", "description": "`ladybohn-expansion`."},
    "promises": _list(_object("A promised levy.", {"seat": _SEAT, "to": _SEAT}), "`ladybohn-expansion`."),
    "miss_moves": _list(_object("A move that is open.", {"seat": _SEAT, "field": _INTEGER}), "`ladybohn`."),
    "barred_field": {**_or_null(_INTEGER), "description": "`ladybohn`: where nothing may be planted now."},
}
PARTS: Final[dict[str, Schema]] = {
    "NumberedCard": _object(
        "A card with the number that it keeps while it lies there.", {"number": _INTEGER, "card": _CARD}
    ),
    "SeatView": _object(
        "A seat at the table.",
        {
            "seat": _SEAT,
            "name": _or_null(_TEXT),
            "kind": {"type": ["string", "null"], "enum": ["human", "bot", None]},
            "bot": _or_null(_TEXT),
            "hand": _object(
                "The hand, front card first; `cards` only for who may see them.",
                {"size": _INTEGER},
                {"cards": _list(_NUMBERED)},
            ),
            "fields": _list(_CARDS, "The fields, each from the bottom card to the top one."),
            "third_field": _FLAG,
            "coins": {**_CARDS, "description": "The cards that lie as coins; `?` where nobody has seen one."},
            "aside": _list(_NUMBERED, "Cards that have to be planted."),
        },
    ),
    "OpenOffer": _object(
        "An open offer: what its maker gives and wants.",
        {
            "offer": _INTEGER,
            "seat": _SEAT,
            "to": {**_or_null(_SEAT), "description": "Null: open to all."},
            "hand_cards": _CARDS,
            "revealed": _NUMBERS,
            "want": _COUNTED,
            "want_revealed": _NUMBERS,
            "counters": {**_or_null(_INTEGER), "description": "The offer that it answers."},
            "declined": _list(_SEAT),
        },
        {"hand": _NUMBERS, "spare": _FLAG, "want_spared": _FLAG},
    ),
    "AskedTakeBack": _object(
        "A seat asks to go back to a version; every seat that has not agreed has to answer first.",
        {"seat": _SEAT, "to_version": _INTEGER, "agreed": _list(_SEAT)},
    ),
    "GameResult": _object(
        "How the game ended.",
        {
            "scores": _list(_INTEGER, "By seat, in `unit`."),
            "winners": _list(
                _SEAT, "One seat, or several where a tie is a shared victory; none where it was annulled."
            ),
            "reason": {
                **_TEXT,
                "enum": [
                    "exhausted_while_drawing",
                    "exhausted_before_drawing",
                    "exhausted_in_this_turn",
                    "annulled",
                    "awarded",
                    "replaced",
                ],
                "description": "When the draw pile ran out for the last time: while cards were drawn in phase 4; "
                "earlier in the turn, so that there was no phase 4; in this turn, which was played to its end. Or "
                "how a ruling ended the game: it does not count, an arbiter named the winners, or the whole result.",
            },
            "unit": {**_TEXT, "enum": ["coins", "cents"], "description": "100 cents are a coin."},
        },
    ),
    "CommandForm": {
        "description": "A command that is to be filled in: `form` holds what may fill each field.",
        "oneOf": [
            _ref("OfferToFill"),
            _ref("CounterToFill"),
            _ref("AcceptToFill"),
            _ref("SayToFill"),
            _ref("AskTakeBackToFill"),
        ],
        "discriminator": {
            "propertyName": "type",
            "mapping": {
                name: f"#/components/schemas/{name.title().replace('_', '')}ToFill"
                for name in ("offer", "counter", "accept", "say", "ask_take_back")
            },
        },
    },
}


def _form(name: str, description: str, members: dict[str, Schema], optional: dict[str, Schema]) -> Schema:
    form = _object("What may fill each field.", members, optional)
    return _object(description, {"type": {"type": "string", "enum": [name]}, "form": form})


_PROMISES: Final[dict[str, Schema]] = {
    "promises": {**_FLAG, "description": "Whether `spare` and `want_spared` may be added."}
}
FORMS: Final[dict[str, Schema]] = {
    "OfferToFill": _form(
        "offer",
        "An offer: `to` is one of these (null: all), lists name card numbers that may be given or wanted, `want` the "
        "most of each variety. It has to give or want something.",
        {"to": _list(_or_null(_SEAT)), **_TRADE},
        _PROMISES,
    ),
    "CounterToFill": _form(
        "counter", "A counter-offer to one of these offers.", {"offer": _NUMBERS, **_TRADE}, _PROMISES
    ),
    "AcceptToFill": _form(
        "accept",
        "An acceptance: give the cards `revealed`, and for each payment `count` cards out of those listed, none "
        "twice, in this order.",
        {
            "offer": _INTEGER,
            "revealed": _NUMBERS,
            "payments": _list(
                _object(
                    "One thing that is wanted.",
                    {"card": _CARD, "count": _INTEGER, "hand": _NUMBERS, "revealed": _NUMBERS},
                )
            ),
        },
        {},
    ),
    "SayToFill": _form("say", "Table talk of 1 to `longest` characters.", {"longest": _INTEGER}, {}),
    "AskTakeBackToFill": _form(
        "ask_take_back",
        "A question to all others whether the game goes back: `GET .../take-backs` lists to which versions it can, "
        "and where hidden cards were seen since, so that `seen_confirmed` is needed.",
        {},
        {},
    ),
}


def legal_command() -> Schema:
    """One of the legal commands: ready to send, or a form."""
    return {"anyOf": [_ref("Command"), _ref("CommandForm")]}
