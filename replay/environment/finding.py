"""Which actions a seat can take now, and the command of each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from events import commands as c
from events.rules.definition.forms import AcceptForm, Form, OfferForm
from events.rules.table.state import GameState
from replay.environment.actions import (
    HAND,
    HELD,
    LONGEST_HAND,
    LYING,
    NOTHING,
    OFFERS,
    PLACES,
    PLAIN,
    Action,
)

_TOO_FAR: Final = -2
"""The place of what lies too far back to be named."""


def find_commands(
    state: GameState, seat: int, legal: Sequence[c.Command | Form], *, offers: bool
) -> dict[Action, c.Command]:
    """What a seat may do now: each action with the command that does it; `offers` says whether it may offer."""
    found: dict[Action, c.Command] = {}
    counted: dict[str, int] = {}
    for each in legal:
        if isinstance(each, OfferForm) and offers:
            found |= _offers(state, seat, each)
        elif isinstance(each, AcceptForm):
            accept = _cheapest(each)
            _add(found, ("accept", _place_of_offer(state, seat, accept)), accept)
        elif isinstance(each, c.Command):
            action = _action(state, seat, each, counted)
            if action is not None:
                _add(found, action, each)
    return found


def _action(state: GameState, seat: int, command: c.Command, counted: dict[str, int]) -> Action | None:
    """The action of a command that is ready to send; None where it is none."""
    kind = type(command)
    if kind in PLAIN:
        return (PLAIN[kind],)
    if kind in _COUNTED:
        name, most = PLACES[kind]
        place = counted[name] = counted.get(name, -1) + 1
        return name, place if place < most else _TOO_FAR
    where = _WHERE.get(kind)
    return None if where is None else where(state, seat, command)


def _add(found: dict[Action, c.Command], action: Action, command: c.Command) -> None:
    """The first command of an action is its command."""
    if _TOO_FAR not in action:
        found.setdefault(action, command)


def _place(cards: Sequence[tuple[int, str]], number: int, most: int) -> int:
    """The place of a numbered card."""
    return next((place for place, (each, _) in enumerate(cards[:most]) if each == number), _TOO_FAR)


def open_to(state: GameState, seat: int) -> list[int]:
    """The open offers that the seat may answer and has not declined, oldest first."""
    return [
        offer.number
        for offer in state.offers
        if offer.seat != seat and offer.to in (None, seat) and seat not in offer.declined
    ]


def _place_of_offer(state: GameState, seat: int, answer: c.Accept | c.Decline) -> int:
    answerable = open_to(state, seat)[:OFFERS]
    return answerable.index(answer.offer) if answer.offer in answerable else _TOO_FAR


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
            found["offer", pile, place, NOTHING] = c.Offer(**gives)
            for want in form.want:
                found["offer", pile, place, want] = c.Offer(**gives, want={want: 1})
        return found
    for place, wanted in enumerate(form.want_revealed[:HELD]):
        found["request", place, -1] = c.Offer(to=state.active, want_revealed=(wanted,))
        for give, number in enumerate(form.hand[:HAND]):
            found["request", place, give] = c.Offer(to=state.active, hand=(number,), want_revealed=(wanted,))
    return found


_Where = Callable[[GameState, int, Any], Action]
_WHERE: Final[Mapping[type[Any], _Where]] = {
    c.Plant: lambda _state, _seat, each: ("plant", each.field),
    c.Harvest: lambda _state, _seat, each: ("harvest", each.field),
    c.PlantAside: lambda state, seat, each: (
        "plant_aside",
        _place(state.seats[seat].aside, each.card, LYING),
        each.field,
    ),
    c.PlantRevealed: lambda state, _seat, each: (
        "plant_revealed",
        _place(state.revealed, each.card, LYING),
        each.field,
    ),
    c.DiscardRevealed: lambda state, _seat, each: (
        "discard_revealed",
        _place(state.revealed, each.card, LYING),
    ),
    c.GiveRevealed: lambda state, _seat, each: ("give_revealed", _place(state.revealed, each.card, LYING)),
    c.Discard: lambda state, seat, each: ("discard", _place(state.seats[seat].hand, each.card, LONGEST_HAND)),
    c.GiveFromHand: lambda state, seat, each: (
        "give_from_hand",
        _place(state.seats[seat].hand, each.card, LONGEST_HAND),
    ),
    c.Accept: lambda state, seat, each: ("accept", _place_of_offer(state, seat, each)),
    c.Decline: lambda state, seat, each: ("decline", _place_of_offer(state, seat, each)),
    c.SwapHand: lambda _state, _seat, each: ("swap_hand", each.fan),
    c.ChooseFan: lambda _state, _seat, each: ("choose_fan", each.fan),
    c.Levy: lambda _state, _seat, each: ("levy", len(each.seats)),
    c.OfferGift: lambda _state, _seat, each: ("offer_gift", each.variety),
    c.CounterGift: lambda _state, _seat, each: ("counter_gift", each.variety),
}
"""Where each command is done."""
_COUNTED: Final = (c.ClaimBonus, c.DiscardBonus, c.MoveMiss)
"""Those that are told apart by their order in the list alone."""
