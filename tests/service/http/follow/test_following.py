"""Following a game live: the first frame, who else is there, tickets for browsers, and waiting for the next state."""

from concurrent.futures import ThreadPoolExecutor
from threading import Timer

import pytest

from events.store.errors import StoreUnavailable
from events.store.redis.redis_store import RedisEventStore
from service.access.store import Tickets
from service.http.context import presence
from service.http.context.presence import Presence
from service.http.push import stream_limits
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import events_of
from tests.support.servers import eventually

BOTH_WAYS = True
SAY = {"type": "say", "text": "hello"}


def test_a_stream_begins_with_the_whole_view(api: InProcess) -> None:
    """What GET shows the caller, with open offers, what a seat may do and who is there; then what happens."""
    party = api.people()
    for command in ({"type": "plant", "field": 0}, {"type": "reveal"}):
        party.send(0, command)
    party.send(0, {"type": "offer", "to": 1, "want": {"blue": 1}})
    for token in (None, *party.tokens):
        state = api.get(f"/v1/games/{party.game}", token)
        assert len(state["offers"]) == 1
        with EventStream(api, party.game, token=token or "") as stream:
            view = stream.named("view")
            told = view.json
            present = told.pop("presence")
            assert told.pop("commands", None) == (
                api.get(f"/v1/games/{party.game}/commands", token)["commands"] if token else None
            )
            assert (view.version, told) == (state["version"], state)
            assert present["spectators"] == (0 if token else 1)
            party.send(1, SAY)
            assert stream.event().version == state["version"] + 1


def test_who_comes_back_gets_no_view_unless_they_ask(api: InProcess) -> None:
    """With `after` or Last-Event-ID events follow at once; with `view=true` that version's view comes first."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    for query, last in (
        (f"?after={version - 1}", ""),
        ("", str(version - 1)),
        ("?view=false", str(version - 1)),
    ):
        with EventStream(api, party.game, query, last=last) as stream:
            assert [stream.next().event, stream.next().event] == ["", "presence"]
            assert stream.event().version == version
    with EventStream(api, party.game, f"?view=true&after={version - 1}") as stream:
        view = stream.named("view")
        assert (view.version, view.json["version"]) == (version - 1, version - 1)
        assert stream.event().version == version
    with EventStream(api, party.game, "?view=false") as stream:
        assert stream.event().version == 1
    with EventStream(api, party.game, "?view=true&after=0") as stream:
        assert stream.event().version == 1


def test_a_finished_game_is_shown_and_the_stream_ends(api: InProcess) -> None:
    """Who comes for the first time sees it once; who comes back gets 204 and stays away."""
    game = api.stored()
    with EventStream(api, game.id, "?view=true") as stream:
        view = stream.named("view")
        assert view.json["status"] == "finished"
        assert [frame.event for frame in stream.rest()] == ["end"]
    with EventStream(api, game.id, "?view=true", last=view.id) as stream:
        assert stream.status == 204


def test_what_a_stream_told_folds_into_what_there_is(api: InProcess) -> None:
    """The view's version and the events after it are all versions there are, for a client that was cut off too."""
    party = api.people(seed=5)
    with EventStream(api, party.game, token=party.tokens[1]) as stream:
        begun = stream.named("view").version
        party.play(20)
        frames = [stream.event() for _ in range(8)]
    last = frames[-1].id
    party.play(10)
    log = events_of(api, party.game, party.tokens[1])
    with EventStream(api, party.game, token=party.tokens[1], last=last) as stream:
        frames += [stream.event() for _ in range(len(log) - frames[-1].version)]
    assert [frame.json for frame in frames] == log[begun:]


def test_who_is_there_is_told_when_it_changes(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Seats by number, spectators by how many; across processes, and gone with their streams."""
    monkeypatch.setattr(stream_limits, "PRESENCE_SECONDS", 0.05)
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.0)
    party, elsewhere = api.people(), InProcess(api.store)
    with EventStream(api, party.game) as watching:
        assert watching.named("view").json["presence"] == {"seats": [], "spectators": 1}
        with EventStream(elsewhere, party.game, token=party.tokens[2]) as seat:
            seat.named("view")
            told = watching.named("presence")
            assert (told.id, told.json) == ("", {"seats": [2], "spectators": 1})
            with EventStream(elsewhere, party.game) as other:
                other.named("view")
                assert watching.named("presence").json == {"seats": [2], "spectators": 2}
            assert watching.named("presence").json == {"seats": [2], "spectators": 1}
        assert watching.named("presence").json == {"seats": [], "spectators": 1}
    elsewhere.close()


def test_a_seat_that_asks_now_and_then_is_there(api: InProcess) -> None:
    """Whoever polls state, events or legal commands counts for a while; spectators only while they wait."""
    for more in ("", "/events", "/commands"):
        party = api.people()
        api.get(f"/v1/games/{party.game}")
        api.get(f"/v1/games/{party.game}{more}", party.tokens[1])
        with EventStream(api, party.game) as stream:
            assert stream.named("view").json["presence"] == {"seats": [1], "spectators": 1}


def test_who_waits_is_there_meanwhile(api: InProcess) -> None:
    """A long poll of a spectator counts as long as it waits."""
    party = api.people()
    version = api.get(f"/v1/games/{party.game}")["version"]
    for more in ("/events", ""):
        path = f"/v1/games/{party.game}{more}?after={version}&wait=60"
        with ThreadPoolExecutor(1) as threads:
            polling = threads.submit(api.call, "GET", path)
            eventually(lambda: Presence(api.store).of(party.game).spectators == 1)
            version = party.send(1, SAY).json["version"]
            assert polling.result(60).status == 200
        assert Presence(api.store).of(party.game).spectators == 0


def test_nobody_is_known_to_be_there_when_the_store_says_nothing(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Presence is worth no failure: the stream goes on without it."""
    party = api.people()
    command = api.store.connection.command

    def broken(*arguments: str, repeat: bool = False) -> object:
        if any("presence" in str(each) for each in arguments):
            raise StoreUnavailable("no answer")
        return command(*arguments, repeat=repeat)

    monkeypatch.setattr(api.store.connection, "command", broken)
    with EventStream(api, party.game, token=party.tokens[0]) as stream:
        assert stream.named("view").json["presence"] == {"seats": [], "spectators": 0}
        party.send(1, SAY)
        assert stream.event().event == "talked"


def ticket(api: InProcess, game: str, token: str, query: str = "") -> str:
    """A fresh ticket."""
    answer = api.call("POST", f"/v1/games/{game}/tickets{query}", token=token)
    assert answer.status == 201, answer.body
    return str(answer.json["ticket"])


def test_a_ticket_opens_one_stream_with_its_holders_eyes(api: InProcess) -> None:
    """For who can send no headers; used once, it is good for nothing."""
    party = api.people()
    text = ticket(api, party.game, party.tokens[1])
    assert party.tokens[1] not in text
    with EventStream(api, party.game, f"?ticket={text}") as stream:
        view = stream.named("view").json
        assert (view["viewer"], view["presence"]["seats"]) == ("seat:1", [1])
        assert "cards" in view["seats"][1]["hand"]
    with EventStream(api, party.game, f"?ticket={text}") as stream:
        assert stream.status == 401


def test_a_ticket_shows_what_was_permitted_when_it_was_got(api: InProcess) -> None:
    """An arbiter's shows all; a seat gets none for another's eyes, and a spectator needs none."""
    party = api.people()
    with EventStream(api, party.game, f"?ticket={ticket(api, party.game, api.key, '?as=all')}") as stream:
        assert stream.named("view").json["viewer"] == "all"
    for token, query, status in (
        (party.tokens[0], "?as=seat:1", 403),
        (None, "", 401),
        (None, "?as=public", 401),
    ):
        assert api.call("POST", f"/v1/games/{party.game}/tickets{query}", token=token).status == status
    own = ticket(api, party.game, party.tokens[0])
    with EventStream(api, party.game, f"?ticket={own}&as=all") as stream:
        assert stream.status == 403


def test_a_ticket_is_good_for_nothing_else(api: InProcess) -> None:
    """Not for another game, not for pages, not beside a token, not made up; each refusal says so."""
    party, other = api.people(), api.people(seed=2)
    events = {"Accept": "text/event-stream"}
    path = f"/v1/games/{party.game}/events?ticket="
    for address, token, headers, status, code in (
        (path + "fbt_" + "0" * 40, None, events, 401, "bad_ticket"),
        (path + "0", None, events, 401, "bad_ticket"),
        (path + party.tokens[0], None, events, 401, "bad_ticket"),
        (path + ticket(api, other.game, other.tokens[0]), None, events, 401, "bad_ticket"),
        (path + ticket(api, party.game, party.tokens[0]), None, {}, 400, "ticket_without_stream"),
        (path + ticket(api, party.game, party.tokens[0]), party.tokens[0], events, 400, "token_and_ticket"),
    ):
        answer = api.call("GET", address, token=token, headers=headers)
        assert (answer.status, answer.json["code"]) == (status, code)
    answer = api.call("GET", f"/v1/games/{party.game}?ticket=x")
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")


def test_a_ticket_lapses_and_is_not_stored_as_it_is(api: InProcess, store: RedisEventStore) -> None:
    """Half a minute; what is stored opens nothing."""
    party = api.people()
    text = ticket(api, party.game, party.tokens[0])
    (key,) = store.connection.command("KEYS", "fieldbook:ticket:*")
    assert text.encode() not in key
    assert 0 < store.connection.command("PTTL", key) <= 30_000
    assert Tickets(store).redeem(key.decode()) is None
    store.connection.command("PEXPIRE", key, 0)
    with EventStream(api, party.game, f"?ticket={text}") as stream:
        assert stream.status == 401


def test_the_next_legal_commands_can_be_waited_for(api: InProcess) -> None:
    """One request says all that a bot decides on: whose turn it is, what it may do, whether it is over."""
    party = api.people()
    path = f"/v1/games/{party.game}/commands"
    version = party.legal(0)["version"]
    assert party.legal(0)["status"] == "running"
    timer = Timer(0.3, party.send, (1, SAY))
    timer.start()
    assert api.get(f"{path}?after={version}&wait=60", party.tokens[0])["version"] == version + 1
    timer.join()
    waited = api.call("GET", f"{path}?after={version + 1}&wait=1", token=party.tokens[0])
    assert (waited.status, waited.json["version"]) == (200, version + 1)
    early = api.call("GET", f"{path}?after=9999&wait=1", token=party.tokens[0])
    assert (early.status, early.json["code"]) == (404, "no_such_version")
    forked = api.call("GET", f"{path}?after={version}-00000000", token=party.tokens[0])
    assert (forked.status, forked.json["code"]) == (409, "history_forked")
    game = api.stored()
    over = api.get(
        f"{path.replace(party.game, game.id)}?after={len(game.recorded.log)}&wait=60", game.tokens[0]
    )
    assert (over["status"], over["commands"]) == ("finished", [])


def test_the_next_state_can_be_waited_for(api: InProcess) -> None:
    """`after` and `wait` hold the answer back until the game has moved on, and no longer."""
    party = api.people()
    path = f"/v1/games/{party.game}"
    version = api.get(path)["version"]
    timer = Timer(0.3, party.send, (1, SAY))
    timer.start()
    assert api.get(f"{path}?after={version}&wait=60")["version"] == version + 1
    timer.join()
    assert api.get(f"{path}?after={version}&wait=60")["version"] == version + 1
    waited = api.call("GET", f"{path}?after={version + 1}&wait=1")
    assert waited.json["version"] == version + 1
    tag = {"If-None-Match": waited.headers["etag"]}
    assert api.call("GET", f"{path}?after={version + 1}&wait=1", headers=tag).status == 304
    assert api.call("GET", f"{path}?after=9999&wait=1").json["code"] == "no_such_version"
    assert api.call("GET", f"{path}?at=3&after=2").json["code"] == "schema_violation"
    game = api.stored()
    end = len(game.recorded.log)
    assert api.get(f"/v1/games/{game.id}?after={end}&wait=60")["version"] == end
