"""What a seat, or the public, could know for certain at one version: data derived from what was shown, no guesses.

A card's place is known when it lies open, is in the viewer's own hand, or is in another hand for certain: because
that hand was taken up from the open table, or the card was offered and has not left since. All other cards of the
deck are *unseen*. They fill the draw pile, the rest of the other hands, and the coins that nobody has seen; so there
are as many of them as there are places without a known card, and counting them gives bounds. With `unseen` of a card
and `hidden` places in all, of which one pile or hand has `own`:

- at most `min(own, unseen)` of these cards are among its own hidden ones,
- at least `unseen - (hidden - own)` are: the others have no room for more.

What is *not* derived: what somebody probably holds, what a refusal or a wish gives away, and which of several like
cards passed. Bonus cards are counted apart. Everything here follows from the viewer's own entries, in any scope.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import chain

import msgspec

from events.domain_events import UNKNOWN_CARD, Card
from events.game.table import pinned_rules
from events.log.disclosure import PUBLIC, viewer_name
from events.rules.catalogues.catalogue import Catalogue
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState, NumberedCard
from replay.timeline.known_hands import KnownHand, OpenKnowledge, Passed


class CardCount(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the cards of one kind are: their places add up to `copies`.

    Attributes:
        card: the card.
        copies: how many the deck has.
        own_hand: in the viewer's own hand.
        other_hands: in other hands, for certain.
        fields, aside, revealed, coins, discarded, boxed, fans: lying open there.
        unseen: how many are somewhere that the viewer does not know.
    """

    card: Card
    copies: int
    own_hand: int = 0
    other_hands: int = 0
    fields: int = 0
    aside: int = 0
    revealed: int = 0
    coins: int = 0
    discarded: int = 0
    boxed: int = 0
    fans: int = 0
    unseen: int = 0


class Bounds(msgspec.Struct, frozen=True):
    """How many of a card are in one place: at least so many for certain, and not more than so many."""

    card: Card
    at_least: int
    at_most: int


class OtherHand(msgspec.Struct, frozen=True):
    """What is known of another seat's hand.

    Attributes:
        seat: whose it is.
        size: how many cards it holds.
        places: front first, each card, or `?` where it is not known.
        certain: the cards that it holds for certain, because they were shown.
        varieties: so many of a variety it holds at least, where offers showed more of it than cards.
        cards: bounds for every card that it may hold.
    """

    seat: int
    size: int
    places: tuple[Card, ...]
    certain: dict[Card, int]
    varieties: dict[str, int]
    cards: tuple[Bounds, ...]


class Pile(msgspec.Struct, frozen=True):
    """What is known of the draw pile: its size, and bounds for every card that it may hold."""

    size: int
    cards: tuple[Bounds, ...]


class Knowledge(msgspec.Struct, frozen=True):
    """What a viewer could know for certain at one version.

    Attributes:
        viewer: `seat:0` and so on, or `public`.
        hand: the viewer's own hand, front first; nothing for the public.
        cards: where the cards of each kind are; empty before the deck is shuffled.
        hidden: how many places hold a card that the viewer does not know.
        other_hands: the hands of the others.
        draw_pile: what may be in the draw pile.
        discard_pile: what is in the discard pile: every card went there openly.
        unseen_coins: how many coins each seat has that nobody has seen.
        passed: what has passed between the seats, in trades and as gifts.
        bonus: the viewer's own bonus cards.
        bonus_unseen: the bonus cards that the viewer has not seen and that are neither claimed nor discarded.
    """

    viewer: str
    hand: tuple[NumberedCard, ...]
    cards: tuple[CardCount, ...]
    hidden: int
    other_hands: tuple[OtherHand, ...]
    draw_pile: Pile
    discard_pile: dict[Card, int]
    unseen_coins: tuple[int, ...]
    passed: tuple[Passed, ...]
    bonus: tuple[Card, ...] = ()
    bonus_unseen: tuple[Card, ...] = ()


def knowledge(catalogue: Catalogue, state: GameState, known: OpenKnowledge, viewer: int) -> Knowledge:
    """What the viewer, a seat or PUBLIC, could know.

    Args:
        catalogue: the game's.
        state: the table as this viewer sees it.
        known: what everybody knows of the hands at that version.
        viewer: a seat number or PUBLIC.
    """
    rules = pinned_rules(state, lambda _: catalogue)
    hands = {seat: hand for seat, hand in enumerate(known.hands) if seat != viewer}
    coins = tuple(seat.coins.count(UNKNOWN_CARD) for seat in state.seats)
    counts = _counts(rules, state, hands, viewer) if state.shuffles else ()
    unseen = {each.card: each.unseen for each in counts if each.unseen}
    own = state.seats[viewer] if viewer != PUBLIC else None
    return Knowledge(
        viewer=viewer_name(viewer),
        hand=own.hand if own is not None else (),
        cards=counts,
        hidden=sum(unseen.values()),
        other_hands=tuple(_other_hand(seat, hand, unseen) for seat, hand in hands.items()),
        draw_pile=Pile(len(state.draw_pile), _bounds(unseen, len(state.draw_pile), {})),
        discard_pile=dict(Counter(state.discard_pile)),
        unseen_coins=coins,
        passed=known.passed,
        bonus=state.duel.seats[viewer].bonus if state.duel is not None and own is not None else (),
        bonus_unseen=_bonus_unseen(rules, state),
    )


def _counts(
    rules: Rules, state: GameState, hands: dict[int, KnownHand], viewer: int
) -> tuple[CardCount, ...]:
    """Where the cards of each kind are, in the catalogue's order."""
    seats = state.seats
    own = seats[viewer].hand if viewer != PUBLIC else ()
    places: dict[str, Counter[Card]] = {
        "own_hand": Counter(card for _, card in own),
        "other_hands": sum((Counter(hand.at_least) for hand in hands.values()), Counter()),
        "fields": Counter(card for seat in seats for field in seat.fields for card in field),
        "aside": Counter(card for seat in seats for _, card in seat.aside),
        "revealed": Counter(card for _, card in state.revealed),
        "coins": Counter(card for seat in seats for card in seat.coins),
        "discarded": Counter(state.discard_pile),
        "boxed": Counter(state.box),
        "fans": Counter(chain.from_iterable(state.addition.deck_cards() if state.addition else ())),
    }
    found = []
    for card, copies in rules.copies.items():
        where = {name: cards[card] for name, cards in places.items()}
        found.append(CardCount(card, copies, **where, unseen=copies - sum(where.values())))
    return tuple(found)


def _other_hand(seat: int, hand: KnownHand, unseen: dict[Card, int]) -> OtherHand:
    size, certain = len(hand.places), dict(hand.at_least)
    return OtherHand(
        seat=seat,
        size=size,
        places=hand.places,
        certain=certain,
        varieties=dict(hand.of_variety),
        cards=_bounds(unseen, size - sum(certain.values()), certain),
    )


def _bounds(unseen: dict[Card, int], own: int, certain: dict[Card, int]) -> tuple[Bounds, ...]:
    """Bounds for a place with so many cards that are not known, and some that are."""
    others = sum(unseen.values()) - own
    found = []
    for card in {**certain, **(unseen if own else {})}:
        shown, left = certain.get(card, 0), unseen.get(card, 0)
        found.append(Bounds(card, shown + max(0, left - others), shown + min(own, left)))
    return tuple(found)


def _bonus_unseen(rules: Rules, state: GameState) -> tuple[Card, ...]:
    if state.duel is None or not state.duel.shuffles:
        return ()
    duel = state.duel
    seen: Iterable[Card] = (
        *duel.discards,
        *(card for seat in duel.seats for card in (*seat.bonus, *seat.claimed)),
    )
    return tuple((Counter(rules.bonus_deck) - Counter(seen)).elements())
