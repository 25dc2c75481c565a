"""On which tables offers and trades are plausible."""

from collections import Counter
from typing import Final

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.phases.trading import OPEN_OFFERS
from events.rules.table.state import GameState, OpenOffer
from replay.records.report import Discrepancy
from replay.verification.plausibility.unknown import Checks

TRADING: Final = "trade"
"""The phase in which offers are made."""


def _offered(rules: Rules, state: GameState, event: e.OfferMade) -> None:
    if event.offer != state.next_offer:
        raise Discrepancy("fold", f"offer {event.offer} was made where offer {state.next_offer} is next")
    if sum(offer.seat == event.seat for offer in state.offers) >= OPEN_OFFERS:
        raise Discrepancy("fold", f"more than {OPEN_OFFERS} offers of seat {event.seat} are open")
    if state.phase != TRADING:
        raise Discrepancy("fold", f"nobody makes offers in the phase {state.phase}")
    _check_addressee(state, event)
    _check_given(rules, state, event)
    _check_wanted(rules, state, event)
    if not (event.hand or event.revealed or event.want or event.want_revealed):
        raise Discrepancy("fold", "the offer gives nothing and wants nothing")
    if (event.spare or event.want_spared) and not rules.setup.promises_bind:
        raise Discrepancy("fold", "in this game an offer carries no promises")


def _check_addressee(state: GameState, event: e.OfferMade) -> None:
    """Each offer is between the active player and another seat; one that answers another goes to whom made that."""
    if event.seat == state.active:
        goes = event.to != event.seat and (event.counters is None or event.to is not None)
    else:
        goes = event.to == state.active
    if not goes or (event.counters is not None and not _answers(state, event, event.counters)):
        raise Discrepancy("fold", f"seat {event.seat} cannot make this offer to {_named(event.to)}")


def _answers(state: GameState, event: e.OfferMade, counters: int) -> bool:
    """Whether this may answer that offer: one to a single seat is closed by it, one to all stays open."""
    open_still = [offer for offer in state.offers if offer.number == counters]
    return 0 < counters < event.offer and all(_is_open_to_all(offer, event.to) for offer in open_still)


def _is_open_to_all(offer: OpenOffer, by: int | None) -> bool:
    return offer.to is None and offer.seat == by


def _named(seat: int | None) -> str:
    return "everybody" if seat is None else f"seat {seat}"


def _check_given(rules: Rules, state: GameState, event: e.OfferMade) -> None:
    if len(event.hand) != len(event.hand_cards) or len(event.hand) > len(state.seats[event.seat].hand):
        raise Discrepancy("fold", "the offer names other hand cards than it shows, or more than there are")
    shown = Counter(event.hand_cards)
    copies = rules.varieties if rules.setup.hides_sex else rules.copies
    if any(count > copies.get(card, 0) for card, count in shown.items()):
        raise Discrepancy("fold", "the offer shows cards that the game has not")
    ranks = [tuple(copies).index(card) for card in event.hand_cards]
    if ranks != sorted(ranks):
        raise Discrepancy("fold", "the offer shows its cards in an order that says more than it may")
    if event.revealed and event.seat != state.active:
        raise Discrepancy("fold", f"the revealed cards are not those of seat {event.seat}")
    _check_revealed(state, event.revealed)


def _check_wanted(rules: Rules, state: GameState, event: e.OfferMade) -> None:
    if event.want_revealed and event.seat == state.active:
        raise Discrepancy("fold", f"the revealed cards are those of seat {event.seat} already")
    _check_revealed(state, event.want_revealed)
    for name, count in event.want.items():
        if not 1 <= count <= rules.wantable.get(name, 0):
            raise Discrepancy("fold", f"nobody can ask for {count} {name[:40]!r} in this game")


def _check_revealed(state: GameState, numbers: tuple[int, ...]) -> None:
    lying = {number for number, _ in state.revealed}
    if not lying.issuperset(numbers) or list(numbers) != sorted({*numbers}):
        raise Discrepancy("fold", "the offer names revealed cards that are not there")


def _closed(_rules: Rules, state: GameState, event: e.OfferWithdrawn | e.OfferLapsed) -> None:
    if event.offer not in {offer.number for offer in state.offers}:
        raise Discrepancy("fold", f"no offer {event.offer} is open")


def _declined(_rules: Rules, state: GameState, event: e.OfferDeclined) -> None:
    answered = [offer for offer in state.offers if offer.number == event.offer]
    if not answered or event.seat in answered[0].declined:
        raise Discrepancy("fold", f"seat {event.seat} has no offer {event.offer} to decline")


def _traded(_rules: Rules, state: GameState, event: e.TradeMade) -> None:
    if event.active == event.partner or event.active != state.active:
        raise Discrepancy("fold", f"seat {event.active} cannot trade with seat {event.partner}")
    if event.offer not in {offer.number for offer in state.offers}:
        raise Discrepancy("fold", f"no offer {event.offer} is open")
    given = len(event.active_hand) + len(event.active_revealed), len(event.partner_hand)
    if given != (len(event.active_cards), len(event.partner_cards)):
        raise Discrepancy("fold", "the trade names another number of cards than were given")
    revealed = dict(state.revealed)
    shown = tuple(revealed.get(number) for number in event.active_revealed)
    if event.active_cards[len(event.active_hand) :] != shown:
        raise Discrepancy("fold", "the trade names revealed cards that are not there, or other ones")


def _trading_ended(_rules: Rules, state: GameState, event: e.TradingEnded) -> None:
    if event.kept != tuple(card for _, card in state.revealed):
        raise Discrepancy("fold", "the cards kept are not those left of the revealed ones")


CHECKS: Checks = {
    e.OfferMade: _offered,
    e.OfferDeclined: _declined,
    e.OfferWithdrawn: _closed,
    e.OfferLapsed: _closed,
    e.TradeMade: _traded,
    e.TradingEnded: _trading_ended,
}
