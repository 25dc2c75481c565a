"""Dealing out what a seat cannot see: a whole table that agrees with everything the seat knows.

The cards that lie nowhere in sight are dealt at random to the hidden places: the other hands, the draw pile, coins
that nobody has seen, bonus cards. What somebody has offered from its hand in this turn is in that hand.
"""

import random
from collections import Counter
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from events import domain_events as e
from events.bots.situation import Situation
from events.domain_events.base import UNKNOWN_CARD, Card
from events.rules.definition.rule_system import Rules
from events.rules.systems.the_duel.table import DuelState
from events.rules.table.state import GameState, NumberedCard, OpenOffer, Seat


class DoesNotAddUp(Exception):
    """There are not as many cards out of sight as hidden places: nothing can be dealt out."""


def deal_out(situation: Situation, veiled: GameState, chance: random.Random) -> GameState:
    """A table that could be this one, as far as the seat knows; each such table is as likely as any other.

    Raises:
        DoesNotAddUp
    """
    rules = situation.rules
    pool = _out_of_sight(rules.deck, _in_sight(veiled))
    chance.shuffle(pool)
    held = {
        seat: _take_all(rules, pool, shown_by(situation, veiled, seat))
        for seat in range(len(veiled.seats))
        if seat != situation.seat
    }
    dealt = iter(pool)
    seats = tuple(
        _deal_seat(seat, held.get(number, []), dealt, chance) for number, seat in enumerate(veiled.seats)
    )
    table = replace(veiled, seats=seats, draw_pile=_deal(veiled.draw_pile, dealt))
    if next(dealt, None) is not None:
        raise DoesNotAddUp
    table = replace(table, offers=tuple(_with_numbers(rules, table, offer) for offer in table.offers))
    return table if table.duel is None else replace(table, duel=_deal_bonus(rules, table.duel, chance))


def shown_by(situation: Situation, veiled: GameState, seat: int) -> Counter[Card]:
    """What the seat has shown to be in its hand, in this turn's offers since cards last left that hand."""
    shown: Counter[Card] = Counter()
    for offer in veiled.offers:
        if offer.seat == seat:
            shown |= Counter(offer.hand_cards)
    if veiled.phase != "trade":
        return shown
    for event in reversed(situation.turn_events):
        match event:
            case e.TradeMade() if seat in (event.active, event.partner):
                break
            case e.HandSwapped() if event.seat == seat:
                break
            case e.OfferMade() if event.seat == seat:
                shown |= Counter(event.hand_cards)
            case _:
                pass
    return shown


def _in_sight(veiled: GameState) -> Iterator[Card]:
    """Every card of the deck whose place the seat knows."""
    yield from veiled.discard_pile
    yield from veiled.box
    yield from (card for _, card in veiled.revealed)
    for seat in veiled.seats:
        yield from seat.coins
        yield from (card for _, card in (*seat.hand, *seat.aside))
        for field in seat.fields:
            yield from field
    if veiled.addition is not None:
        for cards in veiled.addition.deck_cards():
            yield from cards


def _out_of_sight(deck: Iterable[Card], in_sight: Iterable[Card]) -> list[Card]:
    """The other cards of the deck, in its order."""
    seen = Counter(in_sight)
    left: list[Card] = []
    for card in deck:
        if seen[card] > 0:
            seen[card] -= 1
        else:
            left.append(card)
    return left


def _take_all(rules: Rules, pool: list[Card], shown: Counter[Card]) -> list[Card]:
    """Take cards that were shown out of the pool; one of which only the family was shown is any of that family."""
    taken = []
    for name in shown.elements():
        found = next((place for place, card in enumerate(pool) if _is(rules, card, name)), None)
        if found is not None:
            taken.append(pool.pop(found))
    return taken


def _is(rules: Rules, card: Card, name: Card) -> bool:
    return name in (card, rules.variety[card]) if rules.setup.hides_sex else card == name


def _deal(places: Iterable[Card], dealt: Iterator[Card]) -> tuple[Card, ...]:
    """These cards with one of the pool in each hidden place.

    Raises:
        DoesNotAddUp: the pool is empty.
    """
    filled = []
    for card in places:
        known = next(dealt, UNKNOWN_CARD) if card == UNKNOWN_CARD else card
        if known == UNKNOWN_CARD:
            raise DoesNotAddUp
        filled.append(known)
    return tuple(filled)


def _deal_seat(seat: Seat, held: list[Card], dealt: Iterator[Card], chance: random.Random) -> Seat:
    """The seat with its hand, in which what it has shown may lie anywhere, and with its unseen coins."""
    hand: tuple[NumberedCard, ...] = seat.hand
    if any(card == UNKNOWN_CARD for _, card in hand):
        cards = [*held, *_deal((UNKNOWN_CARD,) * (len(hand) - len(held)), dealt)]
        if held:
            chance.shuffle(cards)
        hand = tuple((number, card) for (number, _), card in zip(hand, cards, strict=True))
    return replace(seat, hand=hand, coins=_deal(seat.coins, dealt))


def _with_numbers(rules: Rules, table: GameState, offer: OpenOffer) -> OpenOffer:
    """The offer with the numbers of the hand cards that it names."""
    if offer.hand or not offer.hand_cards:
        return offer
    numbers: list[int] = []
    for name in offer.hand_cards:
        hand = table.seats[offer.seat].hand
        found = next(
            (number for number, card in hand if number not in numbers and _is(rules, card, name)), None
        )
        if found is None:
            raise DoesNotAddUp
        numbers.append(found)
    return replace(offer, hand=tuple(sorted(numbers)))


def _deal_bonus(rules: Rules, duel: DuelState, chance: random.Random) -> DuelState:
    """The bonus cards of the other player and of the pile."""
    pool = _out_of_sight(rules.bonus_deck, (*duel.discards, *duel.cards_off_piles()))
    chance.shuffle(pool)
    dealt = iter(pool)
    seats = tuple(replace(seat, bonus=_deal(seat.bonus, dealt)) for seat in duel.seats)
    return replace(duel, seats=seats, pile=_deal(duel.pile, dealt))
