"""The worked examples of the contract: real entries, commands and answers, the same whenever they are made.

Entries and commands come from the recorded games in `tests/logs`, the shortest of each type, where there is one as a
seat has it; of offers and acceptances one that names cards. Answers come from the service, asked about a recorded
game; what it draws by chance (ids, tokens) is replaced by what stands here.
"""

import gzip
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from events.log.codec import SEAT_COMMAND_TYPES
from service.http.messages.bodies import forms
from service.http.schemas.commands import command_schema
from service.http.schemas.log_entries import entry_names
from service.jobs.dispatching import Dispatcher
from service.projector import Projector
from tests.contract.paid_offer import paid_offer
from tests.contract.request_examples import REQUESTS
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_stream import EventStream
from tests.support.recorded_games import BEGINNING, recorded_game

ROOT: Final = Path(__file__).parents[2]
FILE: Final = ROOT / "service" / "http" / "contract" / "examples.json"
LOGS: Final = ROOT / "tests" / "logs"
PLAYING: Final = 40
"""The version at which the recorded game is looked at: somebody trades."""
LONG: Final = 2_000
"""Characters of an entry that are too many for an example: a whole pile of commitments."""
SEED: Final = 1
TELLING: Final = {"offer": ("hand", "want"), "accept": ("hand",)}
"""What an example of a command has to have: without it, it would give something away."""
TOKENS: Final = tuple("fbs_" + f"{seat}5ac0de" * 5 for seat in range(10))


def examples_text(api: InProcess) -> str:
    """All examples as the text of their file."""
    entries, commands = _recorded()
    stored = api.stored(SEED, stop_at=PLAYING)
    form, paid = paid_offer(recorded_game(SEED))
    shown = {
        "schemas": {
            **{name: entries[type_name] for type_name, name in entry_names().items()},
            **{type(command_schema(name)).__name__: commands[name] for name in SEAT_COMMAND_TYPES},
            "AcceptToFill": form,
        },
        "requests": {
            **{operation: _named(each) for operation, each in REQUESTS.items()},
            "send_commands": _named(
                {
                    "a card is planted": commands["plant"],
                    "an offer that gives and wants": commands["offer"],
                    "several, in order": [commands["plant"], commands["reveal"]],
                    "what an offer wants is given for it": paid,
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
    """The shortest entry of every event type, as a seat has it if one has it shortly, and of every command."""
    as_a_seat: dict[str, Any] = {}
    others: dict[str, Any] = {}
    commands: dict[str, Any] = {}
    files = sorted(LOGS.glob("*/*.ndjson*"), key=lambda file: (".seat-" not in file.name, str(file)))
    for file in files:
        for entry in _entries(file):
            _shortest(as_a_seat if ".seat-" in file.name else others, entry["type"], entry)
            command = entry.get("command", {"type": ""})
            if _tells(command):
                _shortest(commands, command["type"], command)
    short = {name: entry for name, entry in as_a_seat.items() if len(str(entry)) < LONG}
    return {**as_a_seat, **others, **short}, commands


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
    systems = api.get("/v1/systems")
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
            "the first of the systems",
            {
                "systems": systems["systems"][:1],
                "clocks": {"live": systems["clocks"]["live"]},
                "guests": systems["guests"],
            },
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
                    "a page of three events, as seat 0 has them",
                    api.get(f"{game}/events?after={PLAYING - 6}&limit=3", token),
                )["200"],
                "application/x-ndjson": _named({"two events, a line each": _lines(api, game, token)}),
                "text/event-stream": _named({"a frame with an event": _frame(api, stored)}),
            }
        },
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
        f"{game}/events?after={PLAYING - 6}&limit=2",
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


def _without_chance(problem: Any) -> Any:
    return {name: value for name, value in problem.items() if name != "request"}
