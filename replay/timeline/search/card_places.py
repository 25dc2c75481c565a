"""Following single cards: where each one that left the draw pile lies, by its number.

Cards are numbered in the order in which they leave the draw pile: card 1 is the first that was dealt or turned up.
Where the top card goes is open to everybody, so everybody can count along, and a number says nothing about the card.
A shuffle begins new lives: which of two like cards is which afterwards stands nowhere.

Where a viewer does not see which card left a hand, all cards of that hand are lost sight of, and so is the one that
left.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from events import domain_events as e
from events.domain_events import UNKNOWN_NUMBER, Card
from events.rules.table.addition import DRAW_PILE
from events.rules.table.state import GameState

Life = int | None
"""The number of a card; None for one that was lost sight of."""


@dataclass(slots=True)
class SeatCards:
    """What lies before a seat."""

    hand: list[tuple[int, Life]] = field(default_factory=list)
    fields: dict[int, list[Life]] = field(default_factory=dict)
    coins: list[Life] = field(default_factory=list)
    aside: dict[int, Life] = field(default_factory=dict)


@dataclass(slots=True)
class CardPlaces:
    """Where the cards lie, moved along event by event.

    Attributes:
        drawn: how many cards have left the draw pile so far.
        seats: what lies before each seat.
        revealed: the revealed cards by the number that they have there.
        discards: the discard pile, from bottom to top.
        fans: the fans, top card first.
        box: the cards that left the game.
    """

    drawn: int = 0
    seats: dict[int, SeatCards] = field(default_factory=dict)
    revealed: dict[int, Life] = field(default_factory=dict)
    discards: list[Life] = field(default_factory=list)
    fans: dict[int, list[Life]] = field(default_factory=dict)
    box: list[Life] = field(default_factory=list)

    def follow(self, before: GameState, event: e.DomainEvent) -> frozenset[int]:
        """Move the cards as an event does; answers the numbers of those that it touched.

        Args:
            before: the viewer's table before the event.
            event: the event as this viewer has it.
        """
        kind = type(event)
        touched: Iterable[Life] = ()
        if kind in _MOVES:
            take, put = _MOVES[kind]
            touched = take(self, before, event)
            put(self, before, event, touched)
        elif kind in _OTHERS:
            touched = _OTHERS[kind](self, before, event)
        return frozenset(card for card in touched if card is not None)

    def in_hand(self, seat: int, number: int) -> int | None:
        """The card that is in this hand under this number; None where it is not, or was lost sight of."""
        return dict(self.of(seat).hand).get(number)

    def in_sight(self, card: int) -> bool:
        """Whether it is known where this card lies."""
        places: list[Iterable[Life]] = [self.revealed.values(), self.discards, self.box, *self.fans.values()]
        for seat in self.seats.values():
            places += [
                (life for _, life in seat.hand),
                seat.coins,
                seat.aside.values(),
                *seat.fields.values(),
            ]
        return any(card in place for place in places)

    # --- taking and putting --------------------------------------------------------------------------------

    def of(self, seat: int) -> SeatCards:
        """What lies before a seat."""
        return self.seats.setdefault(seat, SeatCards())

    def on_field(self, seat: int, number: int) -> list[Life]:
        """The cards of a field, from bottom to top."""
        return self.of(seat).fields.setdefault(number, [])

    def draw(self, count: int) -> list[Life]:
        """Cards that leave the draw pile."""
        first, self.drawn = self.drawn + 1, self.drawn + count
        return [*range(first, self.drawn + 1)]

    def to_hand(self, before: GameState, seat: int, cards: list[Life]) -> None:
        """Put cards at the back of a hand."""
        self.of(seat).hand += enumerate(cards, before.seats[seat].next_number)

    def to_aside(self, before: GameState, seat: int, cards: list[Life]) -> None:
        """Put cards aside before a seat."""
        self.of(seat).aside.update(enumerate(cards, before.seats[seat].next_aside))

    def to_revealed(self, before: GameState, cards: list[Life]) -> None:
        """Put cards among the revealed ones."""
        self.revealed.update(enumerate(cards, before.next_revealed))

    def from_hand(
        self, before: GameState, seat: int, numbers: tuple[int, ...], cards: tuple[Card, ...]
    ) -> list[Life]:
        """Those that leave a hand, in the order in which the event names them."""
        own = self.of(seat)
        if UNKNOWN_NUMBER in numbers:
            own.hand = [(number, None) for number, _ in own.hand[: len(own.hand) - len(numbers)]]
            return [None] * len(numbers)
        lives, kinds = dict(own.hand), dict(before.seats[seat].hand)
        own.hand = [each for each in own.hand if each[0] not in numbers]
        return [lives.get(number) for number in _in_order_named(numbers, kinds, cards)]

    def from_revealed(self, numbers: Iterable[int]) -> list[Life]:
        """Revealed cards that are taken."""
        return [self.revealed.pop(number, None) for number in numbers]


def _off_top(pile: list[Life], count: int) -> list[Life]:
    """Take the top cards of a pile, the topmost first."""
    taken = pile[len(pile) - count :][::-1]
    del pile[len(pile) - count :]
    return taken


def _in_order_named(numbers: tuple[int, ...], kinds: dict[int, Card], cards: tuple[Card, ...]) -> list[int]:
    """The numbers of hand cards in the order in which an event names the cards."""
    left, found = list(numbers), []
    for card in cards:
        number = next((each for each in left if kinds.get(each) == card), left[0])
        left.remove(number)
        found.append(number)
    return found


# --- events that take cards from one place and put them at another -----------------------------------------


def _draw(places: CardPlaces, _before: GameState, event: Any) -> list[Life]:
    return places.draw(len(event.cards))


def _take_revealed(places: CardPlaces, _before: GameState, event: Any) -> list[Life]:
    return places.from_revealed((event.number,))


def _take_given(places: CardPlaces, before: GameState, event: e.GiftGiven) -> list[Life]:
    card = places.from_revealed(event.revealed)
    return card + places.from_hand(before, event.seat, event.hand, (event.card,) * len(event.hand))


def _into_hand(places: CardPlaces, before: GameState, event: Any, cards: list[Life]) -> None:
    places.to_hand(before, event.seat, cards)


def _onto_coins(places: CardPlaces, _before: GameState, event: Any, cards: list[Life]) -> None:
    places.of(event.seat).coins += cards


def _onto_field(places: CardPlaces, _before: GameState, event: Any, cards: list[Life]) -> None:
    places.on_field(event.seat, event.field).extend(cards)


def _onto_discards(places: CardPlaces, _before: GameState, _event: Any, cards: list[Life]) -> None:
    places.discards += cards


def _onto_fan(places: CardPlaces, _before: GameState, event: Any, cards: list[Life]) -> None:
    places.fans[event.fan] = cards + places.fans[event.fan]


def _as_fan(places: CardPlaces, _before: GameState, event: Any, cards: list[Life]) -> None:
    places.fans[event.fan] = cards


def _among_revealed(places: CardPlaces, before: GameState, _event: Any, cards: list[Life]) -> None:
    places.to_revealed(before, cards)


_Take = Callable[[CardPlaces, GameState, Any], list[Life]]
_Put = Callable[[CardPlaces, GameState, Any, list[Life]], None]
_MOVES: MappingProxyType[type[e.DomainEvent], tuple[_Take, _Put]] = MappingProxyType(
    {
        e.HandDealt: (_draw, _into_hand),
        e.CardsDrawn: (_draw, _into_hand),
        e.CoinsDealt: (_draw, _onto_coins),
        e.CardsRevealed: (_draw, _among_revealed),
        e.FanLaidOut: (_draw, _as_fan),
        e.BeanPlanted: (lambda places, _, event: [places.of(event.seat).hand.pop(0)[1]], _onto_field),
        e.AsidePlanted: (
            lambda places, _, event: [places.of(event.seat).aside.pop(event.number, None)],
            _onto_field,
        ),
        e.RevealedPlanted: (_take_revealed, _onto_field),
        e.RevealedDiscarded: (_take_revealed, _onto_discards),
        e.RevealedPutOnFan: (_take_revealed, _onto_fan),
        e.HandCardDiscarded: (
            lambda places, before, event: places.from_hand(
                before, event.seat, (event.number,), (event.card,)
            ),
            _onto_discards,
        ),
        e.DiscardsJoined: (
            lambda places, _, event: _off_top(places.discards, len(event.cards)),
            _among_revealed,
        ),
        e.FanOverflowed: (
            lambda places, _, event: _off_top(places.fans[event.fan], len(event.cards))[::-1],
            _among_revealed,
        ),
        e.ThirdFieldBought: (
            lambda places, _, event: _off_top(places.of(event.seat).coins, len(event.paid)),
            lambda places, _, event, paid: (places.box if event.boxed else places.discards).extend(paid),
        ),
        e.TradingEnded: (
            lambda places, before, _: places.from_revealed(number for number, _ in before.revealed),
            lambda places, before, event, kept: places.to_aside(before, event.seat, kept),
        ),
        e.GiftGiven: (
            _take_given,
            lambda places, before, event, card: places.to_aside(before, event.to, card),
        ),
        e.BluffPaid: (
            lambda places, _, event: _off_top(places.of(event.seat).coins, 1),
            lambda places, _, event, coin: places.of(event.to).coins.extend(coin),
        ),
        e.CoinsLevied: (
            lambda places, _, event: [
                coin for payer in event.payers for coin in _off_top(places.of(payer).coins, 1)
            ],
            _onto_coins,
        ),
    }
)
"""Where the cards of each such event are taken, and where they are put."""


# --- events that do anything else with cards ---------------------------------------------------------------


def _on_shuffled(places: CardPlaces, before: GameState, event: e.PileShuffled) -> Iterable[Life]:
    if event.pile != DRAW_PILE or before.redeal:
        return ()
    gone = places.discards
    places.discards = []
    return gone


def _on_harvested(places: CardPlaces, _before: GameState, event: e.FieldHarvested) -> Iterable[Life]:
    cards = places.of(event.seat).fields.pop(event.field, [])
    touched = [*cards]
    places.of(event.seat).coins += _off_top(cards, event.coins)
    places.discards += cards
    return touched


def _on_paid_from_piles(
    places: CardPlaces, _before: GameState, event: e.FieldPaidFromPiles
) -> Iterable[Life]:
    cards = places.of(event.seat).fields.pop(event.field, [])
    coins = _off_top(places.discards, len(event.from_discard_pile))
    coins += places.draw(len(event.from_draw_pile))
    touched = [*cards, *coins]
    places.of(event.seat).coins += [*coins, *_off_top(cards, event.from_field)]
    places.discards += cards
    return touched


def _on_coins_shown(places: CardPlaces, _before: GameState, event: e.CoinsShown) -> Iterable[Life]:
    return [places.of(event.seat).coins[place] for place in event.places]


def _on_offered(places: CardPlaces, _before: GameState, event: e.OfferMade) -> Iterable[Life]:
    hand = dict(places.of(event.seat).hand)
    asked = (*event.revealed, *event.want_revealed)
    return [*(hand.get(number) for number in event.hand), *(places.revealed.get(each) for each in asked)]


def _on_traded(places: CardPlaces, before: GameState, event: e.TradeMade) -> Iterable[Life]:
    from_hand = len(event.active_hand)
    given = places.from_hand(before, event.active, event.active_hand, event.active_cards[:from_hand])
    given += places.from_revealed(event.active_revealed)
    paid = places.from_hand(before, event.partner, event.partner_hand, event.partner_cards)
    places.to_aside(before, event.active, paid)
    places.to_aside(before, event.partner, given)
    return given + paid


def _on_swapped(places: CardPlaces, before: GameState, event: e.HandSwapped) -> Iterable[Life]:
    own, fan = places.of(event.seat), places.fans[event.fan]
    places.fans[event.fan] = [card for _, card in own.hand]
    own.hand = []
    places.to_hand(before, event.seat, fan)
    return fan + places.fans[event.fan]


def _on_rotated(places: CardPlaces, _before: GameState, event: e.FieldRotated) -> Iterable[Life]:
    cards = places.on_field(event.seat, event.field)
    cards.insert(0, cards.pop())
    return cards[:1]


def _on_miss_moved(places: CardPlaces, _before: GameState, event: e.MissMoved) -> Iterable[Life]:
    cards = places.on_field(event.seat, event.field)
    miss = cards.pop(event.miss)
    cards.insert(event.miss + event.places, miss)
    return (miss,)


_OTHERS: MappingProxyType[type[e.DomainEvent], Callable[[CardPlaces, GameState, Any], Iterable[Life]]] = (
    MappingProxyType(
        {
            e.PileShuffled: _on_shuffled,
            e.FieldHarvested: _on_harvested,
            e.FieldPaidFromPiles: _on_paid_from_piles,
            e.CoinsShown: _on_coins_shown,
            e.OfferMade: _on_offered,
            e.TradeMade: _on_traded,
            e.HandSwapped: _on_swapped,
            e.FieldRotated: _on_rotated,
            e.MissMoved: _on_miss_moved,
        }
    )
)
"""What other events do with cards; answers those that they touch. Events in neither table touch none."""
