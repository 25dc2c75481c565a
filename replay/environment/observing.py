"""What a seat sees, as a list of small whole numbers of one length for a table.

Seats stand in the order around the table, beginning with the own one. A card is its place in the catalogue counted
from 1, 0 for none or a hidden one.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice, repeat

from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState, OpenOffer
from events.rules.table.veiled import veil
from replay.environment.actions import FIELDS, LONGEST_HAND, LYING, OFFERS
from replay.environment.finding import open_to

MOST = 1_000
"""No number is larger."""


class Observing:
    """Writes down what seats of one table see."""

    def __init__(self, rules: Rules) -> None:
        """Prepare for a table."""
        self._rules = rules
        self._phases = tuple(rules.phases)
        self.own_fields = len(self._phases) + rules.players + 3 + LONGEST_HAND + LYING + 3
        """Where the own fields begin, each as its top card, its beans, and the coins that it pays."""
        self._places = {card: place for place, card in enumerate(rules.rank, 1)}
        self._places |= {name: self._places.get(name, len(self._places) + 1) for name in rules.varieties}

    def observe(self, state: GameState, seat: int) -> list[int]:
        """What the seat sees at this table, made of nothing that it does not know."""
        return [min(MOST, number) for number in self._numbers(veil(state, seat), seat)]

    def _numbers(self, veiled: GameState, seat: int) -> Iterator[int]:
        players = len(veiled.seats)
        around = [(seat + step) % players for step in range(players)]
        yield from (int(veiled.phase == phase) for phase in self._phases)
        yield from (int(veiled.active == each) for each in around)
        yield veiled.planted
        yield len(veiled.draw_pile)
        yield veiled.exhaustions
        own = veiled.seats[seat]
        yield from self._cards((card for _, card in own.hand), LONGEST_HAND)
        yield from self._cards((card for _, card in veiled.revealed), LYING)
        for each in around:
            lying = veiled.seats[each]
            yield len(lying.coins)
            yield len(lying.hand)
            yield int(lying.third_field)
            for field in islice(chain(lying.fields, repeat(())), FIELDS):
                yield self._places.get(field[-1], 0) if field else 0
                yield len(field)
                yield self._rules.coins_for(field) if field else 0
            yield from self._cards((card for _, card in lying.aside), LYING)
        discarded = Counter(veiled.discard_pile)
        yield from (discarded[card] for card in self._rules.rank)
        open_offers = [each for each in veiled.offers if each.number in open_to(veiled, seat)]
        for offer in islice(chain(open_offers, repeat(None)), OFFERS):
            yield from self._offer(veiled, offer, around)
        yield from self._of_the_system(veiled, seat)

    def _offer(self, veiled: GameState, offer: OpenOffer | None, around: Sequence[int]) -> Iterator[int]:
        if offer is None:
            yield from repeat(0, 5)
            return
        revealed = dict(veiled.revealed)
        gives = (*offer.hand_cards, *(revealed[each] for each in offer.revealed if each in revealed))
        wants = (
            *Counter(offer.want).elements(),
            *(revealed[each] for each in offer.want_revealed if each in revealed),
        )
        yield around.index(offer.seat)
        yield from self._cards(gives, 2)
        yield from self._cards(wants, 2)

    def _of_the_system(self, veiled: GameState, seat: int) -> Iterator[int]:
        """The gift on offer and the own bonus cards; the fans."""
        if veiled.duel is not None:
            gifts = veiled.duel.gifts
            yield from self._cards((gifts[-1].variety,) if gifts else (), 1)
            bonus = {card: place for place, card in enumerate(self._rules.bonus, 1)}
            held = veiled.duel.seats[seat].bonus
            yield from islice(chain((bonus.get(card, 0) for card in held), repeat(0)), 3)
        for number, size in enumerate(self._rules.setup.fans):
            addition = veiled.ladybohn_expansion
            fans = addition.fans if addition is not None else ()
            yield from self._cards(fans[number] if number < len(fans) else (), size)

    def _cards(self, cards: Iterable[str], most: int) -> Iterator[int]:
        return islice(chain((self._places.get(card, 0) for card in cards), repeat(0)), most)
