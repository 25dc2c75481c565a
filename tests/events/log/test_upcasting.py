"""Older shapes: whatever was ever written can be read, and nothing that was written changes.

Every shape is still the first one, so each test gives a real event and a real command an older shape that never was.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.chain.hash_chain import GENESIS, link
from events.game.record import header_for, read_record, write_record
from events.game.table import open_table
from events.log.codec import decode_command, decode_event, encode_command
from events.log.disclosure import ALL, PUBLIC, form_for, public_form
from events.log.recorded import RecordedEvent
from events.log.redacted import command_in, event_in
from events.log.upcasting import OLDER_COMMANDS, OLDER_EVENTS, Members, OlderShape, UndecodableEvent
from events.rules.catalogues.catalogue import installed_catalogue
from replay.timeline.timeline import read_timeline
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from tests.support.recorded_games import RecordedGame, recorded_game

GAME = recorded_game(21, 3, (), 12)
KEPT = recorded_game(21, 3, (), 12, stop_at=120)
"""The same game before its end, while its cards are hidden."""


def drawn_by_seat(members: Members) -> Members:
    """Before, `cards_drawn` named its seat `player`, and said how many cards there are."""
    members["seat"] = members.pop("player")
    del members["count"]
    return members


def offered_to(members: Members) -> Members:
    """Before, `offer` had its addressee in a list."""
    (to,) = members.pop("addressees")
    return members if to is None else members | {"to": to}


@pytest.fixture
def older(monkeypatch: pytest.MonkeyPatch) -> None:
    """Schema version 0 of an event and of a command can be read, for the length of a test."""
    drawn = OlderShape(drawn_by_seat, {"cards": "player"})
    monkeypatch.setitem(OLDER_EVENTS, ("cards_drawn", 0), drawn)
    monkeypatch.setitem(OLDER_COMMANDS, ("offer", 0), OlderShape(offered_to, {"hand": "actor"}))


def as_written_then(entry: RecordedEvent) -> RecordedEvent:
    """The entry as it would have been written when the older shapes were the newest."""
    changed = entry
    if entry.type == "cards_drawn":
        data = json.loads(entry.data)
        then = {"player": data["seat"], "count": len(data["cards"]), "cards": data["cards"]}
        changed = msgspec.structs.replace(changed, schema=0, data=msgspec.json.encode(then))
    if entry.command and (command := json.loads(entry.command))["type"] == "offer":
        rest = {name: value for name, value in command.items() if name not in {"type", "to"}}
        then = {"type": "offer", "schema": 0, "addressees": [command.get("to")], **rest}
        changed = msgspec.structs.replace(changed, command=msgspec.json.encode(then))
    return changed


def chained(log: Sequence[RecordedEvent], key: bytes) -> tuple[RecordedEvent, ...]:
    """The log with the chain over what it says."""
    head, entries = GENESIS, []
    for entry in log:
        head = link(head, form_for(entry, key, PUBLIC).entry)
        entries.append(msgspec.structs.replace(entry, hash=head))
    return tuple(entries)


def grown_old(game: RecordedGame) -> RecordedGame:
    """The game as an older release would have recorded it."""
    log = chained([as_written_then(entry) for entry in game.log], game.table.key)
    assert {entry.schema for entry in log} == {0, 1}
    assert any(b'"addressees"' in entry.command for entry in log)
    return RecordedGame(replace(game.table, hash=log[-1].hash), log)


@pytest.mark.usefixtures("older")
def test_a_table_opens_from_an_old_log_and_the_game_goes_on() -> None:
    """It is the same table; new entries are written in the newest shape, after the old chain."""
    old = grown_old(KEPT)

    table = open_table(old.log, KEPT.table.secret, installed_catalogue)

    assert table.state == KEPT.table.state
    assert table.hash == old.log[-1].hash != KEPT.log[-1].hash
    _, entries = table.submit(0, c.Say("Still there?"), old.log[-1].at)
    said = form_for(entries[0], table.key, PUBLIC)
    assert said.hash == link(old.log[-1].hash, said.entry)


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1])
def test_an_old_record_verifies_in_every_scope(viewer: int) -> None:
    """Chain, commitments, shuffles, rules and states: everything that is checked of a new record."""
    old, new = verify_lines(grown_old(GAME).record(viewer)), verify_lines(GAME.record(viewer))

    assert old.ok, old.findings
    assert old.checks == new.checks
    assert old.scores == new.scores
    assert old.head != new.head


@pytest.mark.usefixtures("older")
def test_an_old_record_is_audited() -> None:
    """Both engines answer what was recorded, in today's shape."""
    report = audit_lines(grown_old(GAME).record())

    assert report.ok
    assert [each.differing for each in report.engines] == [0, 0]


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 0])
def test_stepping_through_an_old_record_shows_the_same_tables(viewer: int) -> None:
    """Event by event, as each viewer may see it."""

    def steps(game: RecordedGame) -> list[Any]:
        timeline = read_timeline(*read_record(game.record()), viewer)
        assert timeline.broken is None
        return [(step.event, step.command, step.state) for step in timeline.steps]

    assert steps(grown_old(GAME)) == steps(GAME)


@pytest.mark.usefixtures("older")
def test_what_an_old_shape_hid_stays_hidden_and_passes_the_upcaster_as_a_commitment() -> None:
    """The private fields are those that the old shape named; their owner too."""
    log, key = grown_old(KEPT).log, KEPT.table.key
    drawn = next(entry for entry in log if entry.type == "cards_drawn")
    holder = json.loads(drawn.data)["player"]
    shown, hidden = form_for(drawn, key, holder), form_for(drawn, key, (holder + 1) % 3)

    assert all(set(card) == {"commitment"} for card in hidden.entry["data"]["cards"])
    assert hidden.salts == {}
    assert hidden.entry["data"]["player"] == holder
    unknown = event_in(hidden.entry)
    assert isinstance(unknown, e.CardsDrawn)
    assert (unknown.seat, set(unknown.cards)) == (holder, {e.UNKNOWN_CARD})
    assert event_in(shown.entry) == decode_event(drawn)
    assert public_form(shown) == form_for(drawn, key, PUBLIC).entry
    offered = next(entry for entry in log if b'"addressees"' in entry.command and b'"hand"' in entry.command)
    closed = form_for(offered, key, PUBLIC).entry
    assert set(closed["command"]["hand"]) == {"commitment"}
    command = command_in(closed)
    assert isinstance(command, c.Offer)
    assert command == msgspec.structs.replace(decode_command(offered.command), hand=())


def test_the_chain_is_over_what_was_written() -> None:
    """Whoever cannot read the older shapes can follow the chain all the same, and no upcaster has any part in it."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setitem(OLDER_EVENTS, ("cards_drawn", 0), OlderShape(drawn_by_seat, {"cards": "player"}))
        patched.setitem(OLDER_COMMANDS, ("offer", 0), OlderShape(offered_to, {"hand": "actor"}))
        old = grown_old(GAME)
        lines = old.record()
    head = GENESIS
    _, forms = read_record(lines)
    for form, entry in zip(forms, old.log, strict=True):
        assert form.entry["data"] == json.loads(entry.data)
        head = link(head, public_form(form))
        assert head == form.hash
    assert head == old.log[-1].hash


@pytest.mark.usefixtures("older")
def test_a_changed_value_in_an_old_shape_is_found_out() -> None:
    """What an upcaster leaves out is in the chain too."""
    lines = grown_old(GAME).record()
    changed = [line.replace(b'"count":3', b'"count":2', 1) for line in lines]
    assert changed != lines

    (finding,) = verify_lines(changed).findings

    assert finding.check == "chain"


@pytest.mark.parametrize("schema", [0, 2, -1, True, "1", None, 1.5, 10**30])
def test_an_unknown_schema_version_is_refused_by_name(schema: object) -> None:
    """With type, schema version and what can be read instead; in a filtered entry as in a stored one."""
    data = {"seat": 0, "cards": []}

    with pytest.raises(UndecodableEvent) as refused:
        event_in({"version": 7, "type": "cards_drawn", "schema": schema, "data": data})

    assert f"cards_drawn is of schema version {schema!r}, and 1 can be read here" in str(refused.value)
    with pytest.raises(UndecodableEvent, match="offer is of schema version"):
        command_in({"command": {"type": "offer", "schema": schema if schema is not True else 2}})


def test_a_newer_schema_version_is_a_finding_and_names_who_can_read_it() -> None:
    """Verifying a record of a newer release says where, what and why, and no more."""
    log = list(GAME.log)
    place = next(place for place, entry in enumerate(log) if entry.type == "turn_began")
    log[place] = msgspec.structs.replace(log[place], schema=2)
    forms = [msgspec.structs.replace(form_for(entry, GAME.table.key, ALL)) for entry in GAME.log]
    forms[place].entry["schema"] = 2

    (finding,) = verify_lines(write_record(header_for(GAME.table, ALL), forms)).findings

    assert (finding.check, finding.version) == ("fold", place + 1)
    assert "turn_began is of schema version 2" in finding.reason
    assert "a newer release of Fieldbook wrote it" in finding.reason
    with pytest.raises(UndecodableEvent, match=f"version {place + 1}: turn_began is of schema version 2"):
        open_table(log, GAME.table.secret, installed_catalogue)


@pytest.mark.usefixtures("older")
@pytest.mark.parametrize("data", [{}, {"player": 0}, {"seat": 0, "cards": []}, {"player": [], "count": 1}])
def test_what_only_claims_an_older_shape_is_refused(data: Members) -> None:
    """An upcaster that finds something else is no crash."""
    with pytest.raises(UndecodableEvent):
        event_in({"version": 1, "type": "cards_drawn", "schema": 0, "data": data})


def test_a_command_of_a_later_shape_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its schema version is its second member; the first version is not written out."""
    assert encode_command(c.Plant(2)) == b'{"type":"plant","field":2}'
    with pytest.raises(UndecodableEvent, match="is not written out"):
        decode_command(b'{"type":"plant","schema":1,"field":2}')

    monkeypatch.setattr(c.Plant, "schema", 2)
    monkeypatch.setitem(OLDER_COMMANDS, ("plant", 1), OlderShape(lambda members: {"field": members["on"]}))
    assert encode_command(c.Plant(2)) == b'{"type":"plant","schema":2,"field":2}'
    assert decode_command(encode_command(c.Plant(2))) == c.Plant(2)
    assert decode_command(b'{"type":"plant","on":2}') == c.Plant(2)
    with pytest.raises(UndecodableEvent):
        decode_command(b'{"type":"plant","field":2}')
