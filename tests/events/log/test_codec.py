"""Events and commands to JSON and back; what is not known is refused."""

import json
from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events import commands as c
from events import domain_events as e
from events.chain.canonical import canonical
from events.log.codec import (
    COMMAND_TYPES,
    EVENT_TYPES,
    SEAT_COMMAND_TYPES,
    decode_command,
    decode_event,
    encode_both_ways,
    encode_command,
    encode_event,
    event_type,
)
from events.log.recorded import RecordedEvent
from events.log.upcasting import UndecodableEvent
from tests.support.strategies import some_examples, structs


def recorded(kind: str, data: bytes, schema: int = 1) -> RecordedEvent:
    """An entry holding this data."""
    return RecordedEvent(
        version=1, type=kind, schema=schema, data=data, at=0, actor="host", state_hash="", hash=""
    )  # fmt: skip


@pytest.mark.deep
@pytest.mark.parametrize("kind", EVENT_TYPES.values(), ids=lambda kind: kind.__name__)
@some_examples
@given(st.data())
def test_every_event_survives(kind: type[e.DomainEvent], data: st.DataObject) -> None:
    """decode(encode(event)) == event, whatever its fields hold; the type stands beside the data."""
    event = data.draw(structs(kind))
    encoded = encode_event(event)
    assert decode_event(recorded(event_type(event), encoded)) == event
    assert "type" not in json.loads(encoded)
    assert encode_both_ways(event) == (encoded, canonical(msgspec.json.decode(encoded)))


@pytest.mark.deep
@pytest.mark.parametrize("kind", COMMAND_TYPES.values(), ids=lambda kind: kind.__name__)
@some_examples
@given(st.data())
def test_every_command_survives(kind: type[c.Command], data: st.DataObject) -> None:
    """decode(encode(command)) == command; the type is the first member."""
    command = data.draw(structs(kind))
    encoded = encode_command(command)
    assert decode_command(encoded) == command
    assert next(iter(json.loads(encoded))) == "type"


def test_defaults_are_left_out() -> None:
    """Short entries: what is as usual is not written."""
    assert (
        encode_event(e.OfferMade(1, 0, None, revealed=(2,)))
        == b'{"offer":1,"seat":0,"to":null,"revealed":[2]}'
    )
    assert encode_command(c.Offer(hand=(3,))) == b'{"type":"offer","hand":[3]}'
    assert encode_command(c.Reveal()) == b'{"type":"reveal"}'


@pytest.mark.parametrize(
    ("kind", "data", "schema"),
    [
        ("bean_eaten", b"{}", 1),
        ("", b"{}", 1),
        ("BeanPlanted", b'{"seat":0,"field":0,"card":"blue"}', 1),
        ("phase_began", b'{"phase":"trade"}', 2),
        ("phase_began", b'{"phase":"trade"}', 0),
        ("phase_began", b'{"phase":"trade","mood":"good"}', 1),
        ("phase_began", b'{"phase":1}', 1),
        ("phase_began", b"{}", 1),
        ("phase_began", b"[]", 1),
        ("phase_began", b"", 1),
        ("phase_began", b'{"phase":"\xff"}', 1),
        ("phase_began", b'{"type":"turn_began","phase":"trade"}', 1),
        ("bean_planted", b'{"seat":0.5,"field":0,"card":"blue"}', 1),
        ("bean_planted", b'{"seat":true,"field":0,"card":"blue"}', 1),
    ],
)
def test_an_unknown_event_is_an_error(kind: str, data: bytes, schema: int) -> None:
    """Unknown types, schema versions, fields and shapes are refused, not skipped."""
    with pytest.raises(UndecodableEvent):
        decode_event(recorded(kind, data, schema))


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b'"plant"', b'{"type":"eat"}', b'{"type":"plant"}', b'{"type":"plant","field":"0"}',
     b'{"type":"plant","field":0,"hand":1}', b'{"type":"plant","field":0.5}', b'{"type":"say","text":"\xff"}',
     b'{"type":"plant","field":' + b"[" * 5000 + b"]" * 5000 + b"}"],
    ids=lambda data: ascii(data[:30]),
)  # fmt: skip
def test_an_unknown_command_is_an_error(data: bytes) -> None:
    """Nothing is guessed."""
    with pytest.raises(UndecodableEvent):
        decode_command(data)


def test_the_tables_of_types_are_complete() -> None:
    """Every event and command class that exists is in its union, so it can be stored and read."""
    foreseeable = {*e.ForeseeableEvent.__subclasses__()}
    others = {*e.DomainEvent.__subclasses__()} - {e.ForeseeableEvent}
    assert {*EVENT_TYPES.values()} == foreseeable | others == {*get_args(e.AnyEvent)}
    assert {*COMMAND_TYPES.values()} == {*c.Command.__subclasses__()} == {*get_args(c.AnyCommand)}
    assert {*SEAT_COMMAND_TYPES.values()} == {*get_args(c.SEAT_COMMANDS)} < {*COMMAND_TYPES.values()}


def test_values_of_frozen_structs_do_not_change() -> None:
    """Events and commands are facts and wishes, not variables."""
    with pytest.raises(AttributeError):
        e.PhaseBegan("trade").phase = "draw"  # type: ignore[misc]
    assert isinstance(c.Plant(0), msgspec.Struct)
