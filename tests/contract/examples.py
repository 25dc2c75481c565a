"""The worked examples of the contract: real entries, commands and answers, the same whenever they are made.

Entries and commands come from the recorded games in `tests/logs`, the shortest of each type, where there is one as a
seat has it. Answers come from the service, asked about a recorded game; what it draws by chance (ids, tokens) is
replaced by what stands here.
"""

import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from events.codec import SEAT_COMMAND_TYPES
from service.http.bodies import forms
from service.http.schemas.commands import command_schema
from service.http.schemas.log_entries import entry_names
from tests.contract.request_examples import REQUESTS
from tests.service.in_process import InProcess, Stored

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "service" / "http" / "examples.json"
LOGS: Final = ROOT / "tests" / "logs"
PLAYING: Final = 57
"""The version at which the recorded game is looked at: somebody trades."""
SEED: Final = 1
TOKENS: Final = tuple("fbs_" + f"{seat}5ac0de" * 5 for seat in range(10))


def examples_text(api: InProcess) -> str:
    """All examples as the text of their file."""
    entries, commands = _recorded()
    stored = api.stored(SEED, stop_at=PLAYING)
    shown = {
        "schemas": {
            **{name: entries[type_name] for type_name, name in entry_names().items()},
            **{type(command_schema(name)).__name__: commands[name] for name in SEAT_COMMAND_TYPES},
        },
        "requests": {
            **{operation: _named(each) for operation, each in REQUESTS.items()},
            "send_commands": _named(
                {
                    "one command": commands["offer"],
                    "several, in order": [commands["plant"], commands["reveal"]],
                }
            ),
        },
        "answers": _answers(api, stored),
    }
    return msgspec.json.format(msgspec.json.encode(shown, order="sorted"), indent=1).decode() + "\n"


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {
        name.replace(" ", "_").replace(",", ""): {"summary": name, "value": each}
        for name, each in values.items()
    }


@cache
def _recorded() -> tuple[dict[str, Any], dict[str, Any]]:
    """The shortest entry of every event type and the shortest command of every type."""
    entries: dict[str, Any] = {}
    commands: dict[str, Any] = {}
    files = sorted(LOGS.glob("*/*.ndjson*"), key=lambda file: (".seat-" not in file.name, str(file)))
    for file in files:
        found: dict[str, Any] = {}
        for entry in _entries(file):
            _shortest(found, entry["type"], entry)
            command = entry.get("command", {"type": ""})
            if not any(isinstance(value, dict) and "commitment" in value for value in command.values()):
                _shortest(commands, command["type"], command)
        entries = {**found, **entries}
    return entries, commands


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
        "show_table": _json("200", "the table as seat 0 sees it", api.get(game, token)),
        "list_legal_commands": _json(
            "200", "commands and forms", api.get(f"{game}/commands", stored.tokens[1])
        ),
        "read_events": _json(
            "200",
            "a page of three events, as seat 0 has them",
            api.get(f"{game}/events?after={PLAYING - 6}&limit=3", token),
        ),
        "send_commands": {
            **_json("200", "what planting a card brings about", _done(stored)),
            "422": {
                "application/problem+json": _named(
                    {"a move that the rules refuse": _without_chance(problem.json)}
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


def _without_chance(problem: Any) -> Any:
    return {name: value for name, value in problem.items() if name != "request"}
