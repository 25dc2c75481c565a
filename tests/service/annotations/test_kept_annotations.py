"""The annotations of a game are parsed once in a process, and then what is new; and who has how much room."""

from typing import Any

import pytest

from events.store.redis.keys import GameKeys
from replay.annotations.book import LARGEST
from replay.annotations.entries import parse_entry
from service.access.game_access import GamePolicy
from service.access.store import Keys
from service.annotations import store
from service.annotations.store import Annotations
from service.http.context import turns
from service.http.context.turns import LONG
from tests.service.http.resources.test_annotations import (
    exported,
    imported,
    path_of,
    published,
    refused,
    wrote,
)
from tests.service.in_process import InProcess

LONG_NOTE = {"version": 1, "comment": "x" * 1_000}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every entry that is parsed."""
    found: list[Any] = []

    def parse(written: Any, chain_hash: str) -> Any:
        found.append(written)
        return parse_entry(written, chain_hash)

    monkeypatch.setattr("service.annotations.reading.parse_entry", parse)
    return found


def test_each_entry_is_parsed_once(api: InProcess, parsed: list[Any]) -> None:
    """However often it is read, by whomever, and also where others write in between."""
    game = api.stored()
    for number in range(20):
        published(api, game, game.tokens[number % 3], {"version": 7, "comment": str(number)})
    for _ in range(3):
        assert len(api.get(path_of(game))["annotations"]) == 20
    assert len(parsed) == 40

    elsewhere = InProcess(api.store)
    published(elsewhere, game, game.tokens[0], {"version": 7, "comment": "from elsewhere"})
    parsed.clear()
    assert len(api.get(path_of(game))["annotations"]) == 21
    assert len(parsed) == 2


def test_what_is_read_is_never_changed_by_who_writes(api: InProcess) -> None:
    """A set that could not be written to is shown as it was: what is kept in memory is not what is tried out."""
    game = api.stored()
    name = published(api, game, game.tokens[0], {"version": 7, "comment": "a"})
    kept = Annotations(api.store)
    before = kept.of(game.id)
    stale = {"If-Match": f'"1-{"0" * 8}"'}
    note = {"kind": "note", "set": name, **LONG_NOTE}
    answer = api.call("POST", path_of(game), note, token=game.tokens[0], headers=stale)
    assert answer.status == 412
    assert [each.number for each in kept.of(game.id).book.sets] == [2]
    wrote(api, game, game.tokens[0], set=name, **LONG_NOTE)
    assert [each.number for each in before.book.sets] == [2]
    assert [each.number for each in kept.of(game.id).book.sets] == [3]


def test_a_removed_set_and_another_stream_are_seen_at_once(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though as many entries were added since: what was read before is read anew."""
    monkeypatch.setattr(store, "LARGEST_OWN", 3_500)
    game = api.stored()
    kept = Annotations(api.store)
    for _ in range(4):
        draft = wrote(api, game, game.tokens[0], **LONG_NOTE)
        wrote(api, game, game.tokens[0], kind="withdrawal", set=draft["set"], of=1)
        shown = {each.id: each.number for each in kept.of(game.id).book.sets}
        assert shown == {each.id: each.number for each in Annotations(api.store).of(game.id).book.sets}
    keys = GameKeys(game.id, api.store.partitions)
    api.store.connection.command("DEL", keys.annotations, keys.annotations_index)
    assert kept.of(game.id).book.sets == []
    wrote(api, game, game.tokens[1], version=3, comment="anew")
    assert [each.number for each in kept.of(game.id).book.sets] == [1]


def test_a_long_list_takes_its_turn(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody may read it, and many at once hold up no command."""
    game = api.stored()
    name = published(api, game, game.tokens[0], {"version": 7, "comment": "a"})
    monkeypatch.setattr(turns, "MOST_WAITING", 0)
    assert api.call("GET", path_of(game)).status == 200
    for number in range(LONG):
        wrote(api, game, game.tokens[0], set=name, version=1, comment=str(number))
    long = api.call("GET", path_of(game))
    assert refused(long) == (503, "too_many_pages")


def test_an_import_has_the_room_of_withdrawn_drafts_too(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go as they do for what is written here."""
    game = api.stored()
    published(api, game, game.tokens[0], {"version": 7, "comment": "a"}, LONG_NOTE)
    file = exported(api, game, None)
    keys = GameKeys(game.id, api.store.partitions)
    api.store.connection.command("DEL", keys.annotations, keys.annotations_index)
    monkeypatch.setattr(store, "LARGEST_OWN", 3_500)
    draft = wrote(api, game, game.tokens[0], **LONG_NOTE)
    wrote(api, game, game.tokens[0], kind="withdrawal", set=draft["set"], of=1)

    assert imported(api, game, game.tokens[0], file).status == 200
    assert len(api.get(path_of(game))["annotations"]) == 2


def test_one_arbiter_leaves_room_to_others_and_to_the_creator(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each arbiter has a share, and all of them leave what is kept for who set the game up."""
    monkeypatch.setattr(store, "LARGEST_OF_ARBITER", 3_000)
    monkeypatch.setattr(store, "CREATORS_BYTES", LARGEST - 5_000)
    creator = Keys(api.store).find(api.key)
    assert creator is not None
    game = api.stored(policy=GamePolicy(creator=creator.id))
    arbiters = [Keys(api.store).create(name, ("arbitrate",), 1) for name in ("Ada", "Bob", "Cyd")]
    note = {"kind": "note", **LONG_NOTE}

    def statuses(token: str) -> list[int]:
        return [api.call("POST", path_of(game), note, token=token).status for _ in range(3)]

    assert statuses(arbiters[0]) == [201, 201, 422]
    full = api.call("POST", path_of(game), note, token=arbiters[0])
    assert "yours" in full.json["detail"]
    assert statuses(arbiters[1]) == [201, 422, 422]
    assert statuses(arbiters[2]) == [422, 422, 422]
    assert statuses(api.key) == [201, 201, 201]
