"""A sample of every event and command in every schema version ever written: read for ever, never changed."""

import hashlib

import msgspec
import pytest

from events.chain.commitments import commit
from events.log.codec import (
    EVENT_TYPES,
    decode_command,
    decode_event,
    encode_command,
    encode_event,
    event_type,
)
from events.log.recorded import RecordedEvent
from events.log.redacted import command_in, event_in
from events.log.upcasting import OLDER_COMMANDS, OLDER_EVENTS, Members, OlderShape
from events.rules.evolving.evolve import fold
from tests.events.samples.add import HASHES, SAMPLES, Sample, forms_of, stored, writable
from tests.support.counting import what_counts

STORED = stored()
OF_EVENTS = [sample for sample in STORED.values() if sample.type in EVENT_TYPES]
OF_COMMANDS = [sample for sample in STORED.values() if sample.type not in EVENT_TYPES]


def name_of(sample: Sample) -> str:
    """How a sample is called in the name of a test."""
    return sample.file


def as_stored(sample: Sample) -> RecordedEvent:
    """The entry of the store that holds this event."""
    return RecordedEvent(
        version=1,
        type=sample.type,
        schema=sample.schema,
        data=msgspec.json.encode(sample.written),
        at=0,
        actor="host",
        state_hash="",
        hash="",
    )


def test_everything_that_can_be_written_or_read_has_a_sample() -> None:
    """`python -m tests.events.samples.add` adds the missing ones, from recorded games."""
    there = {(sample.type, sample.schema) for sample in STORED.values()}

    assert writable() - there == set()
    assert there == writable() | {*OLDER_EVENTS} | {*OLDER_COMMANDS}
    assert {*STORED} == {sample.file for sample in STORED.values()}


def test_no_sample_was_ever_changed() -> None:
    """Their hashes stand beside them; neither may a sample go."""
    lines = [line.split() for line in HASHES.read_text().splitlines()]
    kept = {name: content for content, name in lines}

    assert kept == {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in SAMPLES.glob("*.json")
    }


@pytest.mark.parametrize("sample", STORED.values(), ids=name_of)
def test_a_sample_stands_in_its_recorded_game(sample: Sample) -> None:
    """As it was written, in a log that is never edited either."""
    entry = forms_of(sample.log)[sample.version - 1].entry
    command = entry.get("command", {})

    assert (sample.type, sample.schema, sample.written) in (
        (entry["type"], entry["schema"], entry["data"]),
        (command.get("type"), command.get("schema", 1), command),
    )


@pytest.mark.parametrize("sample", OF_EVENTS, ids=name_of)
def test_an_event_folds_into_the_table_of_its_day(sample: Sample) -> None:
    """The hash of the table after it is the one that was recorded."""
    *before, form = forms_of(sample.log)[: sample.version]
    events = [*(event_in(each.entry) for each in before), decode_event(as_stored(sample))]

    state = fold(what_counts(events))

    assert commit(form.salts["state"], state) == form.entry["state"]


@pytest.mark.parametrize("sample", OF_EVENTS, ids=name_of)
def test_an_event_is_encoded_as_it_was_written(sample: Sample) -> None:
    """To the byte in the newest schema version; an older one becomes the newest, which is stable then."""
    event = decode_event(as_stored(sample))
    again = encode_event(event)

    assert event_type(event) == sample.type
    if sample.schema == event.schema:
        assert again == msgspec.json.encode(sample.written)
    assert decode_event(msgspec.structs.replace(as_stored(sample), schema=event.schema, data=again)) == event


@pytest.mark.parametrize("sample", OF_COMMANDS, ids=name_of)
def test_a_command_is_encoded_as_it_was_written(sample: Sample) -> None:
    """To the byte in the newest schema version; from the store and from a record it is the same."""
    written = msgspec.json.encode(sample.written)
    command = decode_command(written)

    assert command == command_in(forms_of(sample.log)[sample.version - 1].entry)
    if sample.schema == command.schema:
        assert encode_command(command) == written
    assert decode_command(encode_command(command)) == command


def displaced(shape: OlderShape, members: Members) -> set[str]:
    """The private fields whose commitments an upcaster moves, changes or copies."""
    hidden = {name: {"commitment": name} for name in shape.private if name in members}
    after = shape.upcast(members | hidden)
    return {name for name in hidden if name in after and after[name] != hidden[name]} | {
        other
        for other, value in after.items()
        if isinstance(value, dict) and value not in (hidden.get(other), members.get(other))
    }


def test_an_upcaster_leaves_private_values_where_they_are() -> None:
    """It hands a commitment on under the name that its salt is made with, or drops it."""
    for older in (OLDER_EVENTS, OLDER_COMMANDS):
        for (name, schema), shape in older.items():
            written = STORED[f"{name}-{schema}.json"].written
            assert (
                displaced(shape, {key: written[key] for key in written if key not in {"type", "schema"}})
                == set()
            )


def test_an_upcaster_that_moves_a_private_value_is_found_out() -> None:
    """Renamed or wrapped, it could not be opened any more."""
    private = {"cards": "seat"}
    renamed = OlderShape(lambda members: {"seat": members["seat"], "hand": members["cards"]}, private)
    wrapped = OlderShape(lambda members: members | {"cards": [members["cards"]]}, private)
    owner = OlderShape(lambda members: {"player": members["seat"], "cards": members["cards"]}, private)
    dropped = OlderShape(lambda members: {"seat": members["seat"]}, private)

    found = [displaced(shape, {"seat": 1, "cards": ["blue"]}) for shape in (renamed, wrapped, owner, dropped)]

    assert found == [{"hand"}, {"cards"}, set(), set()]
