"""Who may see what of an entry: forms, salts, and the public form that everybody can compute."""

from typing import Any, get_args

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.chain.commitments import commit, salt, salt_key
from events.log.codec import encode_command, encode_event, event_type
from events.log.disclosure import (
    ALL,
    NOBODY_SEAT,
    PUBLIC,
    Disclosure,
    acting_seat,
    form_for,
    public_form,
    viewer_name,
)
from events.log.recorded import RecordedEvent
from tests.support.tables import SECRET

KEY = salt_key(SECRET)


def entry(event: e.DomainEvent, actor: str = "dealer", command: c.Command | None = None) -> RecordedEvent:
    """The event as version 7 of a log."""
    return RecordedEvent(
        version=7, type=event_type(event), schema=1, data=encode_event(event), at=5, actor=actor,
        command=encode_command(command) if command else b"", state_hash="5" * 64, hash="7" * 64,
    )  # fmt: skip


def hidden(path: str, value: Any) -> dict[str, str]:
    """What stands in place of a value that a viewer may not see."""
    return {"commitment": commit(salt(KEY, 7, path), value)}


DEALT = entry(e.HandDealt(1, ("blue", "red")))
SHUFFLED = entry(
    e.PileShuffled("draw", 2, ("soy", "red")), command=c.Shuffle("draw", ("soy", "red"))
)  # fmt: skip
TRADED = entry(
    e.TradeMade(3, 0, 2, ("red",), ("soy", "blue"), (4,), (1,), (2, 5)), "seat:2", c.Accept(3, (5, 2))
)  # fmt: skip


def test_the_holder_sees_their_cards_with_the_salts() -> None:
    """Value and salt together let the holder check the commitment at once."""
    form = form_for(DEALT, KEY, 1)
    assert form.entry["data"] == {"seat": 1, "cards": ["blue", "red"]}
    assert form.salts == {f"data/cards/{place}": salt(KEY, 7, f"data/cards/{place}") for place in (0, 1)}
    assert form.hash == DEALT.hash


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 2, 99])
def test_others_see_one_commitment_for_each_card(viewer: int) -> None:
    """They learn how many cards there are, and nothing else."""
    form = form_for(DEALT, KEY, viewer)
    assert form.entry["data"] == {
        "seat": 1, "cards": [hidden("data/cards/0", "blue"), hidden("data/cards/1", "red")]
    }  # fmt: skip
    assert form.salts == {}


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1, 2])
def test_no_seat_sees_a_shuffle(viewer: int) -> None:
    """The order is committed card by card, in the command as a whole; nobody holds it."""
    form = form_for(SHUFFLED, KEY, viewer)
    assert form.entry["data"]["order"] == [hidden("data/order/0", "soy"), hidden("data/order/1", "red")]
    assert form.entry["command"]["order"] == hidden("command/order", ["soy", "red"])
    assert form.salts == {}


def test_a_trade_shows_cards_to_all_and_numbers_to_their_owners() -> None:
    """The active player's numbers, the partner's numbers, and the command of who accepted."""
    active, partner, other = (form_for(TRADED, KEY, seat) for seat in (0, 2, 1))
    assert {*active.salts} == {"data/active_hand/0"}
    assert {*partner.salts} == {"data/partner_hand/0", "data/partner_hand/1", "command/hand"}
    assert other.salts == {}
    for form in (active, partner, other):
        assert form.entry["data"]["active_cards"] == ["red"]
        assert form.entry["data"]["partner_cards"] == ["soy", "blue"]
    assert active.entry["data"]["partner_hand"] == [
        hidden("data/partner_hand/0", 2),
        hidden("data/partner_hand/1", 5),
    ]
    assert partner.entry["command"] == {"type": "accept", "offer": 3, "hand": [5, 2]}


def test_whoever_sees_all_gets_every_salt_and_that_of_the_state() -> None:
    """So an arbiter, or anybody after the end, can check the state hash as well."""
    form = form_for(TRADED, KEY, ALL)
    assert form.entry["data"]["active_hand"] == [4]
    assert {*form.salts} == {
        "data/active_hand/0", "data/partner_hand/0", "data/partner_hand/1", "command/hand", "state"
    }  # fmt: skip


@pytest.mark.parametrize("recorded", [DEALT, SHUFFLED, TRADED], ids=lambda recorded: recorded.type)
def test_everybody_computes_the_same_public_form(recorded: RecordedEvent) -> None:
    """From any viewer's form; and computing it changes nothing in the form it was made from."""
    public = form_for(recorded, KEY, PUBLIC).entry
    for viewer in (PUBLIC, ALL, 0, 1, 2):
        form = form_for(recorded, KEY, viewer)
        before = msgspec.json.encode(form)
        assert public_form(form) == public
        assert msgspec.json.encode(form) == before


@pytest.mark.parametrize("recorded", [DEALT, SHUFFLED, TRADED], ids=lambda recorded: recorded.type)
def test_one_disclosure_serves_all_viewers(recorded: RecordedEvent) -> None:
    """In any order: what was shown to one has changed nothing of what the next one gets, nor of what it got."""
    disclosure = Disclosure(recorded, KEY)
    viewers = (PUBLIC, 0, ALL, 1, 2, PUBLIC, ALL, 0)
    forms = [disclosure.form(viewer) for viewer in viewers]
    assert forms == [form_for(recorded, KEY, viewer) for viewer in viewers]


def test_an_altered_value_or_salt_gives_another_public_form() -> None:
    """A viewer cannot be shown another card than the one committed to."""
    form = form_for(DEALT, KEY, 1)
    public = form_for(DEALT, KEY, PUBLIC).entry
    swapped = {**form.entry, "data": {"seat": 1, "cards": ["red", "red"]}}
    assert public_form(msgspec.structs.replace(form, entry=swapped)) != public
    salted = form.salts | {"data/cards/0": "00" * 16}
    assert public_form(msgspec.structs.replace(form, salts=salted)) != public


def test_a_bots_seed_is_hidden_until_the_end() -> None:
    """It would tell the bot's choices in advance."""
    command = c.TakeSeat(1, "Bob", "bot", "greedy", "77", "mine")
    seated = entry(e.SeatTaken(1, "Bob", "bot", "greedy", "77", "mine"), "host", command)
    for viewer in (PUBLIC, 0, 1):
        form = form_for(seated, KEY, viewer)
        assert form.entry["data"]["bot_seed"] == hidden("data/bot_seed", "77")
        assert form.entry["command"]["bot_seed"] == hidden("command/bot_seed", "77")
        assert form.entry["data"]["seed"] == "mine"
    assert form_for(seated, KEY, ALL).entry["data"]["bot_seed"] == "77"


def test_every_private_field_names_a_holder_that_exists() -> None:
    """NOBODY or ACTOR, or a field of the event that holds a seat."""
    for kind in get_args(e.AnyEvent):
        for name, owner in kind.private.items():
            assert name in kind.__struct_fields__
            assert owner == c.NOBODY or kind.__annotations__[owner] is int
    for command in c.Command.__subclasses__():
        for name, owner in command.private.items():
            assert name in command.__struct_fields__
            assert owner in (c.ACTOR, c.NOBODY)


def test_viewers_and_actors_have_names() -> None:
    """As records and the API write them."""
    assert [viewer_name(viewer) for viewer in (0, 4, PUBLIC, ALL)] == ["seat:0", "seat:4", "public", "all"]
    assert [acting_seat(actor) for actor in ("seat:0", "seat:4", "dealer", "host")] == [
        0,
        4,
        NOBODY_SEAT,
        NOBODY_SEAT,
    ]
