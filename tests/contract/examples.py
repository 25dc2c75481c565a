"""The worked examples of the contract: real events, commands and answers, the same every time they are made.

Events and commands come from the recorded games in `tests/logs`: the shortest of each type, as a seat sees it where a
seat's log has one; offers and acceptances must name cards. Answers come from the service, requested for a recorded
game. Random values (ids, tokens) are replaced by constants, and long lists are shortened.
"""

import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from events.log.codec import SEAT_COMMAND_TYPES
from service.http.contract.document import operations
from service.http.messages.bodies import forms
from service.http.schemas.commands import command_schema
from service.http.schemas.log_entries import entry_names
from service.jobs.dispatching import Dispatcher
from service.openapi import contract, contract_text
from service.projector import Projector
from tests.contract.paid_offer import paid_offer
from tests.contract.request_examples import REQUESTS
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_stream import EventStream
from tests.support.recorded_games import BEGINNING, recorded_game

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "openapi.yaml"
LOGS: Final = ROOT / "tests" / "logs"
PLAYING: Final = 40
"""The version at which the recorded game is looked at: somebody trades."""
LONG: Final = 2_000
"""Characters of an event's data that are too many for an example: a whole pile of commitments."""
MAX_ITEMS: Final = 4
"""A longer list in an event's data is shortened to its first three items."""
SEED: Final = 1
TELLING: Final = {"offer": ("hand", "want"), "accept": ("hand",)}
"""What an example of a command has to have: without it, it would give something away."""
TOKENS: Final = tuple("fbs_" + f"{seat}5ac0de" * 5 for seat in range(10))


def contract_with_examples(api: InProcess) -> str:
    """Return the text of `openapi.yaml`."""
    document = contract()
    found = {operation["operationId"]: operation for _, _, operation in operations(document["paths"])}
    data, commands = _recorded()
    form, paid = paid_offer(recorded_game(SEED))
    schemas = document["components"]["schemas"]
    for type_name, name in entry_names().items():
        schemas[name]["properties"]["data"]["examples"] = [data[type_name]]
    for name in SEAT_COMMAND_TYPES:
        schemas[type(command_schema(name)).__name__]["examples"] = [commands[name]]
    schemas["AcceptToFill"]["examples"] = [form]
    requests = REQUESTS | {
        "send_commands": {
            "a card is planted": commands["plant"],
            "an offer that gives and wants": commands["offer"],
            "several, in order": [commands["plant"], commands["reveal"]],
            "what an offer wants is given for it": paid,
        }
    }
    for operation_id, values in requests.items():
        body = found[operation_id]["requestBody"]
        body["content"]["application/json"]["examples"] = _named(values)
    for operation_id, answers in _answers(api, api.stored(SEED, stop_at=PLAYING)).items():
        for status, by_type in answers.items():
            response = found[operation_id]["responses"][status]
            name = response.get("$ref", "").rpartition("/")[2]
            described = document["components"]["responses"][name] if name else response
            for media_type, examples in by_type.items():
                described["content"][media_type]["examples"] = examples
    return contract_text(document)


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {name.replace(" ", "_").replace(",", ""): {"value": each} for name, each in values.items()}


@cache
def _recorded() -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the shortest data of every event type, as a seat sees it if that is short, and of every command."""
    as_a_seat: dict[str, Any] = {}
    others: dict[str, Any] = {}
    commands: dict[str, Any] = {}
    files = sorted(LOGS.glob("*/*.ndjson*"), key=lambda file: (".seat-" not in file.name, str(file)))
    for file in files:
        for entry in _entries(file):
            _shortest(as_a_seat if ".seat-" in file.name else others, entry["type"], entry["data"])
            command = entry.get("command", {"type": ""})
            if _tells(command):
                _shortest(commands, command["type"], command)
    short = {name: data for name, data in as_a_seat.items() if len(str(data)) < LONG}
    return {name: _first_items(data) for name, data in {**as_a_seat, **others, **short}.items()}, commands


def _first_items(data: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value[:3] if isinstance(value, list) and len(value) > MAX_ITEMS else value
        for name, value in data.items()
    }


def _tells(command: dict[str, Any]) -> bool:
    """Whether a command hides nothing, and names what an example of it has to."""
    hidden = any(isinstance(value, dict) and "commitment" in value for value in command.values())
    return not hidden and all(command.get(name) for name in TELLING.get(command["type"], ()))


def _shortest(found: dict[str, Any], name: str, value: Any) -> None:
    if name not in found or len(str(value)) < len(str(found[name])):
        found[name] = value


def _entries(file: Path) -> Iterator[dict[str, Any]]:
    content = file.read_bytes()
    for line in (gzip.decompress(content) if file.suffix == ".gz" else content).splitlines():
        decoded = msgspec.json.decode(line)
        if "entry" in decoded:
            yield decoded["entry"]


def _answers(api: InProcess, stored: Stored) -> dict[str, Any]:
    """Answers by operation, status and media type."""
    token = stored.tokens[0]
    game = f"/v1/games/{stored.id}"
    problem = api.call("POST", f"{game}/commands", {"type": "draw"}, token=token)
    assert problem.status == 422
    return {
        "create_game": _json("201", "a game with one open seat", _created(api, stored)),
        "take_seat": _json(
            "201",
            "the seat and its token",
            {
                **_created(api, stored, "game", "version", "hash", "commitment"),
                "seat": 1,
                "token": TOKENS[1],
            },
        ),
        "list_systems": _json(
            "200",
            "the first of the systems, with one of its beans",
            _first_system(api),
        ),
        "list_games": _json("200", "one game", _listed(api, stored)),
        "show_own_token": _json("200", "a key", _own_key(api)),
        "show_table": _json("200", "the table as seat 0 sees it", api.get(game, token)),
        "list_legal_commands": _json(
            "200", "commands and forms", api.get(f"{game}/commands", stored.tokens[1])
        ),
        "read_events": {
            "200": {
                **_json(
                    "200",
                    "a page of one event, as seat 0 sees it",
                    api.get(f"{game}/events?after={PLAYING - 6}&limit=1", token),
                )["200"],
                "application/x-ndjson": _named({"an event in a line": _lines(api, game, token)}),
                "text/event-stream": _named({"a frame with an event": _frame(api, stored)}),
            }
        },
        "send_commands": {
            **_json("200", "what planting a card brings about", _done(stored)),
            "422": {
                "application/problem+json": _named(
                    {"a move that the rules refuse, with two of the legal commands": _shortened(problem.json)}
                )
            },
        },
    }


def _json(status: str, summary: str, value: Any) -> dict[str, Any]:
    return {status: {"application/json": _named({summary: value})}}


def _created(api: InProcess, stored: Stored, *members: str) -> dict[str, Any]:
    """The answer to a new game, with ids and hashes of the recorded one."""
    made = api.create([{"name": "Ann"}, None, {"name": "Rob", "kind": "bot", "bot": "greedy"}])
    entry = stored.recorded.log[made["version"] - 1]
    commitment = stored.recorded.table.state.commitment
    made |= {"game": stored.id, "hash": entry.hash, "commitment": commitment}
    for seat in made["seats"]:
        if "token" in seat:
            seat["token"] = TOKENS[seat["seat"]]
    return {name: made[name] for name in members} if members else made


class _NoQueue(Dispatcher):
    """Takes no game for validation: none has finished."""

    def __init__(self) -> None:
        """Ask no server."""

    def enqueue(self, game: str, version: int) -> bool:
        """Refuse it."""
        raise AssertionError(game, version)


def _listed(api: InProcess, stored: Stored) -> dict[str, Any]:
    """The list of games, with nothing but the recorded one in it."""
    Projector(api.store, _NoQueue()).catch_up(range(api.store.partitions))
    page = api.get("/v1/games")
    return {"games": [each for each in page["games"] if each["game"] == stored.id], "next": None}


def _own_key(api: InProcess) -> dict[str, Any]:
    """What a key says of itself, with the id of an example and a moment at which it was made."""
    shown: dict[str, Any] = api.get("/v1/keys/self", api.key)
    fixed = {"id": "key_0f3c9a1e77f44b2e", "players": "0f3c9a1e77f4"}
    return shown | fixed | {"created": BEGINNING, "last_used": None}


def _lines(api: InProcess, game: str, token: str) -> str:
    answer = api.call(
        "GET",
        f"{game}/events?after={PLAYING - 6}&limit=1",
        token=token,
        headers={"Accept": "application/x-ndjson"},
    )
    return answer.body.decode()


def _frame(api: InProcess, stored: Stored) -> str:
    with EventStream(api, stored.id, f"?after={PLAYING - 6}", stored.tokens[0]) as stream:
        frame = stream.event()
    return f"id: {frame.id}\nevent: {frame.event}\ndata: {frame.data}\n\n"


def _done(stored: Stored) -> dict[str, Any]:
    """The answer to a command of seat 0, from what it brought about in the recorded game."""
    log = stored.recorded.log
    first = next(
        place for place, each in enumerate(log) if b'"plant"' in each.command and each.actor == "seat:0"
    )
    last = next(place for place in range(first + 1, len(log)) if log[place].command)
    return {
        "game": stored.id,
        "version": log[last - 1].version,
        "hash": log[last - 1].hash,
        "dry_run": False,
        "withheld": False,
        "applied": 1,
        "stopped": None,
        "events": msgspec.to_builtins(forms(log[first:last], stored.recorded.table.key, 0)),
    }


def _first_system(api: InProcess) -> dict[str, Any]:
    """Return the first of the systems, with the first of its beans, catalogues and clocks."""
    answer = api.get("/v1/systems")
    first = answer["systems"][0]
    first["catalogue"]["beans"] = first["catalogue"]["beans"][:1]
    first["catalogues"] = first["catalogues"][:1]
    card = first["catalogue"]["beans"][0]["card"]
    first["names"] = {card: first["names"][card]}
    clocks = {"live": answer["clocks"]["live"]}
    return {"systems": [first], "clocks": clocks, "guests": answer["guests"]}


def _shortened(problem: dict[str, Any]) -> dict[str, Any]:
    """Return a problem without the state of the table, with the last two legal commands that need no form."""
    listed = [each for each in problem["legal_commands"] if "form" not in each]
    kept = {name: value for name, value in problem.items() if name not in {"request", "state"}}
    return kept | {"legal_commands": listed[-2:]}
