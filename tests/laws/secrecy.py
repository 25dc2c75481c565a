"""The law that nothing that leaves for a viewer holds what the viewer may not know, searched for in the bytes.

The decks of such games have no card twice, so a name in the bytes is that very card.
"""

import re
from typing import Any, get_args

import msgspec

from events import commands as c
from events.commands import NOBODY
from events.log.codec import EVENT_TYPES, decode_command, decode_event
from events.log.disclosure import PUBLIC, acting_seat, form_for
from events.log.recorded import RecordedEvent
from events.rules import errors
from events.rules.decide import play
from events.rules.definition.forms import CounterForm, OfferForm
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.systems.the_duel.errors import GiftCardUsed, NoSuchGiftCard, SequenceNotThere
from events.rules.systems.the_duel.table import DuelState
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from tests.support.strategies import Dice, any_command
from tests.support.tables import families_of_different

NAMES_ANY_VARIETY = (OfferForm, CounterForm, c.OfferGift, c.CounterGift)
"""What a seat may send about any variety, whether it has such a bean or not."""
NAME = re.compile(r"card_\d{3}_")
WITH_SEXES = families_of_different()
"""The deck of the games in which an offered hand card must show its family only."""


def names_in(value: Any) -> set[str]:
    """The cards named in the bytes of a JSON value."""
    return set(NAME.findall(msgspec.json.encode(value).decode()))


def may_know(state: GameState, viewer: int) -> set[str]:
    """The cards that lie open to this viewer, and the varieties that somebody has asked for."""
    known = {*state.discard_pile, *state.box, *(card for _, card in state.revealed)}
    for fan in state.ladybohn_expansion.fans if state.ladybohn_expansion else ():
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


def no_view_names_a_hidden_card(rules: Rules, state: GameState, secret: str) -> None:
    """In what a spectator and each seat see; nor the dealer's secret while the game runs."""
    for viewer in (PUBLIC, *range(rules.players)):
        view = player_view(state, viewer)
        assert names_in(view) <= may_know(state, viewer), f"viewer {viewer} sees a hidden card"
        assert secret not in str(view)


def an_entry_names_no_hidden_card(
    entry: RecordedEvent, key: bytes, before: GameState, after: GameState, wanted: set[str]
) -> None:
    """In each viewer's form of an entry, between two states; `wanted` are the cards that the command asks for."""
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


def a_seat_is_told_of_no_hidden_card(rules: Rules, state: GameState, seat: int, dice: Dice) -> None:
    """In its legal commands, and in why something is refused."""
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
    except (errors.NoSuchVariety, NoSuchGiftCard, GiftCardUsed, SequenceNotThere):
        return ""  # these rightly name every variety of the game, or those of the player's own bonus card
    except errors.RuleViolation as refused:
        return str(refused)
    return ""
