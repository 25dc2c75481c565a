"""What clients are told of deadlines: with the table, what is legal, answers to commands, pages and streams."""

from typing import Any

import pytest

from events import commands as c
from events.game.timekeeping import expiry_of
from events.rules.move import CLOCK
from service.access.game_access import GamePolicy
from service.platform.clock import now_milliseconds
from service.play.deciding import Request
from tests.service.clocked_tables import PATIENT, clocked_party, services_of
from tests.service.in_process import InProcess
from tests.service.in_process_stream import EventStream
from tests.support.http_play import Party

SAY = {"type": "say", "text": "hello"}
PLANT = {"type": "plant", "field": 0}


def expected(api: InProcess, party: Party, version: int | None = None) -> dict[str, Any]:
    """What the log says of the clock."""
    tables = services_of(api).tables
    loaded = tables.newest(party.game)
    clock = (loaded.table if version is None else tables.at(loaded, version)).log.clock
    assert clock is not None
    return clock.as_json()


def told_in(api: InProcess, party: Party) -> list[Any]:
    """The clock as each reading answer says it."""
    token, game = party.tokens[0], f"/v1/games/{party.game}"
    return [
        api.get(f"{game}{path}", token=token)["clock"] for path in ("", "/commands", "/events?limit=1000")
    ]


def test_every_answer_says_whose_time_runs(api: InProcess) -> None:
    """The same in the table, with the legal commands, and behind the newest events."""
    began = now_milliseconds()
    party = clocked_party(api, began)
    assert told_in(api, party) == [expected(api, party)] * 3
    assert expected(api, party) == {
        "settings": {
            "bank": 3600, "increment": 30, "cap": 7200, "answer": 3600, "grace": 5, "strikes": 3, "bot": "greedy",
        },
        "banks": [3_600_000] * 3,
        "waits": [
            {
                "seat": 0, "kind": "bank", "since": began, "deadline": began + 3_600_000,
                "low_at": began + 2_880_000, "over_at": began + 3_605_000,
            }
        ],
        "credited_until": 0,
    }  # fmt: skip


def test_a_game_without_a_clock_says_nothing_of_one(api: InProcess) -> None:
    """Neither in what is read nor in answers to commands."""
    party = api.people()
    game = f"/v1/games/{party.game}"
    for path in ("", "/commands", "/events"):
        assert "clock" not in api.get(f"{game}{path}", token=party.tokens[0])
    assert "clock" not in party.send(0, SAY).json


def test_an_older_page_and_an_older_table_say_what_they_are_asked_for(api: InProcess) -> None:
    """A page that ends before the newest event has no clock; a table has that of its version."""
    party = clocked_party(api, now_milliseconds())
    game = f"/v1/games/{party.game}"
    assert "clock" not in api.get(f"{game}/events?limit=1")
    assert "clock" in api.get(f"{game}/events?after={api.get(game)['version']}")
    before = api.get(game)
    party.play(20)
    assert api.get(f"{game}?at={before['version']}")["clock"] == before["clock"]


@pytest.mark.parametrize("is_short", [True, False])
def test_the_answer_to_a_command_says_what_runs_right_after_it(api: InProcess, is_short: bool) -> None:  # noqa: FBT001
    """Also when it is given again later, to the byte; and a dry run says what would run."""
    party = clocked_party(api, now_milliseconds())
    api.goes_short = is_short
    tried = party.api.call(
        "POST", f"/v1/games/{party.game}/commands?dry_run=true", PLANT, token=party.tokens[0]
    )
    assert tried.json["clock"]["waits"][0]["seat"] == 0
    first = party.send(0, PLANT, headers={"Idempotency-Key": "once"})
    assert first.json["clock"] == expected(api, party)
    party.play(15)
    assert expected(api, party) != first.json["clock"]
    again = party.send(0, PLANT, headers={"Idempotency-Key": "once"})
    assert (again.headers["idempotent-replayed"], again.body) == ("true", first.body)


def test_both_ways_say_the_same_of_a_clock(api: InProcess) -> None:
    """To the byte, in the table and with what is legal."""
    party = clocked_party(api, now_milliseconds())
    party.play(12)
    for path in ("", "/commands"):
        answers = []
        for is_short in (True, False):
            before, api.goes_short = api.short_way.answered, is_short
            answers.append(api.call("GET", f"/v1/games/{party.game}{path}", token=party.tokens[1]))
            assert api.short_way.answered - before == is_short
        assert answers[0].body == answers[1].body
        assert answers[0].json["clock"] == expected(api, party)


@pytest.mark.parametrize("is_short", [True, False])
def test_a_late_command_counts_where_nobody_watched_the_time(api: InProcess, is_short: bool) -> None:  # noqa: FBT001
    """Behind the entry that gives back what was lost; talk gives nothing back."""
    party = clocked_party(api, now_milliseconds() - 4_000_000)
    api.goes_short = is_short
    talk = party.send(0, SAY)
    assert [each["entry"]["type"] for each in talk.json["events"]] == ["talked"]
    told = [each["entry"]["type"] for each in party.send(0, PLANT).json["events"]]
    assert told[:2] == ["time_credited", "bean_planted"]


def test_a_spectator_behind_is_told_of_what_ran_then(api: InProcess) -> None:
    """The clock of the version that is shown, not of the newest: it would tell what has happened since."""
    policy = GamePolicy(spectator_delay=10)
    party = clocked_party(api, now_milliseconds(), policy=policy)
    party.play(30)
    shown = api.get(f"/v1/games/{party.game}")
    assert shown["version"] == api.get(f"/v1/games/{party.game}", token=party.tokens[0])["version"] - 10
    assert shown["clock"] == expected(api, party, shown["version"])
    page = api.get(f"/v1/games/{party.game}/events?limit=1000")
    assert page["clock"] == shown["clock"]
    with EventStream(api, party.game, "?after=0") as stream:
        assert stream.named("clock").json == {"version": shown["version"], "clock": shown["clock"]}


def test_a_stream_tells_of_deadlines_that_are_others_than_before(api: InProcess) -> None:
    """Behind what is past, then behind each batch that changed one; talk changes none."""
    party = clocked_party(api, now_milliseconds())
    version = api.get(f"/v1/games/{party.game}")["version"]
    with EventStream(api, party.game, "?after=0", party.tokens[0]) as stream:
        assert [stream.event().version for _ in range(version)] == [*range(1, version + 1)]
        assert stream.named("clock").json == {"version": version, "clock": expected(api, party)}
        party.send(1, SAY)
        assert stream.event().event == "talked"
        while expected(api, party)["waits"][0]["seat"] == 0:
            party.play(1)
        changed = stream.named("clock").json
        assert changed["version"] > version + 1
        assert changed["clock"] == expected(api, party, changed["version"])


def test_a_stream_begins_with_the_clock_in_its_view(api: InProcess) -> None:
    """As everything else of the table; whoever comes later to a stream that others follow is told, too."""
    party = clocked_party(api, now_milliseconds())
    with EventStream(api, party.game, token=party.tokens[0]) as first:
        assert first.named("view").json["clock"] == expected(api, party)
        assert first.named("clock").json["clock"] == expected(api, party)
        with EventStream(api, party.game, token=party.tokens[1], last="1") as second:
            assert second.named("clock").json["clock"] == expected(api, party)


def test_no_clock_is_told_of_a_game_without_one(api: InProcess) -> None:
    """Nor is its table asked for after each event."""
    party = api.people()
    with EventStream(api, party.game, "?after=0") as stream:
        party.send(1, SAY)
        names = set()
        while "talked" not in names:
            names.add(stream.next().event)
        party.send(1, SAY)
        while (name := stream.next().event) != "talked":
            names.add(name)
    assert "clock" not in names


def test_what_the_clock_does_reaches_everybody(api: InProcess) -> None:
    """Time that is over, moves that are made then, and time that is given back are events as any other."""
    began = now_milliseconds() - 4_000_000
    party = clocked_party(api, began)
    found = services_of(api)
    clock = found.tables.newest(party.game).table.log.clock
    assert clock is not None
    with EventStream(api, party.game, "?after=0", party.tokens[1]) as stream:
        for number, command in enumerate(
            (expiry_of(clock.waits[0]), c.CreditTime(began, began + 1_000, "maintenance"))
        ):
            request = Request(CLOCK, (command,), now_milliseconds(), f"clock-{number}", "test")
            found.handling.send(party.game, request)
        events = api.get(f"/v1/games/{party.game}/events?limit=1000", token=party.tokens[1])
        told = [each["entry"] for each in events["events"]]
        assert [each["actor"] for each in told if each["type"].startswith("time_")] == ["clock", "clock"]
        assert stream.named("time_expired").json["entry"]["data"]["strikes"] == 1
        assert stream.named("time_credited").json["entry"]["data"]["reason"] == "maintenance"
    assert events["clock"] == expected(api, party)
    assert PATIENT.answer * 1000 in events["clock"]["banks"]
