"""The commands of a load are chosen before they are sent, and are what the service will accept."""

import random

from events.commands import TakeSeat
from events.game.table import Table, new_table
from events.log.codec import decode_command
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.store.event_store import EventStore
from service.access.game_access import SECRET
from tests.benchmarks.chosen import SetUp, chosen_game, recorded_commands
from tests.support.memory_store import MemoryEventStore

SECRET_OF_THE_GAME = "ab" * 32
MADE = SetUp("chosen", ("ann", "ben", "cat", "dan"))


def a_game_just_set_up(store: EventStore) -> Table:
    """Four people, of whom nobody has done anything."""
    catalogue = shipped_catalogue(system_named("classic").catalogue)
    table, entries = new_table(
        MADE.game, "classic", 4, options={}, catalogue=catalogue, secret=SECRET_OF_THE_GAME, at=1
    )
    for seat, name in enumerate(MADE.tokens):
        table, seated = table.submit(HOST, TakeSeat(seat, name, "human"), 1)
        entries += seated
    store.append(
        MADE.game,
        entries,
        expected_version=0,
        command_id="set-up",
        fingerprint="set-up",
        private={SECRET: SECRET_OF_THE_GAME},
    )
    return table


def test_every_chosen_command_is_accepted_and_the_last_one_ends_the_game() -> None:
    """They are sent as they are, by the seat that they name, to the version that was foreseen."""
    store = MemoryEventStore()
    table = a_game_just_set_up(store)

    chosen = chosen_game(store, MADE, random.Random(1), port=1)

    for step in chosen.steps:
        command = decode_command(step.request.partition(b"\r\n\r\n")[2])
        table, _ = table.submit(step.seat, command, 2)
    assert table.state.status == "finished"
    assert table.version == chosen.version


def test_a_request_carries_the_token_of_its_seat() -> None:
    """And says how long its body is."""
    store = MemoryEventStore()
    a_game_just_set_up(store)

    for step in chosen_game(store, MADE, random.Random(2), port=80).steps[:20]:
        head, _, body = step.request.partition(b"\r\n\r\n")
        assert f"Bearer {MADE.tokens[step.seat]}".encode() in head
        assert f"Content-Length: {len(body)}".encode() in head


def test_what_the_floor_appends_are_the_events_of_a_real_game() -> None:
    """Command by command, as the service would have recorded them."""
    store = MemoryEventStore()
    table = a_game_just_set_up(store)

    batches = recorded_commands(store, MADE, random.Random(1))

    versions = [entry.version for batch in batches for entry in batch]
    assert versions == list(range(table.version + 1, table.version + 1 + len(versions)))
    assert all(batch[0].command and batch[0].actor.startswith("seat:") for batch in batches)
