"""Worked examples of requests that a person or a program would send; those of commands come from recorded games."""

from typing import Any, Final

_SET: Final = "m3q8v1x7c2k9d4h6p0sw"
_OTHER_SET: Final = "t5b8n2f7j1r4z9y6g3ae"

REQUESTS: Final[dict[str, dict[str, Any]]] = {
    "create_game": {
        "two people and a bot": {
            "system": "classic",
            "seats": [{"name": "Ann"}, {"name": "Ben"}, {"name": "Rob", "kind": "bot", "bot": "greedy"}],
        },
        "seats to be taken": {
            "system": "extended",
            "seats": [{"name": "Ann", "seed": "my-dice-say-4"}, None, None],
            "options": {"bean_protection": "strict"},
        },
    },
    "take_seat": {
        "the first free seat": {"name": "Ben"},
        "a certain seat, with a share in the shuffle": {"name": "Cat", "seat": 2, "seed": "my-dice-say-4"},
    },
    "ask_take_back": {
        "I did not mean to plant that": {"to_version": 57},
        "although cards were drawn since": {"to_version": 52, "seen_confirmed": True},
    },
    "add_spectator": {"somebody who watches": {"name": "Dora"}},
    "create_key": {
        "a key for a tournament": {
            "name": "spring tournament",
            "scopes": ["create_games", "read_games", "webhooks"],
        },
        "a key for an arbiter that ends by itself": {
            "name": "arbiter",
            "scopes": ["arbitrate"],
            "expires": 1893456000000,
        },
    },
    "announce_tournament": {
        "two rounds of the duel": {
            "name": "Autumn",
            "system": "bean-duel",
            "format": "swiss",
            "rounds": 2,
            "clock": "live",
            "late_after": 7200,
        },
    },
    "register_player": {"a bot": {"player": "b-7", "name": "Rob", "bot": "greedy"}},
    "create_webhook": {
        "whose turn it is in my games": {
            "url": "https://bots.example/hooks/fieldbook",
            "events": ["game.turn", "game.finished"],
        },
        "everything about one game": {
            "url": "https://club.example/hooks/final",
            "games": "one",
            "game": "7f3c9a1e5b",
        },
    },
    "annotate": {
        "a note that begins a set": {
            "kind": "note",
            "version": 57,
            "comment": "Two **chili** for one wax bean: she keeps her third field free for it.",
            "move": "dubious",
            "position": {"glyph": "slightly_better", "seats": [1]},
            "observations": ["missed_deal"],
            "marks": [{"on": "field:0:1", "colour": "red"}, {"on": "seat:1"}],
            "tags": ["trading"],
        },
        "a reply to somebody else's": {
            "kind": "reply",
            "to": {"set": _OTHER_SET, "number": 1},
            "comment": "It was the only deal on offer.",
        },
        "a note says something else from now on": {
            "kind": "edit",
            "set": _SET,
            "of": 1,
            "comment": "Two chili for one wax bean, and a promise.",
        },
        "a note is taken back": {
            "kind": "withdrawal",
            "set": _SET,
            "of": 1,
            "reason": "I misread the table.",
        },
        "a set is published": {"kind": "publication", "set": _SET, "title": "The final, round by round"},
    },
    "open_dispute": {
        "a trade that one side never agreed to": {
            "reason": "not_agreed",
            "text": "I declined the offer of turn 7, and the trade was made all the same.",
            "version": 57,
            "pause": True,
        }
    },
    "add_evidence": {
        "what else to look at": {"text": "The offer was changed after I had answered.", "versions": [55, 56]}
    },
    "give_ruling": {
        "the case is dismissed": {
            "kind": "dismissed",
            "scope": "seat 1's offer of turn 7",
            "reason": "The log shows the acceptance, 8 seconds after the offer.",
        },
        "back to before the trade": {
            "kind": "rewound",
            "scope": "the trade of turn 7 and all that followed from it",
            "reason": "The offer was shown with other cards than it had.",
            "to_version": 55,
            "seen_confirmed": True,
        },
        "another result": {
            "kind": "replaced",
            "scope": "the result of the game",
            "reason": "Seats 1 and 2 played together, as their messages of turns 3 to 9 show.",
            "winners": [0],
            "scores": [9, 0, 0],
        },
    },
    "preview_ruling": {
        "what going back would do": {
            "kind": "rewound",
            "scope": "the trade of turn 7 and all that followed from it",
            "reason": "The offer was shown with other cards than it had.",
            "to_version": 55,
            "seen_confirmed": True,
        },
    },
    "appeal": {"what is wrong with it": {"text": "The arbiter has looked at the offer of turn 6."}},
    "play_branch": {
        "bots play on from a version": {"version": 57, "seed": "what-if", "bots": {"seats": ["greedy"]}},
        "another move, and bots to the next turn": {
            "version": 57,
            "play": [{"seat": 0, "command": {"type": "end_trading"}}],
            "bots": {"seats": [None, "greedy", "greedy"], "until": "turn"},
        },
    },
}
"""By operation, and then by what they are for."""
