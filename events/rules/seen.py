"""Which hidden cards have been seen between two tables of a game: the warning before it goes back to the first."""

import msgspec

from events.domain_events.base import Card
from events.rules.duel_state import DuelState
from events.rules.piles import BONUS_PILE, DRAW_PILE
from events.rules.state import GameState


class Seen(msgspec.Struct, frozen=True, omit_defaults=True):
    """Cards that were hidden on the earlier table and are known to somebody more on the later one.

    Attributes:
        what: `draw` or `bonus` (taken from that pile), `hand` or `bonus_hand` (left it, and so were shown),
        `offers` (hand
            cards named in offers), `coins` (shown).
        cards: those cards; empty where they cannot be told one by one.
        seat: whose they were; None for a pile.
    """

    what: str
    cards: tuple[Card, ...] = ()
    seat: int | None = None


def seen_between(earlier: GameState, now: GameState) -> tuple[Seen, ...]:
    """What has been seen, pile by pile and seat by seat.

    >>> from events.rules.state import GameState
    >>> seen_between(GameState(draw_pile=("blue", "chili")), GameState(draw_pile=("chili",)))
    (Seen(what='draw', cards=('blue',), seat=None),)
    """
    found = [Seen(pile, _taken(earlier, now, pile)) for pile in piles_touched(earlier, now)]
    for seat, (before, after) in enumerate(zip(earlier.seats, now.seats, strict=True)):
        left = {*before.hand} - {*after.hand}
        if left:
            found.append(
                Seen("hand", tuple(card for number, card in before.hand if (number, card) in left), seat)
            )
    if now.next_offer > earlier.next_offer:
        found.append(Seen("offers"))
    return (*found, *_of_the_duel(earlier, now), *_of_ladybohn(earlier, now))


def piles_touched(earlier: GameState, now: GameState) -> tuple[str, ...]:
    """The piles of which cards were taken since, and which were not empty then: they are dealt anew."""
    touched = []
    if earlier.draw_pile and (earlier.shuffles, len(earlier.draw_pile)) != (now.shuffles, len(now.draw_pile)):
        touched.append(DRAW_PILE)
    before, after = earlier.duel, now.duel
    if before is not None and after is not None and before.pile and _bonus(before) != _bonus(after):
        touched.append(BONUS_PILE)
    return tuple(touched)


def _bonus(duel: DuelState) -> tuple[int, int]:
    return duel.shuffles, len(duel.pile)


def _taken(earlier: GameState, now: GameState, pile: str) -> tuple[Card, ...]:
    """The cards taken from the top; all of the pile where it was shuffled since."""
    if pile == DRAW_PILE:
        count = len(now.draw_pile) if now.shuffles == earlier.shuffles else 0
        return earlier.draw_pile[: len(earlier.draw_pile) - count]
    if earlier.duel is None or now.duel is None:
        return ()
    count = len(now.duel.pile) if now.duel.shuffles == earlier.duel.shuffles else 0
    return earlier.duel.pile[: len(earlier.duel.pile) - count]


def _of_the_duel(earlier: GameState, now: GameState) -> tuple[Seen, ...]:
    if earlier.duel is None or now.duel is None:
        return ()
    found = []
    for seat, (before, after) in enumerate(zip(earlier.duel.seats, now.duel.seats, strict=True)):
        left = tuple(card for card in before.bonus if card not in after.bonus)
        if left:
            found.append(Seen("bonus_hand", left, seat))
        shown = _coins(earlier, seat, tuple(place for place in before.unseen if place not in after.unseen))
        if shown:
            found.append(Seen("coins", shown, seat))
    return tuple(found)


def _of_ladybohn(earlier: GameState, now: GameState) -> tuple[Seen, ...]:
    if earlier.ladybohn is None or now.ladybohn is None:
        return ()
    gone = [coin for coin in earlier.ladybohn.unseen if coin not in now.ladybohn.unseen]
    found = []
    for seat in range(len(earlier.seats)):
        shown = _coins(earlier, seat, tuple(place for owner, place in gone if owner == seat))
        if shown:
            found.append(Seen("coins", shown, seat))
    return tuple(found)


def _coins(state: GameState, seat: int, places: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(state.seats[seat].coins[place] for place in places)
