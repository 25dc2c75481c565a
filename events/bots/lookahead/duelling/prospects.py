"""What fields and bonus cards may still bring in `the-duel`, in coins, from what one seat may see.

Unlike the greedy bot it reckons with the own hand, with how many cards of a variety are out of sight, with all bonus
cards in hand at once and with those that may be drawn, and with how much of the game is left.
"""

from collections import Counter
from collections.abc import Iterable

from events.bots.greedy.counting import outlook
from events.bots.greedy.evaluation import between
from events.bots.situation import Situation
from events.bots.systems.the_duel.worth import begun
from events.domain_events import Card
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.table.state import Field, GameState

EMPTY_FIELD = 0.5
"""What an empty field is worth, in coins."""
COMING = 10.0
"""Out of so many cards from out of sight a field gets those of its variety."""
FROM_HAND = 0.5
"""A card in the own hand counts as so much of a card on its field."""
LIKELY_FROM_HAND = 0.6
"""How likely a symbol is planted at least whose bean is in the own hand."""
OWN_LOOKS = 2.0
"""Out of so many cards an own field may get the next symbol of a bonus card."""
OTHER_LOOKS = 1.0
"""Out of so many cards a field of the opponent may get it."""
UNFINISHED = 0.6
"""How much of a bonus card counts at most as long as some of its sequence is missing."""
TO_BE_DRAWN = 0.3
"""So many bonus cards count for each field that may still be drawn."""
HELD_BY_OTHER = 0.5
"""So many more count for each field of the opponent, who holds bonus cards that nobody else sees."""
CARDS_IN_A_TURN = 5
"""So many cards leave the pile in a turn."""
LAST_TURNS = 3.0
"""In so many last turns of the game what may still come counts less and less."""


class Prospects:
    """What one seat may expect at a table that is veiled for it; what was worked out once is remembered.

    Attributes:
        rules: the rules of the table.
        state: the table.
        seat: whose prospects they are.
        situation: what the seat was told.
        held: its bonus cards.
        unseen: the bonus cards out of its sight.
    """

    def __init__(self, situation: Situation, state: GameState) -> None:
        """Look at this table, which is that of the situation."""
        self.rules, self.state, self.seat, self.situation = situation.rules, state, situation.seat, situation
        duel, rules = duel_of(state), situation.rules
        self.held = duel.seats[self.seat].bonus
        seen = {*duel.discards, *self.held}.union(*(seat.claimed for seat in duel.seats))
        self.unseen = [bonus for bonus in rules.bonus_deck if bonus not in seen]
        self._late = min(1.0, len(state.draw_pile) / CARDS_IN_A_TURN / LAST_TURNS)
        share = {variety: outlook(situation).share(variety) for variety in rules.rising}
        hand = Counter(card for _, card in state.seats[self.seat].hand)
        self._coming = {each: (COMING * share[each] + FROM_HAND * hand[each]) * self._late for each in share}
        self._likely_here = {
            each: max(
                1 - (1 - share[each]) ** (OWN_LOOKS * self._late),
                LIKELY_FROM_HAND * self._late if hand[each] else 0.0,
            )
            for each in share
        }
        self._likely_there = {each: 1 - (1 - share[each]) ** (OTHER_LOOKS * self._late) for each in share}
        self._pays: dict[Field, float] = {(): EMPTY_FIELD * self._late}
        self._promises: dict[Field, float] = {(): 0.0}
        self._chances: dict[tuple[Card, Field, bool], float] = {}

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of the seat."""
        return self.state.seats[self.seat].fields

    def worth(self, fields: Iterable[Field], held: Iterable[Card]) -> float:
        """What the seat may expect of these fields, if they are its own, and of these bonus cards."""
        fields = tuple(fields)
        grown = sum(self._pay(field) + TO_BE_DRAWN * self._late * self._promise(field) for field in fields)
        return grown + sum(self.hope(bonus, fields) for bonus in held)

    def worth_to_other(self, fields: Iterable[Field]) -> float:
        """What the opponent may expect of these fields, if they are its own."""
        drawn = TO_BE_DRAWN * self._late + HELD_BY_OTHER
        return sum(self._pay(field) + drawn * self._promise(field) for field in fields)

    def hope(self, bonus: Card, fields: Iterable[Field]) -> float:
        """What a bonus card in hand may bring with these own fields, or with those of the opponent."""
        here = max((self._chance(bonus, field, own=True) for field in fields), default=0.0)
        others = self.state.seats[1 - self.seat].fields
        there = max((self._chance(bonus, field, own=False) for field in others), default=0.0)
        return max(here, there) * self._value(bonus)

    def claimed(self, fields: Iterable[Field], held: tuple[Card, ...]) -> tuple[float, tuple[Card, ...]]:
        """What bonus cards bring at once that lie on top of one of the fields, and which stay in hand."""
        fields = tuple(fields)
        ready = [each for each in held if any(self._is_on(self._sequence(each), field) for field in fields)]
        return sum(map(self._value, ready)), tuple(each for each in held if each not in ready)

    @staticmethod
    def _is_on(sequence: tuple[Card, ...], field: Field) -> bool:
        return field[-len(sequence) :] == sequence

    def _sequence(self, bonus: Card) -> tuple[Card, ...]:
        return self.rules.bonus[bonus].sequence

    def _value(self, bonus: Card) -> float:
        return 1 + self.rules.bonus[bonus].cents / 100

    def _pay(self, field: Field) -> float:
        """What a field may be expected to pay in the end."""
        found = self._pays.get(field)
        if found is None:
            pay, beans = self.rules.pay[field[-1]], len(field)
            expected = between(pay, min(beans + self._coming[field[-1]], len(pay) - 1))
            found = self._pays[field] = max(float(pay[beans]), expected)
        return found

    def _promise(self, field: Field) -> float:
        """What a bonus card that nobody has seen may be expected to bring on this field."""
        found = self._promises.get(field)
        if found is None:
            hopes = [self._value(each) * self._chance(each, field, own=True) for each in self.unseen]
            found = self._promises[field] = sum(hopes) / len(hopes) if hopes else 0.0
        return found

    def _chance(self, bonus: Card, field: Field, *, own: bool) -> float:
        """How likely a bonus card can be claimed on a field: certain if it can be already."""
        found = self._chances.get((bonus, field, own))
        if found is None:
            sequence, likely = self._sequence(bonus), self._likely_here if own else self._likely_there
            missing = sequence[begun(sequence, field) :]
            found = UNFINISHED if missing else 1.0
            for symbol in missing:
                found *= likely[symbol]
            self._chances[bonus, field, own] = found
        return found
