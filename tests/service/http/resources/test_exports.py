"""Exports: all finished games in one stream, each once, whenever it is cut off and gone on with."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from events.game.record import read_record
from events.store.errors import StoreUnavailable
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from replay.verification.verify import verify
from service.access.store import Keys
from service.http.resources import exports
from service.verification import exporting
from tests.service.in_process import InProcess
from tests.support.http_play import Answer

EXPORT = "/v1/exports/games"


def exported(api: InProcess, query: str = "") -> Answer:
    """An export."""
    answer = api.call("GET", f"{EXPORT}{query}", token=api.key)
    assert answer.status == 200, answer.body
    return answer


def taken_apart(answer: Answer) -> tuple[dict[str, bytes], list[dict[str, Any]]]:
    """The records of an export by their games, and the lines that stand after them."""
    records: dict[str, bytes] = {}
    others: list[dict[str, Any]] = []
    lines: list[bytes] = []
    for line in answer.body.splitlines(keepends=True):
        value = json.loads(line)
        if "after" in value or "left_out" in value:
            others.append(value)
            if "game" in value and lines:
                records[value["game"]] = b"".join(lines)
                lines = []
        else:
            lines.append(line)
    assert not lines
    return records, others


def games_in(answers: Sequence[Answer]) -> list[str]:
    """The games of several exports, in order."""
    return [game for answer in answers for game in taken_apart(answer)[0]]


def test_every_finished_game_is_there_as_its_record(api: InProcess) -> None:
    """Byte for byte what is downloaded alone, so each verifies; running games are not there."""
    stored = [api.stored(seed) for seed in (1, 2, 3)]
    api.people().play(5)
    answer = exported(api)
    assert answer.headers["content-type"] == "application/x-ndjson"
    records, others = taken_apart(answer)
    assert set(records) == {game.id for game in stored}
    for game, record in records.items():
        header, forms = read_record(record.splitlines(keepends=True))
        assert verify(header, forms).ok
        assert header.game == game
    # Each was signed into the log by the export, so the log has its final size now.
    records, _ = taken_apart(exported(api))
    for game, record in records.items():
        assert record == api.call("GET", f"/v1/games/{game}/record").body
    assert [line["complete"] for line in others if "complete" in line] == [True]
    assert others[-1]["complete"]


def test_an_export_goes_on_after_any_record(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the line after a record, whatever has been received behind it, every other game comes once."""
    monkeypatch.setattr(exporting, "CHUNK", 2)
    for seed in range(1, 5):
        api.stored(seed)
        api.people(seed=seed).play(3)
    whole = exported(api)
    order, lines = games_in([whole]), taken_apart(whole)[1]
    assert len(order) == 4
    for place, line in enumerate(lines):
        rest = exported(api, f"?after={line['after']}")
        assert games_in([rest]) == order[place + 1 :]
    few, after = [], ""
    while True:
        few.append(exported(api, f"?limit=1{after}"))
        last = taken_apart(few[-1])[1][-1]
        if last["complete"]:
            break
        after = f"&after={last['after']}"
    assert games_in(few) == order


def test_a_later_export_has_what_is_new(api: InProcess) -> None:
    """In whatever partition a game ends, it comes after the place of the last export, and only it."""
    known: set[str] = set()
    after = ""
    for seed in range(1, 6):
        game = api.stored(seed)
        answer = exported(api, after)
        assert games_in([answer]) == [game.id]
        known.add(game.id)
        after = f"?after={taken_apart(answer)[1][-1]['after']}"
    assert games_in([exported(api, after)]) == []
    assert set(games_in([exported(api)])) == known


def test_games_are_exported_by_system_and_time(api: InProcess) -> None:
    """Filters are combined; times are milliseconds or as RFC 3339 writes them."""
    game = api.stored()
    ended = game.recorded.log[-1].at
    for query, found in (
        ("system=classic", 1),
        ("system=extended", 0),
        (f"finished_after={ended}", 1),
        (f"finished_after={ended + 1}", 0),
        (f"finished_before={ended}", 0),
        (f"finished_before={ended + 1}&system=classic", 1),
        ("finished_before=1970-01-01T00:00:00Z", 0),
        ("finished_after=1970-01-01T00:00:00Z", 1),
    ):
        assert len(games_in([exported(api, f"?{query}")])) == found, query


def test_a_damaged_game_does_not_end_an_export(api: InProcess, store: RedisEventStore) -> None:
    """It is left out whole and named; the others are there."""
    games = [api.stored(seed) for seed in (1, 2, 3)]
    keys = GameKeys(games[1].id, store.partitions)
    store.connection.command("XDEL", keys.log, "30-0")
    records, others = taken_apart(exported(api))
    assert set(records) == {games[0].id, games[2].id}
    assert {"left_out": games[1].id, "code": "log_damaged"} in others
    assert others[-1]["complete"]


def test_what_is_cut_off_says_so_by_what_is_missing(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the store fails the stream ends without its last line; what was received counts, and it goes on later."""
    for seed in (1, 2, 3):
        api.stored(seed)
    order = games_in([exported(api)])
    private, asked = api.store.private, []

    def failing(game: str) -> dict[str, str]:
        asked.append(game)
        if len(asked) == 3:
            raise StoreUnavailable("gone")
        return private(game)

    monkeypatch.setattr(api.store, "private", failing)
    cut = exported(api)
    lines = taken_apart(cut)[1]
    assert not any("complete" in line for line in lines)
    monkeypatch.undo()
    rest = exported(api, f"?after={lines[-1]['after']}")
    assert games_in([cut, rest]) == order


def test_only_who_may_exports(api: InProcess) -> None:
    """A key with the scope; neither a seat nor a spectator."""
    weak = Keys(api.store).create("no games", ("arbitrate",), 2)
    for token, status in ((None, 401), (api.people().tokens[0], 401), (weak, 403)):
        assert api.call("GET", EXPORT, token=token).status == status


@pytest.mark.parametrize("after", ["x", "%00", "WyJ4Iiw", "e30", "WzFd", "MQ", "%F0%9F%8C%B1", "a" * 300])
def test_a_place_of_somebody_elses_is_refused(api: InProcess, after: str) -> None:
    """Foreign, truncated, or made up: 400, and nothing is exported."""
    answer = api.call("GET", f"{EXPORT}?after={after}", token=api.key)
    assert (answer.status, answer.json["code"]) == (400, "bad_cursor")


def test_a_place_behind_the_end_is_refused(api: InProcess) -> None:
    """Such as one from before the store was restored from an older backup."""
    place = exporting.Place(api.store)
    for positions in ((10**9,) * api.store.partitions, (-1,) * api.store.partitions, (0,)):
        answer = api.call("GET", f"{EXPORT}?after={place.written(positions)}", token=api.key)
        assert (answer.status, answer.json["code"]) == (400, "bad_cursor")


def test_one_caller_has_one_export_under_way(api: InProcess) -> None:
    """So that an auditor does not take the places of all others."""
    api.stored()
    under_way = api.app.test_client().get(EXPORT, headers={"Authorization": f"Bearer {api.key}"})
    assert api.call("GET", EXPORT, token=api.key).json["code"] == "too_many_exports"
    under_way.close()
    assert exported(api).status == 200


def test_more_exports_than_there_may_be_are_refused(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 with Retry-After while others are under way; one that is done, or asked for by HEAD, holds nothing."""
    monkeypatch.setattr(exports, "AT_ONCE", 1)
    api.stored()
    client = api.app.test_client()
    headers = {"Authorization": f"Bearer {api.key}"}
    under_way = client.get(EXPORT, headers=headers)
    refused = api.call("GET", EXPORT, token=api.key)
    assert (refused.status, refused.json["code"]) == (503, "too_many_exports")
    assert int(refused.headers["retry-after"]) > 0
    under_way.close()
    assert api.call("HEAD", EXPORT, token=api.key).status == 200
    assert exported(api).status == 200
