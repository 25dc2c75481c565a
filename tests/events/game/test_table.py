"""A table turns commands into entries, and follows entries that somebody else has written."""

import pytest

from events import commands as c
from events.chain.commitments import commit, salt, salt_key
from events.chain.hash_chain import GENESIS
from events.game.table import new_table, open_table
from events.log.actors import actor_name, actor_number
from events.log.codec import decode_command
from events.log.recorded import RecordedEvent
from events.log.upcasting import UndecodableEvent
from events.rules import errors
from events.rules.catalogues.catalogue import CatalogueInvalid, installed_catalogue
from events.rules.move import DEALER, HOST
from tests.support.strategies import Dice, opening, play_on
from tests.support.tables import SECRET, STARTED, new_game


def test_a_command_becomes_entries_without_a_gap() -> None:
    """Versions count from 1; the first entry of a command holds it, the others are empty there."""
    table, log = new_game()
    assert [entry.version for entry in log] == [*range(1, len(log) + 1)]
    assert (table.version, table.hash) == (log[-1].version, log[-1].hash)
    field = 0
    after, entries = table.submit(0, c.Plant(field), STARTED + 99)
    assert [entry.type for entry in entries] == ["bean_planted"]
    assert decode_command(entries[0].command) == c.Plant(field)
    assert (entries[0].actor, entries[0].at) == ("seat:0", STARTED + 99)
    assert entries[0].state_hash == commit(salt(table.key, after.version, "state"), after.state)
    assert after.game == "game"


def test_the_dealer_answers_in_the_same_step() -> None:
    """The last seat taken brings the start, and the dealer's shuffle with the deal, all at one time."""
    _, log = new_game(options={"start_seat": "random"})
    commands = [(entry.actor, decode_command(entry.command).__class__) for entry in log if entry.command]
    assert commands == [
        ("host", c.CreateGame), *[("host", c.TakeSeat)] * 3,
        ("dealer", c.ChooseStartingSeat), ("dealer", c.Shuffle),
    ]  # fmt: skip
    assert len({entry.at for entry in log if entry.version > 4}) == 1


def test_a_refused_command_leaves_no_trace() -> None:
    """The table is the same value as before."""
    table, _ = new_game()
    before = (table.state, table.version, table.hash)
    with pytest.raises(errors.WrongPhase):
        table.submit(0, c.Draw(), STARTED)
    assert (table.state, table.version, table.hash) == before


def test_following_entries_is_the_same_as_submitting() -> None:
    """In one go, one by one, or none at all."""
    begun = opening("follow", 4, {})
    played = one_by_one = begun.table
    entries: list[RecordedEvent] = []
    for number, step in enumerate(play_on(begun.table, Dice("follow"))):
        if number == 60:
            break
        played, entries = step.after, entries + step.entries
    for entry in entries:
        one_by_one = one_by_one.follow([entry])
    assert begun.table.follow(entries) == one_by_one == played
    assert begun.table.follow([]) is begun.table


def test_a_stored_game_is_opened() -> None:
    """By the rules that its first event pins."""
    table, log = new_game(5, {"bean_protection": "strict", "start_seat": 3})
    opened = open_table(log, SECRET, installed_catalogue)
    assert opened == table
    assert opened.key == salt_key(SECRET)


def test_a_game_for_unknown_rules_is_not_opened() -> None:
    """Another system, version or catalogue is an error, not a guess."""
    _, log = new_game()
    first = log[0]

    def changed(old: bytes, new: bytes) -> None:
        assert old in first.data
        data = first.data.replace(old, new)
        open_table([type(first)(**{**{f: getattr(first, f) for f in first.__struct_fields__}, "data": data})],
                   SECRET, installed_catalogue)  # fmt: skip

    with pytest.raises(UndecodableEvent, match="version 1: There is no rule system 'poker' in version 1"):
        changed(b'"system":"classic"', b'"system":"poker"')
    with pytest.raises(UndecodableEvent, match="no rule system 'classic' in version 2"):
        changed(b'"system_version":1', b'"system_version":2')
    with pytest.raises(UndecodableEvent, match="with engine version 9; this installation has version 1"):
        changed(b'"engine_version":1', b'"engine_version":9')
    with pytest.raises(CatalogueInvalid):
        changed(b'"catalogue":"1', b'"catalogue":"f')
    with pytest.raises(UndecodableEvent):
        changed(b'"players":3', b'"players":"3"')


def test_a_new_table_begins_the_chain() -> None:
    """The first entry is linked to the genesis hash, and nobody is seated yet."""
    table, log = new_table(
        "g", "classic", 3, options={}, catalogue=installed_catalogue(new_game()[0].state.catalogue),
        secret=SECRET, at=STARTED,
    )  # fmt: skip
    assert [entry.type for entry in log] == ["game_created"]
    assert log[0].hash != GENESIS
    assert table.state.status == "open"


def test_actors_have_names() -> None:
    """As logs write them, and back."""
    for actor in (DEALER, HOST, 0, 1, 10):
        assert actor_number(actor_name(actor)) == actor
    assert [actor_name(actor) for actor in (0, DEALER, HOST)] == ["seat:0", "dealer", "host"]


@pytest.mark.parametrize("name", ["", "seat", "seat:", "seat:x", "seat:-1", "seat:-2", "seat: 1", "seat:01", "1",
                                  "seat:1_0", "seat:\u0661", "Dealer", "seat:1\n"])  # fmt: skip
def test_nobody_else_is_an_actor(name: str) -> None:
    """A name in a log that is not exactly one of those is refused; above all none turns a seat into the dealer."""
    with pytest.raises(ValueError, match="actor"):
        actor_number(name)
