"""Whether an event makes sense on the table as it stood, for any viewer.

`evolve` never refuses, so what comes from outside is held against the table before it is folded. This is no
second rules engine: where a record shows everything, the rules themselves are asked again.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import Any

from events import domain_events as e
from events.rules.duel_state import DuelState
from events.rules.phases.any_time import third_fields_left
from events.rules.phases.coins_from_piles import is_paid_from_piles
from events.rules.phases.trading import OPEN_OFFERS
from events.rules.piles import shuffles_of
from events.rules.rule_system import Rules
from events.rules.rulings import RULED_ENDS
from events.rules.state import GameState
from replay.bean_duel import CHECKS as BEAN_DUEL
from replay.lady_bohn import CHECKS as LADY_BOHN
from replay.ladybohn import CHECKS as LADYBOHN
from replay.moved_cards import only_moved
from replay.report import Discrepancy
from replay.rewindings import CHECKS as REWINDINGS
from replay.rewindings import check_ruled_end
from replay.the_duel import CHECKS as THE_DUEL
from replay.unknown import may_be

_ALLOWED = MappingProxyType(
    {
        "none": (e.GameCreated,),
        "open": (e.SeatTaken, e.GameStarted),
        "ended": (e.DealerCalled, e.SecretRevealed),
        "finished": (),
    }
)
"""What can happen in a game of this status; anything but these while it is running."""
_SHOWN = 10
_NOT_RUNNING = (e.GameCreated, e.SeatTaken, e.GameStarted, e.SecretRevealed)


def check_sense(rules: Rules, state: GameState, event: e.DomainEvent) -> None:
    """Refuse an event that cannot have happened on this table.

    Raises:
        Discrepancy: of the checks `end`, `fold` or `scores`.
    """
    _check_status(state, event)
    _check_seats(rules, state, event)
    check = _CHECKS.get(type(event))
    if check is not None:
        check(rules, state, event)


def _check_status(state: GameState, event: e.DomainEvent) -> None:
    allowed = _ALLOWED.get(state.status)
    name = type(event).__name__
    if state.status == "finished":
        raise Discrepancy("end", f"{name} comes after the end of the game")
    if isinstance(event, _NOT_RUNNING) if allowed is None else not isinstance(event, allowed):
        raise Discrepancy("fold", f"{name} cannot happen while the game is {state.status}")


def _check_seats(rules: Rules, state: GameState, event: e.DomainEvent) -> None:
    seats, place = _seats_in(type(event))
    for name in seats:
        seat = getattr(event, name)
        if seat is not None and not 0 <= seat < rules.players:
            raise Discrepancy("fold", f"there is no seat {seat}; the table has {rules.players}")
    if place is not None:
        owner, field = place(event)
        fields = len(state.seats[owner].fields)
        if not 0 <= field < fields:
            raise Discrepancy("fold", f"seat {owner} has no field {field}; it has {fields}")


@cache
def _seats_in(struct: type[e.DomainEvent]) -> tuple[tuple[str, ...], Callable[[Any], tuple[int, int]] | None]:
    """Which members of such an event are seats, and what takes a field and its owner from it."""
    names = struct.__struct_fields__
    seats = tuple(name for name in ("seat", "active", "partner", "to", "owner") if name in names)
    owner = "owner" if "owner" in names else "seat"
    return seats, attrgetter(owner, "field") if "field" in names else None


def _started(rules: Rules, _state: GameState, event: e.GameStarted) -> None:
    if event.fields != rules.setup.fields:
        raise Discrepancy("fold", f"everybody starts with {rules.setup.fields} fields, not {event.fields}")


def _shuffled(_rules: Rules, state: GameState, event: e.PileShuffled) -> None:
    if event.number != shuffles_of(state, event.pile) + 1:
        raise Discrepancy("fold", f"shuffle {event.number} comes after {shuffles_of(state, event.pile)}")
    if state.due is None or state.due.task != "shuffle" or state.due.pile != event.pile:
        raise Discrepancy("fold", "no shuffle was due")


def _exhausted(_rules: Rules, state: GameState, event: e.PileExhausted) -> None:
    if state.draw_pile or event.times != state.exhaustions + 1:
        raise Discrepancy("fold", f"the pile is not exhausted for the {event.times}. time")


def _turn_began(_rules: Rules, state: GameState, event: e.TurnBegan) -> None:
    if event.turn != state.turn + 1:
        raise Discrepancy("fold", f"turn {event.turn} comes after turn {state.turn}")


def _taken(
    _rules: Rules, state: GameState, event: e.HandDealt | e.CardsDrawn | e.CardsRevealed | e.CoinsDealt
) -> None:
    if not may_be(event.cards, state.draw_pile[: len(event.cards)]):
        raise Discrepancy("fold", f"{_cards(event.cards)} did not lie on top of the draw pile")


def _planted(_rules: Rules, state: GameState, event: e.BeanPlanted) -> None:
    hand = state.seats[event.seat].hand
    if not may_be((event.card,), tuple(card for _, card in hand[:1])):
        raise Discrepancy("fold", f"{event.card} was not the front card of the hand of seat {event.seat}")


def _aside_planted(_rules: Rules, state: GameState, event: e.AsidePlanted) -> None:
    if (event.number, event.card) not in state.seats[event.seat].aside:
        raise Discrepancy("fold", f"{event.card} did not lie aside as number {event.number}")


def _harvested(rules: Rules, state: GameState, event: e.FieldHarvested) -> None:
    field = state.seats[event.seat].fields[event.field]
    if not field or event.cards != field:
        raise Discrepancy(
            "scores", f"seat {event.seat} harvested {_cards(event.cards)}, but grew {_cards(field)}"
        )
    if is_paid_from_piles(rules, field):
        raise Discrepancy("scores", f"{_cards(field)} are not paid with cards of the field")
    allowed = rules.system.may_pay(rules, state, event)
    if event.coins not in allowed:
        shown = " or ".join(map(str, allowed))
        raise Discrepancy("scores", f"{_cards(field)} pay {shown} coins, not {event.coins}")


def _bought(rules: Rules, state: GameState, event: e.ThirdFieldBought) -> None:
    if not third_fields_left(rules, state):
        raise Discrepancy("scores", f"there are only {rules.setup.third_fields} third fields")
    price = rules.setup.third_field_price
    coins = state.seats[event.seat].coins
    if price is None:
        raise Discrepancy("scores", "no third field is for sale in this game")
    if event.boxed != rules.setup.third_field_boxed:
        where = "the box" if rules.setup.third_field_boxed else "the discard pile"
        raise Discrepancy("scores", f"the coins paid for a third field go to {where}")
    if len(event.paid) != price or event.paid != coins[: -price - 1 : -1]:
        raise Discrepancy(
            "scores", f"{_cards(event.paid)} are not the top {price} coins of seat {event.seat}"
        )


def _offered(rules: Rules, state: GameState, event: e.OfferMade) -> None:
    if event.offer != state.next_offer:
        raise Discrepancy("fold", f"offer {event.offer} was made where offer {state.next_offer} is next")
    if len(state.offers) >= rules.players * OPEN_OFFERS:
        raise Discrepancy("fold", f"more than {OPEN_OFFERS} offers of a seat are open")


def _declined(_rules: Rules, state: GameState, event: e.OfferDeclined) -> None:
    answered = [offer for offer in state.offers if offer.number == event.offer]
    if not answered or event.seat in answered[0].declined:
        raise Discrepancy("fold", f"seat {event.seat} has no offer {event.offer} to decline")


def _traded(_rules: Rules, state: GameState, event: e.TradeMade) -> None:
    if event.active == event.partner:
        raise Discrepancy("fold", f"seat {event.active} trades with itself")
    given = len(event.active_hand) + len(event.active_revealed), len(event.partner_hand)
    if given != (len(event.active_cards), len(event.partner_cards)):
        raise Discrepancy("fold", "the trade names another number of cards than were given")
    revealed = {number for number, _ in state.revealed}
    if not revealed.issuperset(event.active_revealed):
        raise Discrepancy("fold", "the trade names a revealed card that is not there")


def _trading_ended(_rules: Rules, state: GameState, event: e.TradingEnded) -> None:
    if event.kept != tuple(card for _, card in state.revealed):
        raise Discrepancy("fold", "the cards kept are not those left of the revealed ones")


def _ended(rules: Rules, state: GameState, event: e.GameEnded) -> None:
    scores = tuple(rules.system.score(rules, state, seat) for seat in range(rules.players))
    tied = tuple(seat for seat in range(rules.players) if scores[seat] == max(scores))
    winners = tied if len(tied) == 1 else rules.system.break_tie(state, tied)
    if event.reason in RULED_ENDS:
        check_ruled_end(rules, event, scores)
        return
    if event.scores != scores:
        raise Discrepancy("scores", f"the coin stacks hold {list(scores)}, not {list(event.scores)}")
    if event.winners != winners or event.unit != rules.system.unit:
        raise Discrepancy(
            "scores", f"with {list(scores)} {rules.system.unit} the winners are {list(winners)}"
        )


_CHECKS: dict[type[e.DomainEvent], Callable[[Rules, GameState, Any], None]] = {
    e.GameStarted: _started,
    e.PileShuffled: _shuffled,
    e.PileExhausted: _exhausted,
    e.HandDealt: _taken,
    e.CardsDrawn: _taken,
    e.CardsRevealed: _taken,
    e.TurnBegan: _turn_began,
    e.BeanPlanted: _planted,
    e.AsidePlanted: _aside_planted,
    e.FieldHarvested: _harvested,
    e.ThirdFieldBought: _bought,
    e.OfferMade: _offered,
    e.OfferDeclined: _declined,
    e.TradeMade: _traded,
    e.TradingEnded: _trading_ended,
    e.GameEnded: _ended,
    e.CoinsDealt: _taken,
    **BEAN_DUEL,
    **THE_DUEL,
    **LADY_BOHN,
    **LADYBOHN,
    **REWINDINGS,
}


def check_cards(rules: Rules, before: GameState, state: GameState) -> None:
    """Refuse a table on which a card is missing or one too many; cards that a viewer cannot see count as any.

    `before` is a table that was checked; nothing is counted again if the same cards lie on both.

    Raises:
        Discrepancy: of the check `cards`.
    """
    if only_moved(before, state):
        return
    _check_deck(_on_the_table(state), rules.deck if state.shuffles else ())
    if state.duel is not None:
        _check_deck(_bonus_cards(state.duel), rules.bonus_deck if state.duel.shuffles else ())


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
        *(state.lady_bohn.fans if state.lady_bohn else ()),
    ]
    for seat in state.seats:
        piles += [seat.coins, *seat.fields, (card for _, card in seat.hand), (card for _, card in seat.aside)]
    return chain.from_iterable(piles)


def _bonus_cards(duel: DuelState) -> Iterable[e.Card]:
    held = (chain(seat.bonus, seat.claimed) for seat in duel.seats)
    return chain(duel.pile, duel.discards, *held)


def _cards(cards: tuple[e.Card, ...]) -> str:
    return ", ".join(cards[:_SHOWN]) + (" …" if len(cards) > _SHOWN else "") or "nothing"
