"""Phase 2 of `the-duel`: the active player must offer a gift, and gift cards go to and fro until one is accepted.

An offer says no more than its variety. Whether it is a bluff follows from the cards of who pushed it, which do
not change before the answer, so it is looked up only when the offer is accepted.
"""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move, card_named, name_cards
from events.rules.phases.planting import end_planting_aside
from events.rules.systems.the_duel.errors import (
    CannotBluff,
    GiftCardUsed,
    NoSuchGiftCard,
    NotTheGift,
    NotYourGift,
    OwnGift,
)
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.systems.the_duel.table import Gift
from events.rules.table.state import GameState


def begin_offering(move: Move) -> None:
    """The cards are revealed: a gift is due, unless the active player can offer none."""
    if _can_push(move.rules, move.state, move.state.active):
        move.emit(e.PhaseBegan("offer_gift"))
    else:
        _begin_planting(move)


def _begin_planting(move: Move) -> None:
    if move.state.revealed or any(seat.aside for seat in move.state.seats):
        move.emit(e.PhaseBegan("plant_aside"))
    else:
        end_planting_aside(move)


# --- offering and answering --------------------------------------------------------------------------------


def offer_gift(move: Move, command: c.OfferGift) -> None:
    """Push the first gift card of the phase."""
    _push(move, command.variety)
    move.emit(e.PhaseBegan("answer_gift"))


def counter_gift(move: Move, command: c.CounterGift) -> None:
    """Refuse the gift on offer with another one."""
    _check_answerer(move)
    _push(move, command.variety)


def accept_gift(move: Move, _command: c.AcceptGift) -> None:
    """Accept: a bluff costs its giver a coin; a single bean is handed over; between several the giver chooses."""
    gift = _check_answerer(move)
    move.emit(e.GiftAccepted(move.seat, gift.variety))
    hand, revealed = _beans(move.rules, move.state, gift.seat, gift.variety)
    if not hand and not revealed:
        move.emit(e.BluffPaid(gift.seat, move.seat))
        _begin_planting(move)
    elif not hand:
        _give(move, revealed=revealed[:1])
    elif len(hand) == 1 and not revealed:
        _give(move, hand=hand)
    else:
        move.emit(e.PhaseBegan("give"))


def _push(move: Move, variety: str) -> None:
    if variety not in move.rules.rising:
        raise NoSuchGiftCard(
            f"There is no gift card for {variety!r}; there is one for each of {', '.join(move.rules.rising)}."
        )
    possible = _can_push(move.rules, move.state, move.seat)
    if variety in _collect_used(move.state):
        raise GiftCardUsed(
            f"The gift card for {variety} was pushed already in this phase; you can push: {_join_names(possible)}."
        )
    if variety not in possible:
        raise CannotBluff(
            f"You hold no {variety} bean, and have no coin to pay for a bluff; you can push: {_join_names(possible)}."
        )
    move.emit(e.GiftOffered(move.seat, variety))


def _join_names(varieties: tuple[str, ...]) -> str:
    return ", ".join(varieties) or "none"


def _check_answerer(move: Move) -> Gift:
    gift = duel_of(move.state).gifts[-1]
    if gift.seat == move.seat:
        raise OwnGift(f"You offered {gift.variety} yourself; the other player has to answer.")
    return gift


def _can_push(rules: Rules, state: GameState, seat: int) -> tuple[str, ...]:
    """The gift cards that a player may push: unused, and either a bean or a coin stands behind them."""
    unused = [variety for variety in rules.rising if variety not in _collect_used(state)]
    if state.seats[seat].coins:
        return tuple(unused)
    return tuple(variety for variety in unused if any(_beans(rules, state, seat, variety)))


def _collect_used(state: GameState) -> set[str]:
    return {gift.variety for gift in duel_of(state).gifts}


def _beans(
    rules: Rules, state: GameState, seat: int, variety: str
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of a player's beans of a variety: in hand, and revealed, which only the active player can give."""
    free = state.revealed if seat == state.active else ()
    hand = tuple(number for number, card in state.seats[seat].hand if rules.variety[card] == variety)
    return hand, tuple(number for number, card in free if rules.variety[card] == variety)


def legal_first_gifts(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every gift card with a bean or a coin behind it."""
    for variety in _can_push(rules, state, seat):
        yield c.OfferGift(variety)


def legal_counter_gifts(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """The same, for who has to answer."""
    if duel_of(state).gifts[-1].seat != seat:
        for variety in _can_push(rules, state, seat):
            yield c.CounterGift(variety)


def legal_acceptance(_rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Always, for who has to answer."""
    if duel_of(state).gifts[-1].seat != seat:
        yield c.AcceptGift()


# --- handing over ------------------------------------------------------------------------------------------


def give_revealed(move: Move, command: c.GiveRevealed) -> None:
    """Hand over a revealed card."""
    variety = _check_giver(move).variety
    free = move.state.revealed if move.seat == move.state.active else ()
    card = card_named(free, command.card)
    if card is None:
        raise errors.NotRevealed(
            f"No revealed card {command.card} is yours to give; there is {name_cards(free)}."
        )
    _check_variety(move, card, variety)
    _give(move, revealed=(command.card,))


def give_from_hand(move: Move, command: c.GiveFromHand) -> None:
    """Hand over a card from any place of the hand."""
    variety = _check_giver(move).variety
    _check_variety(move, move.hand_card(command.card), variety)
    _give(move, hand=(command.card,))


def _check_giver(move: Move) -> Gift:
    gift = duel_of(move.state).gifts[-1]
    if gift.seat != move.seat:
        raise NotYourGift(f"Seat {gift.seat} offered {gift.variety} and has to choose the card.")
    return gift


def _check_variety(move: Move, card: e.Card, variety: str) -> None:
    if move.rules.variety[card] != variety:
        raise NotTheGift(
            f"That card is a {card} bean; {variety} was accepted, so hand over a {variety} bean."
        )


def _give(move: Move, hand: tuple[int, ...] = (), revealed: tuple[int, ...] = ()) -> None:
    giver = duel_of(move.state).gifts[-1].seat
    held = dict(move.state.revealed if revealed else move.state.seats[giver].hand)
    (number,) = revealed or hand
    receiver = next(seat for seat in range(move.rules.players) if seat != giver)
    move.emit(e.GiftGiven(giver, receiver, held[number], revealed, hand))
    _begin_planting(move)


def legal_gifts_revealed(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every revealed card of the variety, for who offered it."""
    for number in _giveable(rules, state, seat)[1]:
        yield c.GiveRevealed(number)


def legal_gifts_from_hand(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every hand card of the variety, for who offered it."""
    for number in _giveable(rules, state, seat)[0]:
        yield c.GiveFromHand(number)


def _giveable(rules: Rules, state: GameState, seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    gift = duel_of(state).gifts[-1]
    return _beans(rules, state, seat, gift.variety) if gift.seat == seat else ((), ())


OFFER_GIFT = Rule(offer_gift, legal_first_gifts)
COUNTER_GIFT = Rule(counter_gift, legal_counter_gifts, active_only=False)
ACCEPT_GIFT = Rule(accept_gift, legal_acceptance, active_only=False)
GIVE_REVEALED = Rule(give_revealed, legal_gifts_revealed, active_only=False)
GIVE_FROM_HAND = Rule(give_from_hand, legal_gifts_from_hand, active_only=False)
