"""The trades of many games added up: all pairs and varieties that came about, no more than catalogues have."""

from collections import Counter
from typing import Any

from replay.across.overview.trade_figures import PriceFigures, TradeFigures


class TradeTotals:
    """Adds the trades of games up; `document` tells what came out."""

    def __init__(self) -> None:
        """Begin without games."""
        self._swaps = Counter[tuple[str, str, str]]()
        self._gifts = Counter[tuple[str, str]]()
        self._sizes = Counter[tuple[str, int, int]]()
        self._prices: dict[tuple[str, str], PriceFigures] = {}

    def add(self, system: str, trades: TradeFigures) -> None:
        """Add the trades of a game of this rule system."""
        self._swaps.update({(system, *pair): count for pair, count in trades.swaps.items()})
        self._gifts.update({(system, variety): count for variety, count in trades.gifts.items()})
        self._sizes.update({(system, *size): count for size, count in trades.sizes.items()})
        for variety, price in trades.prices.items():
            self._prices.setdefault((system, variety), PriceFigures()).join(price)

    def document(self) -> dict[str, Any]:
        """The figures, ready for JSON: by rule system, and what is most frequent first; prices by variety."""
        return {
            "sizes": [
                {"system": system, "cards": more, "for": fewer, "trades": count}
                for (system, more, fewer), count in _most(self._sizes)
            ],
            "swaps": [
                {"system": system, "one": one, "other": other, "trades": count}
                for (system, one, other), count in _most(self._swaps)
            ],
            "prices": [_price(*key, self._prices[key]) for key in sorted(self._prices)],
            "gifts": [
                {"system": system, "variety": variety, "cards": count}
                for (system, variety), count in _most(self._gifts)
            ],
        }


def _price(system: str, variety: str, price: PriceFigures) -> dict[str, Any]:
    return {
        "system": system,
        "variety": variety,
        "cards": price.cards,
        "got_cards": round(price.got_cards / price.cards, 6),
        "got_coins": round(price.got_coins / price.cards, 6),
        "worth": round(price.worth / price.cards, 6),
    }


def _most(counted: Counter[Any]) -> list[tuple[Any, int]]:
    """By rule system, which keys begin with; the most frequent first."""
    return sorted(counted.items(), key=lambda each: (each[0][0], -each[1], each[0]))
