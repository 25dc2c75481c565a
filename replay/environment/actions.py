"""Actions: a fixed list for each rule system and table, in which what may be done now is marked.

An action says where things lie and not which number they have: the first card aside, the second open offer. So a
number means the same from the first turn to the last. What has more ways than anybody needs is capped: of the ways to
move a miss, to rotate a field or to pay for an offer the first is taken, offers give one card, and want one variety
or nothing. Talk, counter-offers, take-backs and leaving are no actions.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from events import commands as c
from events.rules.definition.forms import AcceptForm, Form, OfferForm
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState

HAND: Final = 6
"""So many places of a hand can be offered, from the front."""
LYING: Final = 6
"""So many cards that lie aside or revealed can be named."""
OFFERS: Final = 4
"""So many open offers can be answered, the oldest first."""
LONGEST_HAND: Final = 12
"""So many places of a hand can be discarded or given."""
HELD: Final = 3
"""So many bonus cards, moves of misses and payers of a levy can be told apart."""
FIELDS: Final = 3
Action = tuple[str | int, ...]
"""The type of a command and where it is done; `pass` for nothing."""
PASS: Final[Action] = ("pass",)


def actions_of(rules: Rules) -> tuple[Action, ...]:
    """Every action of a table, in the order of their numbers."""
    return tuple(dict.fromkeys(_actions(rules)))


def _actions(rules: Rules) -> Iterator[Action]:
    kinds = {kind for phase in rules.phases.values() for kind in phase.rules} | {*rules.system.any_time}
    fields = range(FIELDS)
    yield PASS
    for kind, plain in _PLAIN.items():
        if kind in kinds:
            yield (plain,)
    for kind, name in ((c.Plant, "plant"), (c.Harvest, "harvest")):
        if kind in kinds:
            yield from ((name, field) for field in fields)
    for kind, name in ((c.PlantAside, "plant_aside"), (c.PlantRevealed, "plant_revealed")):
        if kind in kinds:
            yield from ((name, place, field) for place in range(LYING) for field in fields)
    for kind, (name, most) in _PLACES.items():
        if kind in kinds:
            yield from ((name, place) for place in range(most))
    for kind, name in ((c.OfferGift, "offer_gift"), (c.CounterGift, "counter_gift")):
        if kind in kinds:
            yield from ((name, variety) for variety in rules.rising)
    if c.Offer in kinds:
        wanted = ("", *rules.varieties)
        yield from (("offer", "hand", place, want) for place in range(HAND) for want in wanted)
        yield from (("offer", "revealed", place, want) for place in range(HELD) for want in wanted)
        yield from (("request", place, give) for place in range(HELD) for give in range(-1, HAND))


_PLAIN: Final[dict[type[c.Command], str]] = {
    c.Reveal: "reveal",
    c.Draw: "draw",
    c.EndTrading: "end_trading",
    c.BuyField: "buy_field",
    c.AcceptGift: "accept_gift",
    c.KeepBonus: "keep_bonus",
}
_PLACES: Final[dict[type[c.Command], tuple[str, int]]] = {
    c.Accept: ("accept", OFFERS),
    c.Decline: ("decline", OFFERS),
    c.Discard: ("discard", LONGEST_HAND),
    c.DiscardRevealed: ("discard_revealed", LYING),
    c.GiveRevealed: ("give_revealed", LYING),
    c.GiveFromHand: ("give_from_hand", LONGEST_HAND),
    c.ClaimBonus: ("claim_bonus", HELD),
    c.DiscardBonus: ("discard_bonus", HELD),
    c.SwapHand: ("swap_hand", 2),
    c.ChooseFan: ("choose_fan", 2),
    c.Levy: ("levy", HELD + 1),
    c.MoveMiss: ("move_miss", HELD),
}


def find_commands(
    state: GameState, seat: int, legal: Sequence[c.Command | Form], *, offers: bool
) -> dict[Action, c.Command]:
    """What a seat may do now: each action with the command that does it; `offers` says whether it may offer."""
    found: dict[Action, c.Command] = {}
    counted: dict[str, int] = {}
    for each in legal:
        if isinstance(each, OfferForm):
            if offers:
                found |= _offers(state, seat, each)
        elif isinstance(each, AcceptForm):
            _add(found, ("accept", _place_of_offer(state, seat, each.offer)), _cheapest(each))
        elif isinstance(each, c.Command):
            action = _action(state, seat, each, counted)
            if action is not None:
                _add(found, action, each)
    return found


def _add(found: dict[Action, c.Command], action: Action, command: c.Command) -> None:
    """The first command of an action is its command."""
    if action[-1] != _NOWHERE:
        found.setdefault(action, command)


_NOWHERE: Final = -2
"""The place of what lies too far back to be named."""


def _action(state: GameState, seat: int, command: c.Command, counted: dict[str, int]) -> Action | None:
    """The action of a command that is ready to send; None where it is none."""
    own = state.seats[seat]
    if type(command) in _PLAIN:
        return (_PLAIN[type(command)],)
    match command:
        case c.Plant(field=field):
            return "plant", field
        case c.Harvest(field=field):
            return "harvest", field
        case c.PlantAside(card=card, field=field):
            place = _place(own.aside, card, LYING)
            return None if place == _NOWHERE else ("plant_aside", place, field)
        case c.PlantRevealed(card=card, field=field):
            place = _place(state.revealed, card, LYING)
            return None if place == _NOWHERE else ("plant_revealed", place, field)
        case c.DiscardRevealed(card=card) | c.GiveRevealed(card=card):
            return _PLACES[type(command)][0], _place(state.revealed, card, LYING)
        case c.Discard(card=card) | c.GiveFromHand(card=card):
            return _PLACES[type(command)][0], _place(own.hand, card, LONGEST_HAND)
        case c.Accept(offer=offer) | c.Decline(offer=offer):
            return _PLACES[type(command)][0], _place_of_offer(state, seat, offer)
        case c.SwapHand(fan=fan) | c.ChooseFan(fan=fan):
            return _PLACES[type(command)][0], fan
        case c.Levy(seats=seats):
            return "levy", len(seats)
        case c.OfferGift(variety=variety):
            return "offer_gift", variety
        case c.CounterGift(variety=variety):
            return "counter_gift", variety
        case c.ClaimBonus() | c.DiscardBonus() | c.MoveMiss():
            name, most = _PLACES[type(command)]
            place = counted[name] = counted.get(name, -1) + 1
            return name, place if place < most else _NOWHERE
        case _:
            return None


def _place(cards: Sequence[tuple[int, str]], number: int, most: int) -> int:
    """The place of a numbered card."""
    return next((place for place, (each, _) in enumerate(cards[:most]) if each == number), _NOWHERE)


def open_to(state: GameState, seat: int) -> list[int]:
    """The open offers that the seat may answer and has not declined, oldest first."""
    return [
        offer.number
        for offer in state.offers
        if offer.seat != seat and offer.to in (None, seat) and seat not in offer.declined
    ]


def _place_of_offer(state: GameState, seat: int, number: int) -> int:
    answerable = open_to(state, seat)[:OFFERS]
    return answerable.index(number) if number in answerable else _NOWHERE


def _cheapest(form: AcceptForm) -> c.Accept:
    """The way to accept that pays with revealed cards first, and then from the back of the hand."""
    hand: list[int] = []
    revealed = list(form.revealed)
    for payment in form.payments:
        for _ in range(payment.count):
            free = [each for each in payment.revealed if each not in revealed]
            if free:
                revealed.append(free[0])
            else:
                hand.append(next(each for each in reversed(payment.hand) if each not in hand))
    return c.Accept(form.offer, tuple(sorted(hand)), tuple(sorted(revealed)))


def _offers(state: GameState, seat: int, form: OfferForm) -> dict[Action, c.Command]:
    """The offers that are actions: in one's own turn to all, else to the active player for a revealed card."""
    found: dict[Action, c.Command] = {}
    if seat == state.active:
        given: list[tuple[str, int, dict[str, Any]]] = [
            ("hand", place, {"hand": (number,)}) for place, number in enumerate(form.hand[:HAND])
        ]
        given += [
            ("revealed", place, {"revealed": (number,)}) for place, number in enumerate(form.revealed[:HELD])
        ]
        for pile, place, gives in given:
            found["offer", pile, place, ""] = c.Offer(**gives)
            for want in form.want:
                found["offer", pile, place, want] = c.Offer(**gives, want={want: 1})
        return found
    for place, wanted in enumerate(form.want_revealed[:HELD]):
        found["request", place, -1] = c.Offer(to=state.active, want_revealed=(wanted,))
        for give, number in enumerate(form.hand[:HAND]):
            found["request", place, give] = c.Offer(to=state.active, hand=(number,), want_revealed=(wanted,))
    return found
