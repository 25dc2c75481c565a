"""Nothing that leaves for a viewer holds what the viewer may not know. Searched for in the bytes that leave.

The deck of these games has no card twice, so a name in the bytes is that very card.
"""

import re
from typing import Any, get_args

import msgspec
import pytest

from events import commands as c
from events.codec import EVENT_TYPES, decode_command, decode_event
from events.commands import NOBODY
from events.disclosure import PUBLIC, acting_seat, form_for
from events.recorded import RecordedEvent
from events.rules import errors
from events.rules.catalogue import Catalogue
from events.rules.decide import play
from events.rules.duel_state import DuelState
from events.rules.forms import CounterForm, OfferForm
from events.rules.legal import legal_commands
from events.rules.player_view import player_view
from events.rules.rule_system import Rules
from events.rules.state import GameState
from tests.laws.games import TABLES
from tests.support.strategies import Dice, any_command, opening, play_on
from tests.support.tables import all_different, families_of_different, rules_of

NAMES_ANY_VARIETY = (OfferForm, CounterForm, c.OfferGift, c.CounterGift)
"""What a seat may send about any variety, whether it has such a bean or not."""
NAME = re.compile(r"card_\d{3}_")
STEPS = 400
WITH_SEXES = families_of_different()
"""The deck of the games in which an offered hand card must show its family only."""


def names_in(value: Any) -> set[str]:
    """The cards named in the bytes of a JSON value."""
    return set(NAME.findall(msgspec.json.encode(value).decode()))


def may_know(state: GameState, viewer: int) -> set[str]:
    """The cards that lie open to this viewer, and the varieties that somebody has asked for."""
    known = {*state.discard_pile, *state.box, *(card for _, card in state.revealed)}
    for fan in state.lady_bohn.fans if state.lady_bohn else ():
        known |= {*fan}
    for number, seat in enumerate(state.seats):
        known |= {
            *_seen_coins(state, number),
            *(card for _, card in seat.aside),
            *(card for field in seat.fields for card in field),
        }
        if number == viewer:
            known |= {card for _, card in seat.hand}
    for offer in state.offers:
        known |= {*offer.want}
        if state.catalogue != WITH_SEXES.hash():
            known |= {*offer.hand_cards}
    return known | (set() if state.duel is None else _may_know_of(state.duel, viewer))


def _seen_coins(state: GameState, seat: int) -> set[str]:
    """The coins of a seat without those that nobody has seen."""
    unseen = {*(() if state.duel is None else state.duel.seats[seat].unseen)}
    unseen |= {place for owner, place in (state.ladybohn.unseen if state.ladybohn else ()) if owner == seat}
    return {coin for place, coin in enumerate(state.seats[seat].coins) if place not in unseen}


def _may_know_of(duel: DuelState, viewer: int) -> set[str]:
    """Bonus cards that lie open or are the viewer's, and the varieties on gift cards that were pushed."""
    known = {*duel.discards, *(gift.variety for gift in duel.gifts)}
    for number, seat in enumerate(duel.seats):
        known |= {*seat.claimed, *(seat.bonus if number == viewer else ())}
    return known


@pytest.mark.parametrize(("system", "players"), TABLES)
def test_no_form_and_no_view_names_a_hidden_card(system: str, players: int) -> None:
    """A name goes only to who may know it: in views, in entries, in what a seat may send, and in refusals."""
    _check_game(system, players, all_different(rules_of(system, players).catalogue.total))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_an_offer_names_no_card_where_sexes_are_hidden(players: int) -> None:
    """`ladybohn`: of an offered hand card the others learn the family; coins off the draw pile nobody sees."""
    _check_game("ladybohn", players, WITH_SEXES)


def _check_game(system: str, players: int, deck: Catalogue) -> None:
    seed = f"{system} {players}"
    begun = opening(seed, players, {"start_seat": "random"}, deck, system=system)
    dice, key, secret = Dice(f"secrets {seed}"), begun.table.key, begun.table.secret
    for entry in begun.log:
        _check_entry(entry, key, begun.table.state, begun.table.state, set())
    for count, step in enumerate(play_on(begun.table, Dice(seed))):
        if count == STEPS or step.after.state.status != "running":
            break
        before = step.before.state
        wanted = {*getattr(step.command, "want", ()), getattr(step.command, "variety", "")}
        for entry in step.entries:
            after = step.before.follow([each for each in step.entries if each.version <= entry.version]).state
            _check_entry(entry, key, before, after, wanted)
            before = after
        for viewer in (PUBLIC, *range(players)):
            view = player_view(step.after.state, viewer)
            assert names_in(view) <= may_know(step.after.state, viewer)
            assert secret not in str(view)
        _check_seat(step.after.rules, step.after.state, dice.below(players), dice)


def _check_entry(
    entry: RecordedEvent, key: bytes, before: GameState, after: GameState, wanted: set[str]
) -> None:
    for viewer in (PUBLIC, *range(len(after.seats))):
        form = form_for(entry, key, viewer)
        allowed = wanted | may_know(after, viewer)
        if entry.type != "pile_shuffled":
            allowed |= may_know(before, viewer)
        assert names_in(form) <= allowed, f"version {entry.version}, {entry.type}, viewer {viewer}"
        assert "state" not in form.salts
        _check_salts(entry, form.salts, viewer)
        for name, owner in EVENT_TYPES[entry.type].private.items():
            value = form.entry["data"].get(name, [])
            holder = None if owner == NOBODY else form.entry["data"][owner]
            if holder != viewer:
                for item in value if isinstance(value, list) else [value]:
                    assert set(item) == {"commitment"}


def _check_salts(entry: RecordedEvent, salts: dict[str, str], viewer: int) -> None:
    event = decode_event(entry)
    for path in salts:
        place, name, *_ = path.split("/")
        if place == "data":
            assert getattr(event, type(event).private[name]) == viewer
        else:
            assert decode_command(entry.command).private[name] == "actor"
            assert acting_seat(entry.actor) == viewer


def _check_seat(rules: Rules, state: GameState, seat: int, dice: Dice) -> None:
    """What a seat is told besides: its legal commands, and why something is refused."""
    own = [each for each in legal_commands(rules, state, seat) if not isinstance(each, NAMES_ANY_VARIETY)]
    assert names_in(own) <= may_know(state, seat)
    for kind in get_args(c.SEAT_COMMANDS):
        if kind is c.Say:
            continue
        command = any_command(kind, state, seat, dice)
        assert names_in(_refusal(rules, state, seat, command)) <= may_know(state, seat) | names_in(command)


def _refusal(rules: Rules, state: GameState, seat: int, command: c.Command) -> str:
    """What the player is told; nothing where the command is accepted."""
    try:
        play(rules, state, seat, command)
    except (errors.NoSuchVariety, errors.NoSuchGiftCard, errors.SequenceNotThere):
        return ""  # these rightly name every variety of the game, or those of the player's own bonus card
    except errors.RuleViolation as refused:
        return str(refused)
    return ""


def test_bot_seeds_and_the_dealers_secret_stay_hidden_until_the_end() -> None:
    """A bot's seed would tell its next move; the secret would tell every card."""
    begun = opening("bots", 3, {})
    table, log = begun.table, list(begun.log)
    for step in play_on(table, Dice("bots")):
        log += step.entries
    bot = RecordedEvent(
        version=2, type="seat_taken", schema=1, at=0, actor="host", state_hash="", hash="",
        data=b'{"seat":1,"name":"B","kind":"bot","bot":"greedy","bot_seed":"feedbeef"}',
        command=b'{"type":"take_seat","seat":1,"name":"B","kind":"bot","bot":"greedy","bot_seed":"feedbeef"}',
    )  # fmt: skip
    for viewer in (PUBLIC, 0, 1, 2):
        assert b"feedbeef" not in msgspec.json.encode(form_for(bot, table.key, viewer))
        sent = b"".join(msgspec.json.encode(form_for(entry, table.key, viewer)) for entry in log[:-1])
        assert table.secret.encode() not in sent
        assert table.key.hex().encode() not in sent
    assert log[-1].type == "secret_revealed"
