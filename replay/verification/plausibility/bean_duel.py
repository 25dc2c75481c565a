"""On which tables the events of `bean-duel` are plausible."""

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.standard import check_field
from replay.verification.plausibility.unknown import Checks


def _joined(rules: Rules, state: GameState, event: e.DiscardsJoined) -> None:
    top = state.discard_pile[::-1][: len(event.cards)]
    if not event.cards or event.cards != top:
        raise Discrepancy("fold", "the cards that joined did not lie on top of the discard pile")
    varieties = {rules.variety[card] for _, card in state.revealed}
    if event.seat != state.active:
        raise Discrepancy("fold", f"the cards joined those of seat {state.active}, not of seat {event.seat}")
    if not varieties.issuperset(rules.variety[card] for card in event.cards):
        raise Discrepancy("fold", "a card joined that matches no revealed one")


def _revealed_planted(rules: Rules, state: GameState, event: e.RevealedPlanted) -> None:
    _lay_open(rules, state, event)
    check_field(rules, state, event)


def _lay_open(_rules: Rules, state: GameState, event: e.RevealedPlanted | e.RevealedDiscarded) -> None:
    if (event.number, event.card) not in state.revealed:
        raise Discrepancy("fold", f"{event.card} did not lie open as number {event.number}")


def _was_in_hand(_rules: Rules, state: GameState, event: e.HandCardDiscarded) -> None:
    may_be = {
        card for number, card in state.seats[event.seat].hand if event.number in (number, e.UNKNOWN_NUMBER)
    }
    if not may_be.intersection({event.card, e.UNKNOWN_CARD}):
        raise Discrepancy("fold", f"seat {event.seat} had no such {event.card} in hand")


CHECKS: Checks = {
    e.DiscardsJoined: _joined,
    e.RevealedPlanted: _revealed_planted,
    e.RevealedDiscarded: _lay_open,
    e.HandCardDiscarded: _was_in_hand,
}
