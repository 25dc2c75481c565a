"""What a field is worth to its owner, in coins, as far as can be told.

That is what its beanometer will pay once the cards have come that may still be expected.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from events.bots.greedy.counting import Outlook, outlook
from events.bots.situation import Situation
from events.domain_events import Card
from events.rules.definition.rule_system import Rules

Growing = tuple[Card, int]
"""A field: its variety (empty text where nothing grows) and how many beans it holds."""
EMPTY: Growing = ("", 0)

EMPTY_FIELD = 0.35
"""What an empty field is worth: the freedom to plant something new."""
EXPECTED = 0.3
"""Which part of the coming cards of a variety its grower gets hold of."""
FAR_SIGHT = 34
"""So many coming cards are reckoned with for one field."""


class Valuation:
    """Values fields in one situation.

    Attributes:
        rules: the rules of the table.
        outlook: what may still come.
        strict: whether bean protection is meant to the letter.
    """

    def __init__(self, rules: Rules, outlook: Outlook, present: Mapping[Growing, int] | None = None) -> None:
        """Make a valuation for these rules and this outlook; `present` is what certain fields would pay now."""
        self.rules = rules
        self.outlook = outlook
        self.strict = rules.options.get("bean_protection") == "strict"
        self._present = present or {}
        self._worths: dict[Growing, float] = {EMPTY: EMPTY_FIELD}
        self._losses: dict[Growing, float] = {}
        self._growths: dict[Growing, float] = {}

    def coins(self, field: Growing) -> int:
        """What the field pays now."""
        card, beans = field
        if field in self._present:
            return self._present[field]
        return self.rules.pay[card][beans] if card else 0

    def worth(self, field: Growing) -> float:
        """What the field may be expected to pay in the end."""
        worth = self._worths.get(field)
        if worth is None:
            worth = self._worths[field] = self._expected_pay(*field)
        return worth

    def loss(self, field: Growing) -> float:
        """What is given up by harvesting the field now: below zero where harvesting is a gain."""
        loss = self._losses.get(field)
        if loss is None:
            loss = self._losses[field] = self.worth(field) - self.coins(field) - EMPTY_FIELD
        return loss

    def growth(self, card: Card, beans: int) -> float:
        """What one more bean adds to a field of so many; the first takes up an empty field."""
        growth = self._growths.get((card, beans))
        if growth is None:
            before = self.worth((card, beans)) if beans else EMPTY_FIELD
            growth = self._growths[card, beans] = self.worth((card, beans + 1)) - before
        return growth

    def _expected_pay(self, card: Card, beans: int) -> float:
        pay = self.rules.pay[card]
        coming = EXPECTED * min(FAR_SIGHT, self.outlook.to_come) * self.outlook.share(card)
        return max(float(pay[beans]), between(pay, beans + min(coming, self.outlook.unseen[card])))


def valuation_for(situation: Situation) -> Valuation:
    """The valuation of what this seat can see."""
    own = situation.own
    present = dict(zip(growing(own["fields"]), own.get("pays", ()), strict=False))
    return Valuation(situation.rules, outlook(situation), present)


def growing(fields: Iterable[Sequence[Card]]) -> tuple[Growing, ...]:
    """The fields of a view in short."""
    return tuple((field[-1], len(field)) if field else EMPTY for field in fields)


def between(pay: tuple[int, ...], beans: float) -> float:
    """The beanometer as a line from step to step, for a number of beans that is not whole.

    >>> between((0, 0, 1, 1, 2, 2), 3.0)
    1.5
    """
    below_beans = below_coins = 0
    for step_beans, step_coins in _steps(pay):
        if beans < step_beans:
            part = (beans - below_beans) / (step_beans - below_beans)
            return below_coins + part * (step_coins - below_coins)
        below_beans, below_coins = step_beans, step_coins
    return float(below_coins)


@cache
def _steps(pay: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    return tuple((beans, pay[beans]) for beans in range(1, len(pay)) if pay[beans] > pay[beans - 1])
