"""A store that lost the end of its log: nobody goes on in a history that is not there any more, and play goes on."""

from threading import Timer
from typing import Any

import pytest

from events.chain.hash_chain import GENESIS, link
from events.store.redis.redis_store import RedisEventStore
from service.http.push import stream_limits
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import Answer, Party, events_of
from tests.support.rolled_back import Moment

BOTH_WAYS = True
JSON, STREAM = "application/json", "text/event-stream"


def say(party: Party, text: str, seat: int = 1, **headers: str) -> Answer:
    """A word from a seat, which is legal at any time."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    path = f"/v1/games/{party.game}/commands"
    return party.api.call(
        "POST", path, {"type": "say", "text": text}, token=party.tokens[seat], headers=named
    )


def read(api: InProcess, game: str, cursor: str, accept: str = JSON, wait: int = 0) -> Answer:
    """What comes after a cursor."""
    headers = {"Accept": accept}
    return api.call("GET", f"/v1/games/{game}/events?after={cursor}&wait={wait}", headers=headers)


def texts(events: list[dict[str, Any]]) -> list[str]:
    """What was said."""
    return [each["entry"]["data"].get("text", each["entry"]["type"]) for each in events]


@pytest.mark.parametrize("since", [[], ["other"], ["other", "words"], ["other", "words", "than", "those"]])
def test_play_goes_on_and_the_chain_holds(api: InProcess, store: RedisEventStore, since: list[str]) -> None:
    """A process that knows a longer history, or another one, decides anew on the one that is there."""
    party = api.people()
    before = Moment(store.connection)
    for text in ("these", "are", "lost"):
        say(party, text)
    before.return_to()
    elsewhere = InProcess(store)
    for text in since:
        say(Party(elsewhere, party.game, party.tokens, party.dice), text)

    answer = say(party, "and on")

    assert answer.status == 200, answer.body
    events = events_of(api, party.game, None)
    assert texts(events)[-len(since) - 1 :] == [*since, "and on"]
    chain_hash = GENESIS
    for event in events:
        chain_hash = link(chain_hash, event["entry"])
        assert chain_hash == event["hash"]
    assert answer.json["hash"] == chain_hash


def test_if_match_of_a_version_that_is_lost(api: InProcess, store: RedisEventStore) -> None:
    """412 `history_lost`, with where the game is; nothing is appended."""
    party = api.people()
    before = Moment(store.connection)
    tag = [say(party, text) for text in ("these", "are", "lost")][-1].headers["etag"]
    before.return_to()
    now = api.get(f"/v1/games/{party.game}")

    answer = say(party, "on", If_Match=tag)

    assert (answer.status, answer.json["code"]) == (412, "history_lost")
    assert (answer.json["version"], answer.json["hash"]) == (now["version"], now["hash"])
    assert (answer.json["shared"], answer.json["events"]) == (now["version"], [])
    assert f"had version {now['version'] + 3}" in answer.json["detail"]
    assert api.get(f"/v1/games/{party.game}")["version"] == now["version"]
    assert say(party, "on", If_Match=answer.headers["etag"]).status == 200


def test_if_match_of_a_version_that_is_another_one_now(api: InProcess, store: RedisEventStore) -> None:
    """412 `history_forked`, with the events after the last version that both histories may share."""
    party = api.people()
    before = Moment(store.connection)
    tag = say(party, "lost").headers["etag"]
    before.return_to()
    for text in ("other", "words"):
        say(party, text)

    answer = say(party, "on", If_Match=tag)

    assert (answer.status, answer.json["code"]) == (412, "history_forked")
    assert texts(answer.json["events"]) == ["other", "words"]
    assert answer.json["shared"] == answer.json["version"] - 2
    assert f"after version {answer.json['shared']}," in answer.json["detail"]
    assert answer.json["cursor"] == answer.headers["etag"].strip('"')


def test_a_page_hands_out_where_to_go_on_in_this_history(api: InProcess) -> None:
    """Reading from cursor to cursor gives every event once; a version alone is taken as before."""
    game = api.stored(stop_at=60)
    found: list[Any] = []
    cursor = "0"
    while len(found) < len(game.recorded.log):
        page = api.get(f"/v1/games/{game.id}/events?after={cursor}&limit=7")
        found += page["events"]
        cursor = page["cursor"]
        assert cursor == f"{page['next']}-{found[-1]['hash'][:8]}"
    assert [each["entry"]["version"] for each in found] == list(range(1, len(game.recorded.log) + 1))
    assert api.get(f"/v1/games/{game.id}/events?after={cursor}")["cursor"] == cursor
    assert api.get(f"/v1/games/{game.id}/events?after={cursor.partition('-')[0]}")["cursor"] == cursor
    assert api.get(f"/v1/games/{game.id}/events?after=0-00000000&limit=1")["next"] == 1


@pytest.mark.parametrize("accept", [JSON, "application/x-ndjson", STREAM])
@pytest.mark.parametrize(("since", "code"), [([], "history_lost"), (["a", "b", "c"], "history_forked")])
def test_a_cursor_of_another_history_is_refused(
    api: InProcess, store: RedisEventStore, accept: str, since: list[str], code: str
) -> None:
    """409 with what is there now, in every form of reading, and for a stream that a browser resumes."""
    party = api.people()
    before = Moment(store.connection)
    for text in ("these", "are", "lost"):
        say(party, text)
    cursor = api.get(f"/v1/games/{party.game}/events?after=1")["cursor"]
    before.return_to()
    for text in since:
        say(party, text)

    page = read(api, party.game, cursor, accept)
    resumed = api.call(
        "GET", f"/v1/games/{party.game}/events", headers={"Accept": accept, "Last-Event-ID": cursor}
    )

    for answer in (page, resumed):
        assert (answer.status, answer.json["code"]) == (409, code)
        assert texts(answer.json["events"]) == since[-1:]
        assert read(api, party.game, answer.json["cursor"]).status == 200


@pytest.mark.parametrize("wrong", ["41-", "41-0f3c9a1", "41-0F3C9A1E", "-1", "41-0f3c9a1e0", "x", "41 "])
def test_what_is_no_cursor_is_refused(api: InProcess, wrong: str) -> None:
    """Neither half a hash nor anything else is taken for a version."""
    game = api.stored(stop_at=60)
    assert read(api, game.id, wrong).json["code"] == "schema_violation"
    assert read(api, game.id, "41%0A").status in {400, 422}


def test_a_running_stream_is_told_and_ends(
    api: InProcess, store: RedisEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its last frame is `history_lost`, once the log ends before what was sent, or has gone on differently."""
    monkeypatch.setattr(stream_limits, "HEARTBEAT_SECONDS", 0.2)
    party = api.people()
    shorter = Moment(store.connection)
    for text in ("a", "b"):
        say(party, text)
    other = Moment(store.connection)
    for moment, code in ((shorter, "history_lost"), (other, "history_forked")):
        shorter.return_to()
        say(party, "lost")
        version = api.get(f"/v1/games/{party.game}")["version"]
        with EventStream(api, party.game, f"?after={version - 1}") as stream:
            sent = stream.event().id
            moment.return_to()
            frames = stream.rest()
        assert [frame.event for frame in frames] == ["history_lost"]
        assert frames[0].json == {"code": code, "last": sent}


def test_a_long_poll_is_told(api: InProcess, store: RedisEventStore) -> None:
    """What it waits on from is lost while it waits: 409, although it began with a version alone."""
    party = api.people()
    before = Moment(store.connection)
    say(party, "lost")
    version = api.get(f"/v1/games/{party.game}")["version"]
    timer = Timer(0.5, before.return_to)
    timer.start()

    answer = read(api, party.game, str(version), wait=30)

    timer.join()
    assert (answer.status, answer.json["code"]) == (409, "history_lost")
