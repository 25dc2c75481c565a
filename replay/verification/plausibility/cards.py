"""Whether all cards are still on the table, as far as a viewer can tell."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.moved_cards import only_moved


def check_cards(rules: Rules, before: GameState, state: GameState) -> None:
    """Refuse a table on which a card is missing or one too many; cards that a viewer cannot see count as any.

    `before` is a table that was checked; nothing is counted again if the same cards lie on both.

    Raises:
        Discrepancy: of the check `cards`.
    """
    if only_moved(before, state):
        return
    _check_deck(_on_the_table(state), rules.deck if state.shuffles else ())
    addition = state.addition
    if addition is not None:
        for pile in addition.piles().values():
            cards = chain(pile.cards, pile.discards, addition.cards_off_piles())
            _check_deck(cards, rules.bonus_deck if pile.shuffles else ())


@lru_cache(16)
def _counted(deck: tuple[e.Card, ...]) -> dict[e.Card, int]:
    return dict(Counter(deck))


def _check_deck(cards: Iterable[e.Card], deck: tuple[e.Card, ...]) -> None:
    found, expected = Counter(cards), _counted(deck)
    if dict(found) == expected:
        return
    unknown = found.pop(e.UNKNOWN_CARD, 0)
    surplus = found - Counter(expected)
    if surplus:
        card, count = surplus.most_common(1)[0]
        raise Discrepancy("cards", f"there are {count} more {card} cards than the deck has")
    if found.total() + unknown != len(deck):
        raise Discrepancy(
            "cards", f"{found.total() + unknown} cards are on the table; the deck has {len(deck)}"
        )


def _on_the_table(state: GameState) -> Iterable[e.Card]:
    piles: list[Iterable[e.Card]] = [
        state.draw_pile,
        state.discard_pile,
        state.box,
        (card for _, card in state.revealed),
        *(state.addition.deck_cards() if state.addition else ()),
    ]
    for seat in state.seats:
        piles += [seat.coins, *seat.fields, (card for _, card in seat.hand), (card for _, card in seat.aside)]
    return chain.from_iterable(piles)
