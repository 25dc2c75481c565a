"""On which tables the events of `ladybohn-expansion` are plausible."""

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.systems.ladybohn_expansion.harvest import ROTATABLE
from events.rules.systems.ladybohn_expansion.make_up import FOR_A_FIELD, MOST_PAYERS, grows_make_up
from events.rules.systems.ladybohn_expansion.table import table_of
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.unknown import Checks


def _laid_out(rules: Rules, state: GameState, event: e.FanLaidOut) -> None:
    if event.fan != len(table_of(state).fans) or event.fan >= len(rules.setup.fans):
        raise Discrepancy("fold", f"no fan {event.fan} is laid out now")
    if event.cards != state.draw_pile[: rules.setup.fans[event.fan]] and not (
        set(state.draw_pile) == {e.UNKNOWN_CARD} and len(event.cards) == rules.setup.fans[event.fan]
    ):
        raise Discrepancy("fold", "the cards of the fan did not lie on top of the draw pile")


def _swapped(_rules: Rules, state: GameState, event: e.HandSwapped) -> None:
    if event.cards != _fan(state, event.fan):
        raise Discrepancy("fold", f"fan {event.fan} does not consist of the cards that came to the hand")
    hand = tuple(card for _, card in state.seats[event.seat].hand)
    if len(event.cards) != len(hand) or len(event.hand) != len(hand):
        raise Discrepancy("fold", f"the hand of seat {event.seat} has not as many cards as the fan")
    if any(held not in (e.UNKNOWN_CARD, shown) for held, shown in zip(hand, event.hand, strict=True)):
        raise Discrepancy("fold", f"these were not the cards in the hand of seat {event.seat}")


def _put_on_fan(rules: Rules, state: GameState, event: e.RevealedPutOnFan) -> None:
    if event.seat != state.active or (event.number, event.card) not in state.revealed:
        raise Discrepancy("fold", f"{event.card} did not lie revealed as number {event.number}")
    top = _fan(state, event.fan)[:1]
    if not top or rules.variety.get(top[0]) != rules.variety.get(event.card):
        raise Discrepancy("fold", f"fan {event.fan} does not show the variety of {event.card}")


def _overflowed(rules: Rules, state: GameState, event: e.FanOverflowed) -> None:
    fan = _fan(state, event.fan)
    if event.seat != state.active or not event.cards or event.cards != fan[rules.setup.fans[event.fan] :]:
        raise Discrepancy("fold", f"these are not the cards that fan {event.fan} has too many")


def _rotated(_rules: Rules, state: GameState, event: e.FieldRotated) -> None:
    field = state.seats[event.seat].fields[event.field]
    if len(field) < ROTATABLE or field[-1] != event.card:
        raise Discrepancy("fold", f"{event.card} cannot be rotated on field {event.field}")


def _won(rules: Rules, state: GameState, event: e.ThirdFieldWon) -> None:
    if state.seats[event.seat].third_field:
        raise Discrepancy("fold", f"seat {event.seat} has a third field already")
    sold = rules.beans.get(state.discard_pile[-1]) if state.discard_pile else None
    if sold is None or sold.sold != "make_up" or len(state.discard_pile) < FOR_A_FIELD:
        raise Discrepancy("fold", f"seat {event.seat} has harvested no make-up beans")


def _earned(rules: Rules, state: GameState, event: e.LevyEarned) -> None:
    top = state.seats[event.seat].coins[-1:]
    if not top or rules.beans[top[0]].sold != "make_up":
        raise Discrepancy("fold", f"seat {event.seat} has harvested no make-up beans for a coin")


def _quota(_rules: Rules, state: GameState, event: e.QuotaFieldTaken) -> None:
    if table_of(state).quota is not None or not state.seats[event.seat].third_field:
        raise Discrepancy("fold", f"the quota field cannot go to seat {event.seat}")


def _promised(_rules: Rules, state: GameState, event: e.LevyPromised) -> None:
    if event.seat == event.to or not 0 <= event.to < len(state.seats):
        raise Discrepancy("fold", f"seat {event.seat} cannot spare seat {event.to}")
    if state.active not in (event.seat, event.to):
        raise Discrepancy("fold", "only who trades with the active player makes a promise or gets one")


def _levied(rules: Rules, state: GameState, event: e.CoinsLevied) -> None:
    owner, payers = event.seat, event.payers
    if owner not in table_of(state).levies:
        raise Discrepancy("fold", f"seat {owner} has no levy")
    if event.spared != table_of(state).spared_by(owner):
        raise Discrepancy("fold", f"those spared are not those promised it by seat {owner}")
    if len({*payers}) != len(payers) or len(payers) > MOST_PAYERS or len(payers) != len(event.coins):
        raise Discrepancy("scores", "a levy takes one coin each of up to three players")
    for payer, coin in zip(payers, event.coins, strict=True):
        if not 0 <= payer < len(state.seats) or payer == owner or payer in event.spared:
            raise Discrepancy("scores", f"seat {owner} cannot levy seat {payer}")
        if state.seats[payer].coins[-1:] != (coin,) or grows_make_up(rules, state.seats[payer]):
            raise Discrepancy("scores", f"seat {payer} cannot pay {coin} to a levy")


def _fan(state: GameState, number: int) -> tuple[e.Card, ...]:
    fans = table_of(state).fans
    if not 0 <= number < len(fans):
        raise Discrepancy("fold", f"there is no fan {number}")
    return fans[number]


CHECKS: Checks = {
    e.FanLaidOut: _laid_out,
    e.HandSwapped: _swapped,
    e.RevealedPutOnFan: _put_on_fan,
    e.FanOverflowed: _overflowed,
    e.FieldRotated: _rotated,
    e.ThirdFieldWon: _won,
    e.QuotaFieldTaken: _quota,
    e.LevyEarned: _earned,
    e.LevyPromised: _promised,
    e.CoinsLevied: _levied,
}
