"""The table as a viewer has it, and the forms among the legal commands, as the contract describes them.

What only some rule systems have is optional; a test holds all of this to games of every system.
"""

from typing import Final

from service.http.schemas.shapes import (
    FLAG,
    HASH,
    INTEGER,
    TEXT,
    Schema,
    describe_object,
    list_of,
    one_of,
    or_null,
    refer,
)

_SEAT: Final[Schema] = {"type": "integer", "minimum": 0, "maximum": 9}
_CARD: Final[Schema] = {"type": "string", "description": "A card's key in the catalogue, such as `blue`."}
_CARDS: Final[Schema] = list_of(_CARD)
_NUMBERS: Final[Schema] = list_of({"type": "integer", "minimum": 1})
_COUNTED: Final[Schema] = {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}}
_NUMBERED: Final = refer("NumberedCard")
_TRADE: Final[dict[str, Schema]] = {
    "hand": _NUMBERS,
    "revealed": _NUMBERS,
    "want": _COUNTED,
    "want_revealed": _NUMBERS,
}
TABLE: Final[dict[str, Schema]] = {
    "viewer": {**TEXT, "description": "`public`, `all`, or a seat such as `seat:0`."},
    "options": {"type": "object", "additionalProperties": {"type": ["string", "integer", "boolean"]}},
    "catalogue": {**HASH, "description": "Hash of the catalogue that the game is pinned to."},
    "patience": refer("Patience"),
    "commitment": {**HASH, "description": "SHA-256 of the dealer's secret."},
    "secret": {**or_null(TEXT), "description": "The dealer's secret, once the game is over."},
    "status": one_of("open", "running", "ended", "finished"),
    "turn": {**INTEGER, "description": "The number of the turn; 0 before the first."},
    "phase": or_null(TEXT),
    "start_seat": INTEGER,
    "active": or_null(_SEAT),
    "waiting_for": list_of(_SEAT, "The seats without which the game does not go on."),
    "seats": list_of(refer("SeatView")),
    "revealed": list_of(_NUMBERED, "What the active player turned up, and what is left of it."),
    "offers": list_of(refer("OpenOffer")),
    "ready": list_of(_SEAT, "Who wants nothing more in this trading."),
    "draw_pile": describe_object(
        "The draw pile.", {"size": INTEGER, "exhaustions": INTEGER}, {"cards": _CARDS}
    ),
    "discard_pile": _CARDS,
    "box": {**_CARDS, "description": "Cards that are out of the game."},
    "result": or_null(refer("GameResult")),
    "paused_by": list_of(
        INTEGER, "The disputes that hold the game up: until they are settled only talk is accepted."
    ),
    "take_back": or_null(refer("AskedTakeBack")),
    "end_offer": or_null(refer("OfferedEnd")),
}
"""The members of the table that every rule system has."""
OF_CLOCKED_GAMES: Final[dict[str, Schema]] = {"clock": refer("GameClock")}
"""What only games that are played with a clock have."""
OF_ROUNDS: Final[dict[str, Schema]] = {
    "dealing": describe_object(
        "Every table with this seed and the same `commitment` has the same deal.",
        {"version": INTEGER, "seed": TEXT},
    ),
}
"""What only games of a duplicate round have."""
OF_SOME_SYSTEMS: Final[dict[str, Schema]] = {
    "duel": {"type": "object", "description": "`the-duel`: gifts, bonus cards, claims."},
    "fans": list_of(_CARDS, "`ladybohn-expansion`: the fans, each from the first card to the last."),
    "quota_field": {**or_null(_SEAT), "description": "`ladybohn-expansion`: whose third field it is."},
    "levies": list_of(_SEAT, "`ladybohn-expansion`: whose levies are due, in the order earned."),
    "promises": list_of(
        describe_object("A promised levy.", {"seat": _SEAT, "to": _SEAT}), "`ladybohn-expansion`."
    ),
    "miss_moves": list_of(
        describe_object("A move that is open.", {"seat": _SEAT, "field": INTEGER}), "`ladybohn`."
    ),
    "barred_field": {**or_null(INTEGER), "description": "`ladybohn`: where nothing may be planted now."},
}
PARTS: Final[dict[str, Schema]] = {
    "Patience": describe_object(
        "Seconds for which bots whose turn it is wait for people and for programs.",
        {"people": INTEGER, "programs": INTEGER},
    ),
    "ClockSettings": describe_object(
        "A clock that games are played with; times in seconds.",
        {
            "bank": {**INTEGER, "description": "What each player has at the beginning."},
            "increment": {**INTEGER, "description": "What a player gets when a turn of theirs ends."},
            "cap": {**INTEGER, "description": "More than this nobody saves."},
            "answer": {
                **INTEGER,
                "description": (
                    "For all answers of a seat in one phase; each turn of its own begins with at least as much."
                ),
            },
            "grace": {**INTEGER, "description": "So much later a command still counts."},
            "strikes": {
                **INTEGER,
                "description": "After so many turns in which time ran out a bot takes the seat over.",
            },
            "bot": {**TEXT, "description": "The bot that moves then."},
        },
    ),
    "GameClock": describe_object(
        "Whose time runs and until when, at one version of a game that is played with a clock. It follows from the "
        "log alone; moments are milliseconds since 1970 (UTC), by the service's clock.",
        {
            "settings": refer("ClockSettings"),
            "banks": list_of(
                INTEGER,
                "By seat, the milliseconds that were left when its bank ran last. Of the one that runs now what is "
                "left is `deadline` less the present, and no more than this.",
            ),
            "waits": list_of(
                describe_object(
                    "What the game waits for.",
                    {
                        "seat": _SEAT,
                        "kind": {
                            **one_of("bank", "answer"),
                            "description": "The seat's own time, or that for an answer, which costs it nothing.",
                        },
                        "since": INTEGER,
                        "low_at": {
                            **INTEGER,
                            "description": "When a fifth of what there was for it is left.",
                        },
                        "deadline": {**INTEGER, "description": "When the time for it is over."},
                        "over_at": {
                            **INTEGER,
                            "description": "With the grace: from then on it is refused as `time_over`.",
                        },
                    },
                    {"offer": {**INTEGER, "description": "The offer to answer; absent for a move."}},
                )
            ),
            "credited_until": {**INTEGER, "description": "Time before this was given back; 0 for none."},
        },
    ),
    "NumberedCard": describe_object(
        "A card with the number that it keeps while it lies there.", {"number": INTEGER, "card": _CARD}
    ),
    "SeatView": describe_object(
        "A seat at the table.",
        {
            "seat": _SEAT,
            "name": or_null(TEXT),
            "kind": {"type": ["string", "null"], "enum": ["human", "bot", "program", None]},
            "bot": or_null(TEXT),
            "away": {
                "type": ["string", "null"],
                "enum": ["human", "program", None],
                "description": "Who has left this seat, while a bot plays on.",
            },
            "program": or_null(describe_object("The program that plays.", {"name": TEXT, "version": TEXT})),
            "hand": describe_object(
                "The hand, front card first; `cards` only for who may see them.",
                {"size": INTEGER},
                {"cards": list_of(_NUMBERED)},
            ),
            "fields": list_of(_CARDS, "The fields, each from the bottom card to the top one."),
            "third_field": FLAG,
            "coins": {**_CARDS, "description": "The cards that lie as coins; `?` where nobody has seen one."},
            "aside": list_of(_NUMBERED, "Cards that have to be planted."),
        },
        {
            "player": {
                **TEXT,
                "description": "Who took it, by the id of a player; `name` is then the one to show.",
            }
        },
    ),
    "OpenOffer": describe_object(
        "An open offer: what its maker gives and wants.",
        {
            "offer": INTEGER,
            "seat": _SEAT,
            "to": {**or_null(_SEAT), "description": "Null: open to all."},
            "hand_cards": _CARDS,
            "revealed": _NUMBERS,
            "want": _COUNTED,
            "want_revealed": _NUMBERS,
            "counters": {**or_null(INTEGER), "description": "The offer that it answers."},
            "declined": list_of(_SEAT),
        },
        {"hand": _NUMBERS, "spare": FLAG, "want_spared": FLAG},
    ),
    "AskedTakeBack": describe_object(
        "A seat asks to go back to a version; every seat that has not agreed has to answer first.",
        {"seat": _SEAT, "to_version": INTEGER, "agreed": list_of(_SEAT)},
    ),
    "OfferedEnd": describe_object(
        "A seat offers to end the game, which goes on until every seat has agreed.",
        {
            "seat": _SEAT,
            "kind": {**TEXT, "enum": ["drawn", "called_off"]},
            "agreed": list_of(_SEAT),
        },
    ),
    "GameResult": describe_object(
        "How the game ended.",
        {
            "scores": list_of(INTEGER, "By seat, in `unit`."),
            "winners": list_of(_SEAT, "One seat, or several where a tie is a shared victory; or none."),
            "reason": {
                **TEXT,
                "enum": [
                    "exhausted_while_drawing",
                    "exhausted_before_drawing",
                    "exhausted_in_this_turn",
                    "annulled",
                    "awarded",
                    "replaced",
                    "abandoned",
                    "drawn",
                    "called_off",
                    "never_begun",
                    "untouched",
                ],
                "description": "When the draw pile ran out for the last time: while cards were drawn in phase 4; "
                "earlier in the turn, so that there was no phase 4; in this turn, which was played to its end. Or "
                "how a ruling ended the game: it does not count, an arbiter named the winners, or the whole "
                "result. Or everybody left; all agreed to a draw, or to call it off; it was closed before it "
                "began, or because nobody had played for long.",
            },
            "unit": {**TEXT, "enum": ["coins", "cents"], "description": "100 cents are a coin."},
        },
    ),
    "CommandForm": {
        "description": "A command that is to be filled in: `form` holds what may fill each field.",
        "oneOf": [
            refer("OfferToFill"),
            refer("CounterToFill"),
            refer("AcceptToFill"),
            refer("SayToFill"),
            refer("AskTakeBackToFill"),
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
    form = describe_object("What may fill each field.", members, optional)
    return describe_object(description, {"type": {"type": "string", "enum": [name]}, "form": form})


_PROMISES: Final[dict[str, Schema]] = {
    "promises": {**FLAG, "description": "Whether `spare` and `want_spared` may be added."}
}
FORMS: Final[dict[str, Schema]] = {
    "OfferToFill": _form(
        "offer",
        "An offer: `to` is one of these (null: all), lists name card numbers that may be given or wanted, `want` the "
        "most of each variety. It has to give or want something.",
        {"to": list_of(or_null(_SEAT)), **_TRADE},
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
            "offer": INTEGER,
            "revealed": _NUMBERS,
            "payments": list_of(
                describe_object(
                    "One thing that is wanted.",
                    {"card": _CARD, "count": INTEGER, "hand": _NUMBERS, "revealed": _NUMBERS},
                )
            ),
        },
        {},
    ),
    "SayToFill": _form("say", "Table talk of 1 to `longest` characters.", {"longest": INTEGER}, {}),
    "AskTakeBackToFill": _form(
        "ask_take_back",
        "A question to all others whether the game goes back: `GET .../take-backs` lists to which versions it can, "
        "and where hidden cards were seen since, so that `seen_confirmed` is needed.",
        {},
        {},
    ),
}
LEGAL_COMMAND: Final[Schema] = {"anyOf": [refer("Command"), refer("CommandForm")]}
"""One of the legal commands: ready to send, or a form."""
