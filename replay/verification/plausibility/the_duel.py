"""On which tables the events of `the-duel` are plausible."""

from events import domain_events as e
from events.domain_events import UNKNOWN_CARD
from events.rules.definition.rule_system import Rules
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.systems.the_duel.table import Gift
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.standard import taken
from replay.verification.plausibility.unknown import Checks, may_be


def _check_bonus_drawn(_rules: Rules, state: GameState, event: e.BonusDrawn) -> None:
    if not may_be(event.cards, duel_of(state).pile[: len(event.cards)]):
        raise Discrepancy("fold", "these cards did not lie on top of the bonus pile")


def _check_offered(rules: Rules, state: GameState, event: e.GiftOffered) -> None:
    gifts = duel_of(state).gifts
    if event.variety not in rules.rising or event.variety in {gift.variety for gift in gifts}:
        raise Discrepancy("fold", f"there is no gift card for {event.variety[:40]} left to push")
    before = gifts[-1].seat if gifts else None
    if event.seat == before or (not gifts and event.seat != state.active):
        raise Discrepancy("fold", f"it was not for seat {event.seat} to offer a gift")


def _check_accepted(_rules: Rules, state: GameState, event: e.GiftAccepted) -> None:
    gift = _on_offer(state)
    if event.seat == gift.seat or event.variety != gift.variety:
        raise Discrepancy("fold", f"seat {event.seat} was not offered {event.variety[:40]}")


def _check_given(rules: Rules, state: GameState, event: e.GiftGiven) -> None:
    gift = _on_offer(state)
    if event.seat != gift.seat or event.to == event.seat or rules.variety.get(event.card) != gift.variety:
        raise Discrepancy("fold", f"seat {event.seat} had no {event.card[:40]} to give to seat {event.to}")
    if len(event.revealed) + len(event.hand) != 1:
        raise Discrepancy("fold", "a gift is exactly one card")
    if event.revealed and (event.revealed[0], event.card) not in state.revealed:
        raise Discrepancy("fold", f"{event.card} did not lie revealed as number {event.revealed[0]}")
    hand = state.seats[event.seat].hand
    if event.hand and not any(may_be((event.card,), (card,)) for _, card in hand):
        raise Discrepancy("fold", f"seat {event.seat} held no {event.card}")


def _check_bluff_paid(_rules: Rules, state: GameState, event: e.BluffPaid) -> None:
    if event.seat != _on_offer(state).seat or event.to == event.seat or not state.seats[event.seat].coins:
        raise Discrepancy("fold", f"seat {event.seat} owes seat {event.to} no coin for a bluff")


def _check_claimed(rules: Rules, state: GameState, event: e.BonusClaimed) -> None:
    _held(rules, state, event.seat, event.bonus)
    sequence = rules.bonus[event.bonus].sequence
    top = state.seats[event.owner].fields[event.field][-len(sequence) :]
    if tuple(rules.variety[card] for card in top) != sequence:
        raise Discrepancy("scores", f"{event.bonus} cannot be claimed for what grows on that field")


def _check_bonus_discarded(rules: Rules, state: GameState, event: e.BonusDiscarded) -> None:
    _check_decided(rules, state, event)
    _held(rules, state, event.seat, event.bonus)


def _check_decided(_rules: Rules, state: GameState, event: e.BonusKept | e.BonusDiscarded) -> None:
    if duel_of(state).seats[event.seat].decided:
        raise Discrepancy("fold", f"seat {event.seat} has decided twice about its bonus cards")


def _held(rules: Rules, state: GameState, seat: int, bonus: e.Card) -> None:
    held = duel_of(state).seats[seat].bonus
    if bonus not in rules.bonus or not {bonus, UNKNOWN_CARD}.intersection(held):
        raise Discrepancy("cards", f"seat {seat} did not hold the bonus card {bonus[:40]}")


def _on_offer(state: GameState) -> Gift:
    gifts = duel_of(state).gifts
    if not gifts:
        raise Discrepancy("fold", "no gift was on offer")
    return gifts[-1]


CHECKS: Checks = {
    e.CoinsDealt: taken,
    e.BonusDrawn: _check_bonus_drawn,
    e.GiftOffered: _check_offered,
    e.GiftAccepted: _check_accepted,
    e.GiftGiven: _check_given,
    e.BluffPaid: _check_bluff_paid,
    e.BonusClaimed: _check_claimed,
    e.BonusDiscarded: _check_bonus_discarded,
    e.BonusKept: _check_decided,
}
