"""While a game runs, every value that a viewer may not see is a commitment, wherever it stands.

Who may see what is written down here once more, independently of the code under test.
"""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from events.chain.commitments import salt
from service.access.game_access import SECRET
from service.play.tables import Tables
from tests.service.in_process import InProcess, Stored
from tests.support.http_play import Answer, events_of

PUBLIC = -1
PRIVATE_DATA: dict[str, dict[str, str]] = {
    "seat_taken": {"bot_seed": ""},
    "pile_shuffled": {"order": ""},
    "hand_dealt": {"cards": "seat"},
    "cards_drawn": {"cards": "seat"},
    "offer_made": {"hand": "seat"},
    "trade_made": {"active_hand": "active", "partner_hand": "partner"},
}
PRIVATE_COMMANDS = {
    "offer": "hand",
    "counter": "hand",
    "accept": "hand",
    "shuffle": "order",
    "take_seat": "bot_seed",
}


def hidden(entry: Any, viewer: int) -> Iterator[tuple[str, Any]]:
    """Path and value of everything in an entry that the viewer may not see, from the entry itself."""
    for name, owner in PRIVATE_DATA.get(entry["type"], {}).items():
        holder = entry["data"][owner] if owner else None
        found = entry["data"].get(name, "")
        if holder == viewer or not found:
            continue
        parts = enumerate(found) if isinstance(found, list) else [("", found)]
        yield from ((f"data/{name}/{place}".rstrip("/"), value) for place, value in parts)
    command = entry.get("command", {})
    name = PRIVATE_COMMANDS.get(command.get("type", ""), "")
    if name in command and entry["actor"] != f"seat:{viewer}":
        yield f"command/{name}", command[name]


def at(entry: Any, path: str) -> Any:
    """What stands at a path of an entry."""
    for step in path.split("/"):
        entry = entry[int(step)] if isinstance(entry, list) else entry[step]
    return entry


@pytest.fixture
def game(api: InProcess) -> Stored:
    """Return a game of four in its middle, with trades behind it; a bot has the last seat."""
    return api.stored(stop_at=600)


def viewers(game: Stored) -> dict[int, str | None]:
    """Everybody's tokens by their seats, and a spectator's."""
    return {**dict(enumerate(game.tokens)), PUBLIC: None}


def reads(api: InProcess, game: str, token: str | None) -> list[Answer]:
    """Every GET of a running game that shows its events."""
    found = [
        api.call("GET", f"/v1/games/{game}/events?limit=1000", token=token, headers={"Accept": kind})
        for kind in ("application/json", "application/x-ndjson")
    ]
    return [*found, api.call("GET", f"/v1/games/{game}/record", token=token)]


def test_every_private_value_of_others_is_a_commitment(api: InProcess, game: Stored) -> None:
    """For two seats and a spectator, in every event of a game with a bot: hidden means committed to."""
    raw = [event["entry"] for event in events_of(api, game.id, api.key, "all")]
    kinds: set[str] = set()
    for viewer, token in viewers(game).items():
        for entry, event in zip(raw, events_of(api, game.id, token), strict=True):
            paths = [path for path, _ in hidden(entry, viewer)]
            kinds.update(f"{entry['type']}:{path.split('/')[1]}" for path in paths)
            for path in paths:
                assert set(at(event["entry"], path)) == {"commitment"}
                assert path not in event["salts"]
            assert "state" not in event["salts"]
            assert _with(event["entry"], entry, paths) == entry
    assert {f"{kind}:{name}" for kind, names in PRIVATE_DATA.items() for name in names} <= kinds


def _with(form: Any, entry: Any, paths: list[str]) -> Any:
    """A form with the hidden values put in their places: nothing else may differ from the entry."""
    whole = json.loads(json.dumps(form))
    for path in paths:
        way, _, last = path.rpartition("/")
        place = at(whole, way)
        place[int(last) if isinstance(place, list) else last] = at(entry, path)
    return whole


def test_no_secret_salt_or_token_leaves_while_the_game_runs(api: InProcess, game: Stored) -> None:
    """The game's secret, the salts of hidden values, bots' seeds and others' tokens are in no answer."""
    secret = api.store.private(game.id)[SECRET]
    table = Tables(api.store).newest(game.id).table
    raw = [event["entry"] for event in events_of(api, game.id, api.key, "all")]
    seeds = [entry["data"]["bot_seed"] for entry in raw if entry["data"].get("bot_seed")]
    assert len(seeds) == 1
    for viewer, token in viewers(game).items():
        answers = b"\n".join(answer.body for answer in reads(api, game.id, token)).decode()
        salts = [
            salt(table.key, entry["version"], path) for entry in raw for path, _ in hidden(entry, viewer)
        ]
        salts += [salt(table.key, entry["version"], "state") for entry in raw]
        others = [each for each in game.tokens if each != token]
        for value in (secret, table.key.hex(), *seeds, *others, *salts):
            assert value not in answers


def test_views_show_sizes_of_other_hands_only(api: InProcess, game: Stored) -> None:
    """At every version: no cards of other hands or of the draw pile, no numbers of others' offered cards."""
    version = api.get(f"/v1/games/{game.id}")["version"]
    for viewer, token in viewers(game).items():
        for when in range(1, version + 1, 29):
            state = api.get(f"/v1/games/{game.id}?at={when}", token)
            assert state["secret"] is None
            assert set(state["draw_pile"]) == {"size", "exhaustions"}
            for seat in state["seats"]:
                assert set(seat["hand"]) == ({"size", "cards"} if seat["seat"] == viewer else {"size"})
            assert all("hand" not in offer for offer in state["offers"] if offer["seat"] != viewer)
