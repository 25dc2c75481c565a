"""Which hidden cards have been seen between two tables of a game: the warning before it goes back to the first."""

from events.domain_events.base import Card
from events.rules.table.addition import BONUS_PILE, DRAW_PILE, Seen
from events.rules.table.piles import pile_of
from events.rules.table.state import GameState


def find_seen(earlier: GameState, now: GameState) -> tuple[Seen, ...]:
    """What has been seen, pile by pile and seat by seat.

    >>> from events.rules.table.state import GameState
    >>> find_seen(GameState(draw_pile=("blue", "chili")), GameState(draw_pile=("chili",)))
    (Seen(what='draw', cards=('blue',), seat=None),)
    """
    found = [Seen(pile, _find_taken(earlier, now, pile)) for pile in piles_touched(earlier, now)]
    for seat, (before, after) in enumerate(zip(earlier.seats, now.seats, strict=True)):
        left = {*before.hand} - {*after.hand}
        if left:
            found.append(
                Seen("hand", tuple(card for number, card in before.hand if (number, card) in left), seat)
            )
    if now.next_offer > earlier.next_offer:
        found.append(Seen("offers"))
    then, since = earlier.addition, now.addition
    if then is not None and since is not None:
        for seat, player in enumerate(earlier.seats):
            found += since.shown_since(then, seat)
            shown = sorted(then.unseen_coins(seat) - since.unseen_coins(seat))
            if shown:
                found.append(Seen("coins", tuple(player.coins[place] for place in shown), seat))
    return tuple(found)


def is_anything_seen(earlier: GameState, now: GameState) -> bool:
    """Whether anything has been seen, found at once in most cases: a pile was drawn from."""
    return bool(piles_touched(earlier, now)) or bool(find_seen(earlier, now))


def is_seen_of_others(earlier: GameState, now: GameState, seat: int) -> bool:
    """Return whether anything has been seen but cards from the hand of this seat."""
    return any(each.seat != seat for each in find_seen(earlier, now))


def piles_changed(earlier: GameState, now: GameState) -> tuple[str, ...]:
    """Return the piles that were drawn from or shuffled since."""
    changed = []
    for name in (DRAW_PILE, BONUS_PILE):
        before, after = pile_of(earlier, name), pile_of(now, name)
        if (before.shuffles, len(before.cards)) != (after.shuffles, len(after.cards)):
            changed.append(name)
    return tuple(changed)


def piles_touched(earlier: GameState, now: GameState) -> tuple[str, ...]:
    """Return the piles to deal anew when going back: those that changed since, and were not empty then."""
    return tuple(name for name in piles_changed(earlier, now) if pile_of(earlier, name).cards)


def _find_taken(earlier: GameState, now: GameState, name: str) -> tuple[Card, ...]:
    """The cards taken from the top; all of the pile where it was shuffled since."""
    before, after = pile_of(earlier, name), pile_of(now, name)
    left = len(after.cards) if after.shuffles == before.shuffles else 0
    return before.cards[: len(before.cards) - left]
