"""What every member of a request's body means, by its schema; of commands by its name."""

from typing import Any, Final

from events.codec import SEAT_COMMAND_TYPES
from service.http.schemas.commands import command_schema

_SEED: Final = (
    "This player's own share in the shuffle, up to 128 printable ASCII characters: who brings one that the service "
    "could not foresee knows that the deal was not chosen."
)
_MARKDOWN: Final = "Text in Markdown."
_SAYING: Final = {
    "comment": _MARKDOWN,
    "move": "A glyph for the move that led to the version.",
    "position": "Who stands how at the version.",
    "observations": "What the move is an instance of, such as `missed_deal`.",
    "marks": "What is marked on the table.",
    "arrows": "Arrows between places on the table.",
    "tags": "Words to find it by.",
    "variations": "Other ways to play on: tokens of branches of this game.",
}
_OWN_SET: Final = "The id of a set of yours."
_OF: Final = "The number of the note or reply in your set."
_KIND: Final = "Says which kind of annotation this is."

BODIES: Final[dict[str, dict[str, str]]] = {
    "NewGameRequest": {
        "system": "The key of the rule system; `GET /v1/systems` lists them with the numbers of players.",
        "seats": "One entry for each seat, so as many as players: a person, a bot, or null for a seat to be taken.",
        "options": "The system's options by name; those left out have their default.",
        "catalogue": "The name of the catalogue to play with, one of the system's `catalogues`; without it the usual "
        "one.",
        "visibility": "Who may watch: everybody who finds it in the list (`public`), everybody who knows its id "
        "(`unlisted`), or only whoever was given a token (`private`).",
        "spectator_delay": "How many versions spectators are behind until the game has finished.",
    },
    "SeatRequest": {
        "name": "The player's name, as everybody sees it.",
        "kind": "`bot` for a seat that the service plays; it then takes `bot` too.",
        "bot": "Which bot: `greedy` plays sensibly, `random` does anything legal. Only with `kind` `bot`.",
        "seed": _SEED,
    },
    "TakeSeatRequest": {
        "name": "Your name, as everybody sees it.",
        "seat": "The seat that you want; without it the first that is free.",
        "seed": _SEED,
    },
    "TakeBackRequest": {
        "to_version": "The version to go back to: one after a whole command, at which somebody could act.",
        "seen_confirmed": "Whether to go back although hidden cards have been seen since.",
    },
    "NewSpectatorRequest": {"name": "Who watches, for those who give the token."},
    "NewKeyRequest": {
        "name": "What the key is for, for those who look after keys.",
        "kind": "`integrator`: may do what its scopes say. `operator`: may do everything.",
        "scopes": "What an integrator's key may do; an operator's has none.",
        "expires": "When it ends by itself, in milliseconds since the epoch; null for never.",
    },
    "NewWebhookRequest": {
        "url": "Where to send what happens: an `https://` or `http://` address on the public internet.",
        "events": "What to tell; without it everything.",
        "games": "Of which games: those that the key sets up (`own`), all that it would find in the list (`all`), or "
        "`one`.",
        "game": "The id of that game, with `games` `one` only.",
    },
    "BranchRequest": {
        "version": "The version of the game to play on from; for a new branch.",
        "token": "The branch to go on in, as an earlier answer gave it.",
        "seed": "What the fresh cards of a new branch follow from.",
        "go": "Stand after the command of this number; 0 is where the branch begins.",
        "undo": "Take back so many commands, and what follows on them.",
        "play": "Commands to add, of any seats, in this order.",
        "bots": "Bots that play on then.",
        "after": "Leave the events up to this version out of the answer.",
    },
    "PlayRequest": {"seat": "Whose command it is.", "command": "What it plays."},
    "BotsRequest": {
        "seats": "The bots by seat, or one for all seats; null: nobody plays there.",
        "until": "How far they play: to the next `turn`, or to the `end`.",
        "commands": "How many commands at most.",
    },
    "NoteAnnotation": {
        "kind": _KIND,
        "set": "The id of a set of yours to go on with; without it the note begins a new one.",
        "version": "The version of the game that it is about.",
        **_SAYING,
    },
    "ReplyAnnotation": {
        "kind": _KIND,
        "set": "The id of a set of yours to go on with; without it the reply begins a new one.",
        "to": "What it replies to.",
        **_SAYING,
    },
    "EditAnnotation": {"kind": _KIND, "set": _OWN_SET, "of": _OF, **_SAYING},
    "WithdrawalAnnotation": {"kind": _KIND, "set": _OWN_SET, "of": _OF, "reason": _MARKDOWN},
    "PublicationAnnotation": {"kind": _KIND, "set": _OWN_SET, "title": "A title for the set."},
    "OpenDisputeRequest": {
        "reason": "What it is about.",
        "text": "What happened, as you see it; everybody at the table reads it.",
        "version": "The version of the game that you dispute.",
        "pause": "`true`: a running game waits for the end of it.",
    },
    "EvidenceRequest": {
        "text": "What else the arbiter should know.",
        "versions": "The versions of the game that it is about.",
    },
    "RulingRequest": {
        "kind": "What is done about it.",
        "scope": "What the ruling covers, such as `seat 2's offer of turn 7`; required.",
        "reason": "Why; required.",
        "to_version": "The version that the game goes back to; of `rewound` only.",
        "winners": "The seats that have won; of `awarded` and `replaced`.",
        "scores": "What each seat has, in their order; of `replaced`.",
        "seen_confirmed": "`true`: you know which hidden cards were seen that a rewound game forgets.",
    },
    "AppealRequest": {"text": "What is wrong with the ruling."},
    "ReferenceRequest": {"set": "The id of the set.", "number": "The number in that set."},
    "PositionRequest": {"glyph": "How they stand.", "seats": "Of whom the glyph speaks."},
    "MarkRequest": {"on": "A place on the table, such as `field:0:1` or `seat:1`.", "colour": "Its colour."},
    "ArrowRequest": {
        "start": "The place where it begins, such as `hand:1:12`.",
        "end": "The place where it points.",
        "colour": "Its colour.",
    },
}
"""Of bodies, by schema and member."""
COMMANDS: Final[dict[str, str]] = {
    "type": "Says which command this is.",
    "bonus": "The key of the bonus card, as the hand shows it.",
    "card": "The number of the card, as the table shows it. A card keeps its number while it lies there.",
    "fan": "The number of the fan, counted from 0.",
    "field": "The number of the field, counted from 0.",
    "hand": "Numbers of own hand cards to give, in any order: the `number` of a card, not its place.",
    "miss": "The place of the miss in the field, counted from 0 at the bottom.",
    "offer": "The number of the offer.",
    "owner": "The seat whose field it is.",
    "places": "How many places she moves towards the top.",
    "revealed": "Numbers of revealed cards to give, in any order; only the active player has any.",
    "reward": "`field` or `coin`, where make-up beans leave a choice.",
    "rotate": "Another own field whose top card goes to its bottom.",
    "seats": "The seats whose top coins are taken, in this order.",
    "spare": "Promises the other side one's next levy.",
    "text": "What is said: one line of up to 500 characters.",
    "to": "The seat that is asked; without it the offer is open to all.",
    "variety": "The variety, as the table names it.",
    "want": 'How many cards of each variety are wanted, by the card\'s key: `{"blue": 1}`.',
    "want_revealed": "Numbers of the active player's revealed cards that are wanted.",
    "want_spared": "Asks the other side for such a promise.",
}
"""Of commands, by member."""


def describe_members(schemas: dict[str, Any]) -> None:
    """Say of every member of a request's body what it means."""
    for schema, members in BODIES.items():
        for name, text in members.items():
            schemas[schema]["properties"][name]["description"] = text
    for type_name in SEAT_COMMAND_TYPES:
        described = schemas[type(command_schema(type_name)).__name__]["properties"]
        for name, member in described.items():
            member["description"] = COMMANDS[name]
