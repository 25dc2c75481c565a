"""What the contract says of each operation by name: its id, who may ask, and where its answer leads."""

from dataclasses import dataclass, field
from typing import Any, Final

METHODS: Final = frozenset({"get", "post", "put", "patch", "delete"})
"""What is an operation among the members of a path."""
KEY: Final[dict[str, list[str]]] = {"key": []}
SEAT: Final[dict[str, list[str]]] = {"seat": []}
SPECTATOR: Final[dict[str, list[str]]] = {"spectator": []}
NOBODY: Final[dict[str, list[str]]] = {}
WHO_WATCHES: Final = (NOBODY, KEY, SEAT, SPECTATOR)
"""Who may look at a public game; at a private one the same without NOBODY."""
ANYBODY: Final = (NOBODY,)

SCHEMES: Final = {
    "key": "A key of an integrator or operator: `fbk_...`. `fieldbook keys` makes them, as does `POST /v1/keys`.",
    "seat": "The token of a seat of this game, from setting the game up or taking the seat: `fbs_...`.",
    "spectator": "The token of a spectator of this game: `fbw_...`.",
}
_GAME: Final = {"game": "$response.body#/game"}
_SAME_GAME: Final = {"game": "$request.path.game"}


@dataclass(frozen=True)
class Link:
    """From an answer to a request that follows it."""

    to: str
    parameters: dict[str, str]
    description: str
    body: str | None = None

    def described(self) -> dict[str, Any]:
        """The link as the contract has it."""
        link: dict[str, Any] = {
            "operationId": self.to,
            "parameters": self.parameters,
            "description": self.description,
        }
        return link if self.body is None else {**link, "requestBody": self.body}


@dataclass(frozen=True)
class Operation:
    """One operation: its id, the security that it asks for (one of these), and its links."""

    id: str
    security: tuple[dict[str, list[str]], ...] = WHO_WATCHES
    links: dict[str, Link] = field(default_factory=dict)


_AFTER_A_SEAT: Final = {
    "look": Link("show_table", _GAME, "The table as the seat sees it."),
    "choose": Link("list_legal_commands", _GAME, "What the seat may send, with its token."),
    "follow": Link("read_events", _GAME, "What happens in the game."),
}
_AFTER_A_COMMAND: Final = {
    "look": Link("show_table", _SAME_GAME, "The table after it."),
    "look_back": Link(
        "show_table", {**_SAME_GAME, "at": "$response.body#/version"}, "The table at this version."
    ),
    "choose": Link("list_legal_commands", _SAME_GAME, "What the seat may send next."),
    "follow": Link(
        "read_events", {**_SAME_GAME, "after": "$response.body#/version"}, "What happens after it."
    ),
    "prove": Link("fetch_receipt", _SAME_GAME, "The service's signature on the game as it stands."),
}

_OPENED: Final = {**_SAME_GAME, "dispute": "$response.body#/dispute"}
_AFTER_OPENING: Final = {
    "look": Link("show_dispute", _OPENED, "How the case stands."),
    "evidence": Link("read_evidence_pack", _OPENED, "What the log says about it, in a moment."),
    "prove": Link("add_evidence", _OPENED, "Say more about it."),
    "withdraw": Link("withdraw_dispute", _OPENED, "Take it back."),
    "claim": Link("claim_dispute", _OPENED, "Take it on as an arbiter."),
}
_OF_A_CASE: Final = {
    "look": Link("show_dispute", {**_SAME_GAME, "dispute": "$request.path.dispute"}, "How the case stands.")
}

OPERATIONS: Final[dict[tuple[str, str], Operation]] = {
    ("get", "/v1/systems"): Operation(
        "list_systems",
        ANYBODY,
        {"describe": Link("describe_system", {"system": "$response.body#/systems/0/system"}, "One of them.")},
    ),
    ("get", "/v1/systems/{system}"): Operation("describe_system", ANYBODY),
    ("get", "/v1/games"): Operation(
        "list_games",
        links={
            "next": Link("list_games", {"cursor": "$response.body#/next"}, "The following page."),
            "look": Link("show_table", {"game": "$response.body#/games/0/game"}, "One of them."),
        },
    ),
    ("post", "/v1/games"): Operation(
        "create_game",
        (KEY,),
        {
            **_AFTER_A_SEAT,
            "sit_down": Link("take_seat", _GAME, "Take a seat that was left open."),
            "watch": Link("add_spectator", _GAME, "Give somebody a token to watch with."),
            "replace": Link("replace_seat_token", {**_GAME, "seat": "0"}, "Replace a token that was lost."),
        },
    ),
    ("get", "/v1/games/{game}"): Operation(
        "show_table",
        links={
            "follow": Link(
                "read_events", {**_SAME_GAME, "after": "$response.body#/version"}, "What happens after it."
            ),
            "cards": Link("show_catalogue", _SAME_GAME, "The cards that it is played with."),
        },
    ),
    ("get", "/v1/games/{game}/catalogue"): Operation("show_catalogue"),
    ("post", "/v1/games/{game}/seats"): Operation("take_seat", links=_AFTER_A_SEAT),
    ("post", "/v1/games/{game}/seats/{seat}/token"): Operation(
        "replace_seat_token", (KEY,), {"choose": Link("list_legal_commands", _SAME_GAME, "Go on with it.")}
    ),
    ("get", "/v1/games/{game}/spectators"): Operation("list_spectators", (KEY, SEAT)),
    ("post", "/v1/games/{game}/spectators"): Operation(
        "add_spectator",
        (KEY, SEAT),
        {
            "dismiss": Link(
                "dismiss_spectator",
                {**_SAME_GAME, "spectator": "$response.body#/spectator"},
                "Make the token good for nothing.",
            )
        },
    ),
    ("delete", "/v1/games/{game}/spectators/{spectator}"): Operation("dismiss_spectator", (KEY, SEAT)),
    ("get", "/v1/games/{game}/commands"): Operation(
        "list_legal_commands",
        (SEAT,),
        {
            "send": Link(
                "send_commands",
                _SAME_GAME,
                "Send one of them: as it is, or filled in where it has a form.",
                "$response.body#/commands/0",
            )
        },
    ),
    ("post", "/v1/games/{game}/commands"): Operation("send_commands", (SEAT,), _AFTER_A_COMMAND),
    ("get", "/v1/games/{game}/take-backs"): Operation(
        "list_take_backs",
        (SEAT,),
        {"ask": Link("ask_take_back", _SAME_GAME, "Ask the others to go back to one of these versions.")},
    ),
    ("post", "/v1/games/{game}/take-backs"): Operation("ask_take_back", (SEAT,), _AFTER_A_COMMAND),
    ("post", "/v1/games/{game}/take-backs/agreement"): Operation(
        "agree_take_back", (SEAT,), _AFTER_A_COMMAND
    ),
    ("post", "/v1/games/{game}/take-backs/refusal"): Operation(
        "decline_take_back", (SEAT,), _AFTER_A_COMMAND
    ),
    ("post", "/v1/games/{game}/branches"): Operation(
        "play_branch",
        links={"look": Link("show_table", _SAME_GAME, "The game that it parts from.")},
    ),
    ("get", "/v1/games/{game}/events"): Operation(
        "read_events",
        links={
            "next": Link(
                "read_events", {**_SAME_GAME, "after": "$response.body#/cursor"}, "The following page."
            )
        },
    ),
    ("post", "/v1/games/{game}/tickets"): Operation(
        "get_ticket",
        (KEY, SEAT, SPECTATOR),
        {
            "stream": Link(
                "read_events",
                {**_SAME_GAME, "ticket": "$response.body#/ticket"},
                "The stream that it is good for.",
            )
        },
    ),
    ("get", "/v1/games/{game}/record"): Operation("download_record"),
    ("get", "/v1/games/{game}/annotations"): Operation(
        "list_annotations",
        links={
            "next": Link(
                "list_annotations", {**_SAME_GAME, "after": "$response.body#/next"}, "The following page."
            )
        },
    ),
    ("post", "/v1/games/{game}/annotations"): Operation(
        "annotate",
        (KEY, SEAT, SPECTATOR),
        {"look": Link("list_annotations", _SAME_GAME, "What stands, with what was written.")},
    ),
    ("post", "/v1/games/{game}/annotations/imports"): Operation(
        "import_annotations",
        (KEY, SEAT, SPECTATOR),
        {"look": Link("list_annotations", _SAME_GAME, "What stands, with what was taken over.")},
    ),
    ("get", "/v1/games/{game}/disputes"): Operation(
        "list_disputes",
        links={
            "look": Link(
                "show_dispute",
                {**_SAME_GAME, "dispute": "$response.body#/disputes/0/dispute"},
                "One of them.",
            )
        },
    ),
    ("post", "/v1/games/{game}/disputes"): Operation("open_dispute", (KEY, SEAT), _AFTER_OPENING),
    ("get", "/v1/games/{game}/disputes/{dispute}"): Operation("show_dispute", links=_OF_A_CASE),
    ("get", "/v1/games/{game}/disputes/{dispute}/evidence-pack"): Operation(
        "read_evidence_pack", links=_OF_A_CASE
    ),
    ("post", "/v1/games/{game}/disputes/{dispute}/evidence"): Operation(
        "add_evidence", (KEY, SEAT), _OF_A_CASE
    ),
    ("post", "/v1/games/{game}/disputes/{dispute}/withdrawal"): Operation(
        "withdraw_dispute", (KEY, SEAT), _OF_A_CASE
    ),
    ("post", "/v1/games/{game}/disputes/{dispute}/claim"): Operation("claim_dispute", (KEY,), _OF_A_CASE),
    ("delete", "/v1/games/{game}/disputes/{dispute}/claim"): Operation("release_dispute", (KEY,), _OF_A_CASE),
    ("post", "/v1/games/{game}/disputes/{dispute}/rulings"): Operation("give_ruling", (KEY,), _OF_A_CASE),
    ("post", "/v1/games/{game}/disputes/{dispute}/previews"): Operation(
        "preview_ruling",
        (KEY,),
        {"rule": Link("give_ruling", _OF_A_CASE["look"].parameters, "Give the ruling that was looked at.")},
    ),
    ("post", "/v1/games/{game}/disputes/{dispute}/acceptance"): Operation(
        "accept_ruling", (KEY, SEAT), _OF_A_CASE
    ),
    ("post", "/v1/games/{game}/disputes/{dispute}/appeal"): Operation("appeal", (KEY, SEAT), _OF_A_CASE),
    ("get", "/v1/disputes"): Operation(
        "list_all_disputes",
        (KEY,),
        {
            "next": Link("list_all_disputes", {"cursor": "$response.body#/next"}, "The following page."),
            "look": Link(
                "show_dispute",
                {"game": "$response.body#/disputes/0/game", "dispute": "$response.body#/disputes/0/dispute"},
                "The oldest of them.",
            ),
        },
    ),
    ("get", "/v1/games/{game}/validations"): Operation("list_validations"),
    ("get", "/v1/games/{game}/receipt"): Operation("fetch_receipt"),
    ("get", "/v1/games/{game}/proof"): Operation("fetch_proof"),
    ("get", "/v1/exports/games"): Operation("export_games"),
    ("get", "/v1/log"): Operation(
        "show_log",
        ANYBODY,
        {
            "checkpoint": Link(
                "fetch_checkpoint", {"size": "$response.body#/size"}, "The checkpoint by itself."
            ),
            "consistency": Link(
                "fetch_consistency", {"from": "$response.body#/size"}, "Ask later what it grew from."
            ),
        },
    ),
    ("get", "/v1/log/checkpoint"): Operation("fetch_checkpoint", ANYBODY),
    ("get", "/v1/log/consistency"): Operation("fetch_consistency", ANYBODY),
    ("get", "/v1/log/entries"): Operation(
        "list_log_entries",
        ANYBODY,
        {"next": Link("list_log_entries", {"from": "$response.body#/next"}, "The following page.")},
    ),
    ("get", "/v1/signing-keys"): Operation("list_signing_keys", ANYBODY),
    ("post", "/v1/verifications"): Operation("verify_record", ANYBODY),
    ("get", "/v1/keys"): Operation(
        "list_keys",
        (KEY,),
        {"next": Link("list_keys", {"cursor": "$response.body#/next"}, "The following page.")},
    ),
    ("post", "/v1/keys"): Operation(
        "create_key",
        (KEY,),
        {
            "look": Link("show_key", {"key": "$response.body#/id"}, "Whether and when it was used."),
            "revoke": Link("revoke_key", {"key": "$response.body#/id"}, "Make it good for nothing."),
        },
    ),
    ("get", "/v1/keys/self"): Operation("show_own_token", (KEY, SEAT, SPECTATOR)),
    ("get", "/v1/keys/{key}"): Operation("show_key", (KEY,)),
    ("delete", "/v1/keys/{key}"): Operation("revoke_key", (KEY,)),
    ("get", "/v1/operator-acts"): Operation(
        "list_operator_acts",
        (KEY,),
        {"next": Link("list_operator_acts", {"cursor": "$response.body#/next"}, "The following page.")},
    ),
    ("get", "/v1/webhooks"): Operation(
        "list_webhooks",
        (KEY,),
        {"look": Link("show_webhook", {"webhook": "$response.body#/webhooks/0/id"}, "One of them.")},
    ),
    ("post", "/v1/webhooks"): Operation(
        "create_webhook",
        (KEY,),
        {
            "look": Link("show_webhook", {"webhook": "$response.body#/id"}, "Whether it is active by now."),
            "ask_again": Link("verify_webhook", {"webhook": "$response.body#/id"}, "Have it asked again."),
            "deliveries": Link("list_deliveries", {"webhook": "$response.body#/id"}, "What it was told."),
            "remove": Link("delete_webhook", {"webhook": "$response.body#/id"}, "Have it told nothing more."),
        },
    ),
    ("get", "/v1/webhooks/{webhook}"): Operation("show_webhook", (KEY,)),
    ("delete", "/v1/webhooks/{webhook}"): Operation("delete_webhook", (KEY,)),
    ("post", "/v1/webhooks/{webhook}/verify"): Operation("verify_webhook", (KEY,)),
    ("post", "/v1/webhooks/{webhook}/disable"): Operation("disable_webhook", (KEY,)),
    ("get", "/v1/webhooks/{webhook}/deliveries"): Operation(
        "list_deliveries",
        (KEY,),
        {
            "again": Link(
                "redeliver",
                {"webhook": "$request.path.webhook", "delivery": "$response.body#/deliveries/0/id"},
                "Have it sent once more.",
            )
        },
    ),
    ("post", "/v1/webhooks/{webhook}/deliveries/{delivery}/redeliver"): Operation("redeliver", (KEY,)),
}
"""Every operation by method and path; the contract cannot be made while one is missing."""


def describe_operations(paths: dict[str, Any]) -> None:
    """Give every operation its id, its security and the links of its answer to operations that there are."""
    present = {
        operation.id for (method, path), operation in OPERATIONS.items() if method in paths.get(path, {})
    }
    for path, methods in paths.items():
        for method, described in methods.items():
            if method not in METHODS:
                continue
            operation = OPERATIONS[method, path]
            described["operationId"] = operation.id
            described["security"] = [dict(each) for each in operation.security]
            if operation.links:
                status = next(each for each in ("200", "201", "202") if each in described["responses"])
                described["responses"][status]["links"] = {
                    name: link.described() for name, link in operation.links.items() if link.to in present
                }
