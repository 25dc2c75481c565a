"""The Python client, against a running service."""

from pathlib import Path
from time import monotonic
from typing import Any

import pytest

from events.commands import ComeBack, Draw, Plant, Resign, Reveal, Say
from events.rules.definition.forms import OfferForm
from events.transparency.signed_note import parse_note
from replay.client import (
    ChainBroken,
    Clock,
    Event,
    Fieldbook,
    GameSwapped,
    Invalid,
    NotFound,
    NotPermitted,
    Problem,
    RefusedByTheRules,
    Stale,
    TableView,
)
from replay.client.following import PAUSE, _check_link
from replay.client.transport import Transport
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from tests.service.in_process import keep_game
from tests.support.processes import Service
from tests.support.rounds import closed_table
from tests.support.servers import eventually

BOTS = [{"name": name, "kind": "bot", "bot": "random", "seed": name} for name in ("A", "B", "C")]


def test_a_game_is_set_up_joined_and_played(fieldbook: Fieldbook, address: str) -> None:
    """From nothing to the first turn, everything typed; a seat needs no key."""
    made = fieldbook.create_game("classic", ["Ann", None, None], options={"bean_protection": "strict"})
    ann = fieldbook.seat(made.game, made.seats[0].token or "")
    ben = Fieldbook(address).take_seat(made.game, "Ben", seed="my-dice-say-4")
    Fieldbook(address).take_seat(made.game, "Cat", seat=2)

    table = ann.table()
    assert (table.status, table.viewer) == ("running", "seat:0")
    assert [seat.hand.size for seat in table.seats] == [5, 5, 5]
    assert [len(seat.hand.cards) for seat in table.seats] == [5, 0, 0]
    assert ann.legal_commands().awaited == (table.active == 0)
    assert ben.table().viewer == "seat:1"


def test_a_seat_has_no_more_turns_where_a_round_has_ended(fieldbook: Fieldbook, service: Service) -> None:
    """Though its secret is closed, for as long as others play: a bot can go on with its next table."""
    store = service.open_store()
    ended = keep_game(store, closed_table("ended-table", 1))
    running = keep_game(store, closed_table("late-table", 2, stop_at=100))
    store.close()

    assert list(fieldbook.seat(ended.id, ended.tokens[0]).turns()) == []
    assert fieldbook.seat(ended.id, ended.tokens[0]).table().status == "ended"
    assert fieldbook.seat(running.id, running.tokens[0]).table().status == "running"


def test_whoever_follows_a_game_of_bots_asks_seldom(
    fieldbook: Fieldbook, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many events come with one answer: a tournament that is followed game by game uses no quota up."""
    asked: list[str] = []
    read = Transport.read

    def note(transport: Transport, path: str, *more: Any, **query: Any) -> Any:
        asked.append(path)
        return read(transport, path, *more, **query)

    monkeypatch.setattr(Transport, "read", note)
    made = fieldbook.create_game("classic", BOTS)
    begun = monotonic()
    events = [*fieldbook.events(made.game, wait=20)]

    assert len(events) > 300
    assert len(asked) <= 10 + (monotonic() - begun) / PAUSE


def test_commands_are_the_engines_own_structs(fieldbook: Fieldbook) -> None:
    """What is legal is listed ready to send or as a form, and what is sent comes back as events."""
    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], options={"start_seat": 0})
    ann = fieldbook.seat(made.game, made.seats[0].token or "")

    assert Plant(field=0) in ann.legal_commands().ready
    done = ann.send(Plant(field=0))
    assert done.events[0].entry.type == "bean_planted"
    ann.send([Reveal()])
    assert any(isinstance(each, OfferForm) for each in ann.legal_commands().forms)


def test_whose_time_runs_is_typed_wherever_it_is_told(fieldbook: Fieldbook) -> None:
    """With the table, what is legal, what was done and the events; and the time that is over can be recorded."""
    live = fieldbook.clocks()["live"]
    quick = {"bank": 0, "increment": 0, "cap": 3, "answer": 3, "grace": 0, "strikes": 9, "bot": "random"}
    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], clock="live", close_after=86_400)
    assert (made.clock, made.close_after) == (live, 86_400)
    ann = fieldbook.seat(made.game, made.seats[0].token or "")

    clock = ann.table().clock
    assert isinstance(clock, Clock)
    (wait,) = clock.waits
    assert wait.since < wait.low_at < wait.deadline <= wait.over_at
    assert clock.waits_for(wait.seat) == (wait,)
    assert clock.waits_for((wait.seat + 1) % 3) == ()
    assert ann.legal_commands().clock == clock
    assert ann.send(Say("hello")).clock == clock
    with pytest.raises(Problem, match="nothing_expired"):
        ann.expire_time()

    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], clock=quick)
    ben = fieldbook.seat(made.game, made.seats[1].token or "")
    for event in ben.events(made.version, wait=20):
        if event.entry.type == "time_expired":
            break
    else:
        pytest.fail("nobody's time was over")
    assert fieldbook.create_game("classic", ["Ann", "Ben", "Cat"]).clock is None


def test_who_has_left_is_in_the_list(fieldbook: Fieldbook) -> None:
    """A bot plays the seat then, and who it was stands beside it until they come back."""
    made = fieldbook.create_game("classic", ["Leaver", "Ben", "Cat"])
    leaver = fieldbook.seat(made.game, made.seats[0].token or "")

    def listed() -> list[Any]:
        return [(game.kinds, game.away) for game in fieldbook.games(player="Leaver")]

    eventually(lambda: listed() == [(("human", "human", "human"), ())])
    leaver.send(Resign())
    eventually(lambda: listed() == [(("bot", "human", "human"), ("human", None, None))])
    leaver.send(ComeBack())
    eventually(lambda: listed() == [(("human", "human", "human"), ())])


def test_problems_are_exceptions_of_their_kind(fieldbook: Fieldbook, address: str) -> None:
    """Refused by the rules, stale, not permitted, not found, and everything else."""
    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], options={"start_seat": 0})
    ann, ben = (fieldbook.seat(made.game, seat.token or "") for seat in made.seats[:2])

    with pytest.raises(RefusedByTheRules) as refused:
        ben.send(Draw())
    assert refused.value.code == "wrong_phase" or refused.value.section

    seen = ann.table()
    ben.send(Say("hello"))
    with pytest.raises(Stale) as stale:
        ann.send(Plant(field=0), only_at=seen)
    assert [event["entry"]["type"] for event in stale.value.members["events"]] == ["talked"]

    with pytest.raises(NotPermitted):
        Fieldbook(address).seat(made.game, "fbs_of_nobody").send(Say("hello"))
    with pytest.raises(NotFound):
        fieldbook.table("no-such-game")
    with pytest.raises(Invalid, match="schema_violation"):
        fieldbook.create_game("classic", [])
    with pytest.raises(Invalid, match="unknown_system"):
        fieldbook.create_game("clasic", ["Ann", "Ben", "Cat"])


def test_whoever_is_far_behind_reads_on(fieldbook: Fieldbook) -> None:
    """A refusal tells the first of what was missed, and after which version the rest stands."""
    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], options={"start_seat": 0})
    ann, ben = (fieldbook.seat(made.game, seat.token or "") for seat in made.seats[:2])
    seen, missed, rest = ann.table(), 0, list[int]()
    for several in (1, 20, 20, 20, 20, 20):
        ben.send([Say("hello")] * several)
        missed += several
        with pytest.raises(Stale) as stale:
            ann.send(Plant(field=0), only_at=seen)
        told = [event["entry"]["version"] for event in stale.value.members["events"]]
        rest = [event.entry.version for event in ann.events(stale.value.next)]
        assert [*told, *rest] == [seen.version + 1 + number for number in range(missed)]
    assert rest


def test_the_same_key_sets_up_one_game_and_counts_one_command(fieldbook: Fieldbook) -> None:
    """A program that was started again sends the same with the same key."""
    first = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], key="table-7-of-my-tournament")
    again = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"], key="table-7-of-my-tournament")
    assert again == first

    ann = fieldbook.seat(first.game, first.seats[0].token or "")
    done = [ann.send(Say("once"), key="said-once") for _ in range(3)]
    assert len({each.version for each in done}) == 1
    said = [event for event in ann.events() if event.entry.type == "talked"]
    assert len(said) == 1


def test_a_game_is_followed_to_its_end_and_judged(fieldbook: Fieldbook) -> None:
    """Each event once and in order, the chain checked; list, verdict and record of the finished game."""
    made = fieldbook.create_game("classic", BOTS)

    events = list(fieldbook.events(made.game, wait=20))

    assert [event.entry.version for event in events] == list(range(1, len(events) + 1))
    assert events[-1].entry.type == "secret_revealed"
    table = fieldbook.table(made.game, viewer="all")
    assert (table.status, table.hash) == ("finished", events[-1].hash)
    assert table.result is not None
    assert list(fieldbook.events(made.game, after=len(events) - 3)) == events[-3:]
    eventually(lambda: fieldbook.verdict(made.game).validation == "valid", 120)
    eventually(lambda: made.game in {each.game for each in fieldbook.games(status="finished", limit=1)}, 60)
    assert fieldbook.record(made.game).count(b"\n") > len(events)


def test_an_event_that_does_not_continue_the_chain_is_noticed(fieldbook: Fieldbook) -> None:
    """A service that changes what it has said, or leaves something out, is caught by the client."""
    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"])
    first, second, third = list(fieldbook.events(made.game))[:3]

    with pytest.raises(ChainBroken, match="version 2"):
        _check_link(Event(entry=second.entry, salts={}, hash="0" * 64), 1, first.hash)
    with pytest.raises(ChainBroken, match="version 3 came after version 1"):
        _check_link(third, 1, first.hash)


def test_rule_systems_are_described(fieldbook: Fieldbook) -> None:
    """All of them, and one by its name."""
    systems = fieldbook.systems()
    assert fieldbook.system(systems[0].system) == systems[0]
    assert {"classic", "the-duel"} <= {each.system for each in systems}


def test_a_view_of_every_system_is_read(fieldbook: Fieldbook) -> None:
    """What only one system has is left aside."""
    for system in fieldbook.systems():
        made = fieldbook.create_game(system.system, [f"P{seat}" for seat in range(system.players[0])])
        assert isinstance(fieldbook.table(made.game), TableView)


def test_an_address_that_is_none_is_refused_at_once() -> None:
    """The sentence says what one looks like."""
    with pytest.raises(ValueError, match="no address such as"):
        Fieldbook("localhost:8000")


def test_a_service_that_is_away_is_waited_for(service: Service, fieldbook: Fieldbook) -> None:
    """While it starts again a command waits, and then counts once."""
    made = fieldbook.create_game("classic", ["Ann", "Ben", "Cat"])
    ann = fieldbook.seat(made.game, made.seats[0].token or "")
    service.kill("web")
    service.start("web")

    ann.send(Say("still there?"))

    assert [event.entry.type for event in ann.events()].count("talked") == 1


def test_seeds_of_a_new_game_come_after_its_commitment(
    address: str, service: Service, tmp_path: Path
) -> None:
    """The client reserves such a game, keeps the signed commitment, and the record is held against it."""
    fieldbook = Fieldbook(address, service.key(), receipts=tmp_path)
    seats = [{"name": "Ann", "seed": "my-dice-say-4"}, {"name": "Ben"}, {"name": "Cat"}]
    made = fieldbook.create_game("classic", seats)
    kept = tmp_path / f"{made.game}-0.receipt"
    trust = Trust(receipts=(parse_note(kept.read_text()),))
    report = verify_lines(fieldbook.record(made.game).splitlines(keepends=True), trust)
    assert (report.ok, report.seeds) == (True, "shown"), report.findings
    with pytest.raises(GameSwapped, match="commitment was to be"):
        fieldbook.receipts.hold_commitment(made.game, "0" * 64)
