"""What a game adds to an overview's trades: by pairs of varieties, by size, and what was paid for each variety."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from events import domain_events as e
from events.domain_events import Card
from replay.across.played_game import PlayedGame, Step
from replay.timeline.statistics.tally import card_values


class PriceFigures(msgspec.Struct):
    """What came back for the cards of a variety, in trades in which cards went both ways.

    Each card of a side got an equal part of what the other side gave: in two cards for three each of the two got one
    and a half, and each of the three two thirds.

    Attributes:
        cards: how many were traded away.
        got_cards: how many cards came back for them.
        got_coins: the most coins that these can bring, as parts of best fields (`card_values`).
        worth: the same of the cards themselves.
    """

    cards: int = 0
    got_cards: float = 0.0
    got_coins: float = 0.0
    worth: float = 0.0

    def join(self, other: "PriceFigures") -> None:
        """Count other cards, too."""
        self.cards += other.cards
        self.got_cards += other.got_cards
        self.got_coins += other.got_coins
        self.worth += other.worth


class TradeFigures(msgspec.Struct):
    """The trades of a game that count.

    Attributes:
        swaps: how often one card of a variety went for one of another; the pair in the order of the alphabet.
        gifts: how often a card of a variety was given for no card.
        sizes: how many trades there were by how many cards went either way, the larger number first.
        prices: what came back for the cards of each variety.
    """

    swaps: dict[tuple[str, str], int]
    gifts: dict[str, int]
    sizes: dict[tuple[int, int], int]
    prices: dict[str, PriceFigures]


def count_trades(played: PlayedGame, steps: Sequence[Step]) -> TradeFigures:
    """The trades of a game, and in `the-duel` what was handed over as gifts."""
    counting = _Counting(played)
    for step in steps:
        match step.event:
            case e.TradeMade(active_cards=given, partner_cards=received) if step.in_effect:
                counting.add(given, received)
            case e.GiftGiven(card=card) if step.in_effect:
                counting.give((card,))
    return TradeFigures(dict(counting.swaps), dict(counting.gifts), dict(counting.sizes), counting.prices)


class _Counting:
    """Counts trades of games with one catalogue."""

    def __init__(self, played: PlayedGame) -> None:
        self.swaps, self.gifts = Counter[tuple[str, str]](), Counter[str]()
        self.sizes = Counter[tuple[int, int]]()
        self.prices: dict[str, PriceFigures] = {}
        catalogue = played.header.catalogue
        self._varieties = {bean.card: bean.variety for bean in catalogue.beans}
        self._values = card_values(catalogue)

    def add(self, one: Sequence[Card], other: Sequence[Card]) -> None:
        """Count a trade of the cards of one side for those of the other."""
        fewer, more = sorted((len(one), len(other)))
        self.sizes[more, fewer] += 1
        if not fewer:
            self.give((*one, *other))
            return
        if more == 1:
            first, second = sorted(map(self._variety, (*one, *other)))
            self.swaps[first, second] += 1
        self._price(one, other)
        self._price(other, one)

    def give(self, cards: Sequence[Card]) -> None:
        """Count cards for which no card came back."""
        self.gifts.update(map(self._variety, cards))

    def _price(self, given: Sequence[Card], received: Sequence[Card]) -> None:
        got_cards, got_coins = len(received) / len(given), sum(map(self._value, received)) / len(given)
        for card in given:
            figures = self.prices.setdefault(self._variety(card), PriceFigures())
            figures.join(PriceFigures(1, got_cards, got_coins, self._value(card)))

    def _variety(self, card: Card) -> str:
        return self._varieties.get(card, card)

    def _value(self, card: Card) -> float:
        return self._values.get(card, 0.0)
