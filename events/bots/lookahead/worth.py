"""What a table is worth to its seats while nobody knows yet how it ends, in coins.

It is what a seat has earned, and what its fields may still be expected to pay: by the greedy bot's valuation of the
moment at which the thinking began.
"""

from events.bots.greedy.evaluation import EMPTY_FIELD, Valuation, between, valuation_for
from events.bots.greedy.in_varieties import in_varieties
from events.bots.situation import Situation
from events.bots.systems.the_duel.worth import COMING, promise
from events.domain_events.base import Card
from events.rules.definition.rule_system import Rules
from events.rules.systems.the_duel.table import DuelState
from events.rules.table.state import Field, GameState

CENTS = 100
"""In a coin."""


class Worth:
    """Values tables of one game; what it has worked out once it remembers."""

    def __init__(self, situation: Situation) -> None:
        """Value what may come of this situation."""
        self.rules: Rules = situation.rules
        self.unit = CENTS if situation.rules.system.unit == "cents" else 1
        self._rising = situation.rules.system.fields_for is not None
        self._valuation: Valuation = valuation_for(in_varieties(situation))
        self._fields: dict[tuple[Card, int], float] = {}

    def field(self, top: Card, beans: int) -> float:
        """What a field with this card on top, of so many beans, may be expected to pay in the end."""
        worth = self._fields.get((top, beans))
        if worth is None:
            worth = self._fields[top, beans] = self._expected_pay(top, beans)
        return worth

    def growth(self, field: Field, card: Card) -> float:
        """What one more card adds to a field."""
        before = self.field(field[-1], len(field)) if field else EMPTY_FIELD
        return self.field(card, len(field) + 1) - before

    def loss(self, field: Field) -> float:
        """What is given up by harvesting the field now: below zero where harvesting is a gain."""
        return self.field(field[-1], len(field)) - self.rules.coins_for(field) - EMPTY_FIELD

    def of(self, state: GameState, seat: int) -> float:
        """What the seat has at this table; at the end, what it has earned."""
        if state.result is not None:
            return state.result.scores[seat] / self.unit
        earned = self.rules.system.score(self.rules, state, seat) / self.unit
        grown = sum(
            self.field(field[-1], len(field)) if field else EMPTY_FIELD for field in state.seats[seat].fields
        )
        return earned + grown + (self._promised(state.duel, state, seat) if state.duel is not None else 0.0)

    def lead(self, state: GameState, seat: int) -> float:
        """How far the seat is ahead of the others' mean."""
        worths = [self.of(state, each) for each in range(len(state.seats))]
        others = sum(worths) - worths[seat]
        return worths[seat] - others / (len(worths) - 1)

    def _promised(self, duel: DuelState, state: GameState, seat: int) -> float:
        """What the bonus cards of the seat may bring, by how much of each lies on top of a field already."""
        fields = [field for each in state.seats for field in each.fields if field]
        return sum(promise(self.rules, bonus, fields) for bonus in duel.seats[seat].bonus)

    def _expected_pay(self, top: Card, beans: int) -> float:
        pay = self.rules.pay[top]
        if self._rising:
            return max(float(pay[beans]), between(pay, min(beans + COMING, len(pay) - 1)))
        return max(float(pay[beans]), self._valuation.worth((self.rules.variety[top], beans)))
