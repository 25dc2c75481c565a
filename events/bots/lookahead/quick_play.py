"""How everybody plays on in thought: quickly, by the worth of fields, with gifts in place of negotiations."""

from collections.abc import Callable, Iterator, Mapping

from events import commands as c
from events.bots.lookahead.worth import Worth
from events.domain_events.base import Card
from events.rules.phases.planting import open_fields
from events.rules.table.state import GameState, NumberedCard

CLEAR_GAIN = 0.4
"""A field is harvested for a card that need not be planted only where that gains so much."""
Play = Callable[[Worth, GameState, int], c.Command | None]


def quick_command(worth: Worth, state: GameState, seat: int) -> c.Command | None:
    """What this seat does in the phase; None where it has no idea."""
    play = _PLAYS.get(state.phase)
    if play is None:
        return None
    return _claim(worth, state, seat) or _sell_full_field(worth, state, seat) or play(worth, state, seat)


def gift(worth: Worth, state: GameState) -> tuple[int, int] | None:
    """A revealed card that the active player does not grow, by number, and the seat that it helps most."""
    best, most = None, 0.0
    for number, card in state.revealed:
        if _growing(worth, state, state.active, card) is not None:
            continue
        for seat in range(len(state.seats)):
            grown = None if seat == state.active else _growing(worth, state, seat, card)
            if grown is not None and grown > most:
                best, most = (number, seat), grown
    return best


def _growing(worth: Worth, state: GameState, seat: int, card: Card) -> float | None:
    """What the card adds to the field of the seat that grows its variety; None where it grows none."""
    variety = worth.rules.variety
    for field in state.seats[seat].fields:
        if field and variety[field[-1]] == variety[card]:
            return worth.growth(field, card)
    return None


def _claim(worth: Worth, state: GameState, seat: int) -> c.Command | None:
    """A bonus card that can be claimed now."""
    claims = worth.rules.system.any_time.get(c.ClaimBonus)
    found = next(claims.legal(worth.rules, state, seat), None) if claims is not None else None
    return found if isinstance(found, c.ClaimBonus) else None


def _sell_full_field(worth: Worth, state: GameState, seat: int) -> c.Command | None:
    """A field that can grow no dearer."""
    for number, field in enumerate(state.seats[seat].fields):
        if len(field) > 1 and worth.rules.coins_for(field) >= worth.rules.pay[field[-1]][-1] > 0:
            return c.Harvest(number)
    return None


def _best_field(worth: Worth, state: GameState, seat: int, card: Card) -> tuple[float, int | None]:
    """The field that the card helps most, and by how much."""
    fields = state.seats[seat].fields
    best, most = None, 0.0
    for number in open_fields(worth.rules, fields, card):
        growth = worth.growth(fields[number], card)
        if best is None or growth > most:
            best, most = number, growth
    return most, best


def _make_room(worth: Worth, state: GameState, seat: int) -> tuple[float, c.Command | None]:
    """The harvest that costs least of those that bean protection allows, and what it costs."""
    fields = state.seats[seat].fields
    protected = any(len(field) > 1 for field in fields)
    ways = [
        (worth.loss(field), number)
        for number, field in enumerate(fields)
        if len(field) > 1 or (field and not protected)
    ]
    if not ways:
        return 0.0, None
    least, number = min(ways)
    return least, c.Harvest(number)


def _plant(worth: Worth, state: GameState, seat: int) -> c.Command:
    hand = state.seats[seat].hand
    if not hand:
        return c.Reveal()
    card = hand[0][1]
    growth, field = _best_field(worth, state, seat, card)
    if field is not None and (not state.planted or growth > 0):
        return c.Plant(field)
    if state.planted:
        if field is None:
            loss, harvest = _make_room(worth, state, seat)
            if harvest is not None and worth.growth((), card) - loss >= CLEAR_GAIN:
                return harvest
        return c.Reveal()
    return _make_room(worth, state, seat)[1] or c.Reveal()


def _best_lying(
    worth: Worth, state: GameState, seat: int, cards: tuple[NumberedCard, ...]
) -> tuple[float, tuple[int, int] | None]:
    """The card that is planted best, with its field, and what that gains."""
    best, most = None, 0.0
    for number, card in cards:
        growth, field = _best_field(worth, state, seat, card)
        if field is not None and (best is None or growth > most):
            best, most = (number, field), growth
    return most, best


def _plant_aside(worth: Worth, state: GameState, seat: int) -> c.Command | None:
    aside = state.seats[seat].aside
    lying = state.revealed if seat == state.active else ()
    gained, best = _best_lying(worth, state, seat, aside)
    other, free = _best_lying(worth, state, seat, lying)
    if free is not None and (best is None or other > gained):
        return c.PlantRevealed(*free)
    if best is not None:
        return c.PlantAside(*best)
    loss, harvest = _make_room(worth, state, seat)
    may_discard = state.duel is not None and not state.duel.discarded
    if may_discard and lying and worth.growth((), lying[0][1]) < loss:
        return c.DiscardRevealed(lying[0][0])
    return harvest


def _plant_revealed(worth: Worth, state: GameState, seat: int) -> c.Command:
    gained, best = _best_lying(worth, state, seat, state.revealed)
    return c.PlantRevealed(*best) if best is not None and gained > 0 else c.Draw()


def _take_offered(worth: Worth, state: GameState, seat: int) -> c.Command:
    gained, best = _best_lying(worth, state, seat, state.revealed)
    return (
        c.PlantRevealed(*best) if best is not None and gained > 0 else c.DiscardRevealed(state.revealed[0][0])
    )


def _held(worth: Worth, state: GameState, seat: int) -> Iterator[Card]:
    """The varieties that a seat could really give, without those of gift cards that were pushed."""
    duel = state.duel
    pushed = {each.variety for each in duel.gifts} if duel is not None else set()
    free = state.revealed if seat == state.active else ()
    variety = worth.rules.variety
    yield from dict.fromkeys(
        variety[card] for _, card in (*free, *state.seats[seat].hand) if variety[card] not in pushed
    )


def _offer_gift(worth: Worth, state: GameState, seat: int) -> c.Command | None:
    """What helps the other one least, of what is really there."""
    held = [(_gain(worth, state, 1 - seat, each), each) for each in _held(worth, state, seat)]
    return c.OfferGift(min(held)[1]) if held else None


def _answer_gift(worth: Worth, state: GameState, seat: int) -> c.Command | None:
    duel = state.duel
    if duel is None:
        return None
    own = _gain(worth, state, seat, duel.gifts[-1].variety)
    if own >= 0:
        return c.AcceptGift()
    held = [(_gain(worth, state, 1 - seat, each), each) for each in _held(worth, state, seat)]
    return c.CounterGift(min(held)[1]) if held and min(held)[0] < -own else c.AcceptGift()


def _gain(worth: Worth, state: GameState, seat: int, card: Card) -> float:
    """What a card adds to the fields of a seat, with a harvest where it fits nowhere."""
    growth, field = _best_field(worth, state, seat, card)
    if field is not None:
        return growth
    return worth.growth((), card) - _make_room(worth, state, seat)[0]


def _decide_bonus(_worth: Worth, _state: GameState, _seat: int) -> c.Command:
    return c.KeepBonus()


_PLAYS: Mapping[str, Play] = {
    "plant": _plant,
    "reveal": lambda _worth, _state, _seat: c.Reveal(),
    "discard": lambda _worth, _state, _seat: c.Reveal(),
    "plant_aside": _plant_aside,
    "plant_revealed": _plant_revealed,
    "offered": _take_offered,
    "draw": lambda _worth, _state, _seat: c.Draw(),
    "offer_gift": _offer_gift,
    "answer_gift": _answer_gift,
    "bonus": _decide_bonus,
}
"""What to do in each phase, trading apart."""
