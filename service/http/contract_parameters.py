"""What every parameter of an address means, by its name; and by the operation too where it means something else."""

from typing import Any, Final

from service.http.contract_operations import METHODS, OPERATIONS

PATH: Final = {
    "system": "The key of a rule system, such as `classic`.",
    "game": "The id of a game, as setting it up answered it and the list has it.",
    "dispute": "The number of a case in its game, counted from 1.",
    "seat": "The number of a seat, counted from 0.",
    "spectator": "The id of a spectator, as giving the token answered it.",
    "key": "The id of a key: `key_...`, never the key itself.",
    "webhook": "The id of a webhook: `wh_...`.",
    "delivery": "The id of a delivery, which is the header `webhook-id` of what was sent.",
}
_CURSOR: Final = "Where to go on: the `next` of an earlier page. Without it the list begins."
_LIMIT: Final = "How many entries a page has at most. More than there may be is as many as may be."
_TIME: Final = "Milliseconds since the epoch, or such as `2026-11-21T08:30:00Z`."
_SIZE: Final = "The size of the log, that of your checkpoint for instance; without it the log as it stands."
QUERY: Final = {
    "after": "The version that you know, such as `41`, or the `cursor` of an earlier answer, such as `41-0f3c9a1e`, "
    "which also tells of a history that was lost.",
    "annotations": "`true`: the record carries the published annotations too.",
    "as": "Through whose eyes: `public`, a seat such as `seat:0`, or `all`. Without it your own; others, and `all`, "
    "are for games that have finished, and for arbiters.",
    "at": "A version that has been: the answer never changes and may be kept for ever. Without it the newest.",
    "atomic": "`true`: all commands of the array count, or none does.",
    "audit": "`true`: the rules are asked again about every command.",
    "author": "Only what this author says: a seat such as `seat:1`, or the id of a key.",
    "checkpoint": "The size of the log in a checkpoint that you keep: the record then answers it.",
    "created_after": f"Only games created then or later. {_TIME}",
    "created_before": f"Only games created before. {_TIME}",
    "cursor": _CURSOR,
    "dry_run": "`true`: only says what would happen. Nothing is appended, and an `Idempotency-Key` is not looked at.",
    "finished_after": f"Only games finished then or later. {_TIME}",
    "finished_before": f"Only games finished before. {_TIME}",
    "game": "The id of a game: tokens of seats and spectators are good in one game only. Not needed for keys.",
    "history": "`true`: with everything that was edited or withdrawn.",
    "limit": _LIMIT,
    "older_than": "Only cases opened so long ago or longer: `2d`, `12h`, `90m`, `60s`.",
    "sha256": "The hash of one of the packs of the case; without it the newest.",
    "player": "Only games with a player of this name.",
    "reason": "Only cases about this.",
    "quarantined": "`true`: only games that cannot be read up to their end; `false`: only the others.",
    "set": "Only the annotations of this set.",
    "size": _SIZE,
    "status": "Only games in this status.",
    "system": "Only games of this rule system.",
    "text": "A language: each event then has a sentence `text` that tells it.",
    "ticket": "A ticket for this one stream in place of a token, for a browser's `EventSource`.",
    "to": _SIZE,
    "validation": "Only games that the validator has judged so; `pending` until it has.",
    "version": "A version of the game; without it the game as it stands.",
    "view": "Whether a stream begins with the table in a frame `view`: `true` also for one that is resumed, `false` "
    "never. Without it one that is resumed does not.",
    "wait": "Seconds for which the answer is held back while there is nothing after `after`: 60 at most.",
}
"""Of queries, by name."""
ELSEWHERE: Final = {
    ("export_games", "after"): "The place behind a record, from a line `after` of an earlier download.",
    ("export_games", "limit"): "How many games at most; without it all.",
    ("fetch_consistency", "from"): "The size of the log that you know.",
    ("list_all_disputes", "game"): "Only cases of this game.",
    ("list_all_disputes", "status"): "Only cases in this status.",
    ("list_annotations", "after"): _CURSOR,
    ("list_annotations", "version"): "Only what is said about this version.",
    ("list_deliveries", "status"): "Only deliveries in this status.",
    ("list_log_entries", "from"): "The number of the first entry, counted from 0.",
}
"""Of queries that mean something else by a name, by operation."""


def describe_parameters(paths: dict[str, Any]) -> None:
    """Say of every parameter of a path or a query what it means."""
    for path, methods in paths.items():
        for each in methods.get("parameters", ()):
            each["description"] = PATH[each["name"]]
        for method in METHODS & methods.keys():
            operation = OPERATIONS[method, path].id
            for each in methods[method].get("parameters", ()):
                if each["in"] == "query":
                    name = each["name"]
                    each["description"] = ELSEWHERE.get((operation, name)) or QUERY[name]
