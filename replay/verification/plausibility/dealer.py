"""Whether the dealer is called for what follows from the table, and cards are taken as many as are owed.

That is asked where the rules cannot be asked again: in every record but one of scope `all`.
"""

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.interventions.rewinding import REDEAL
from events.rules.systems.the_duel.evolve import duel_of
from events.rules.table.addition import BONUS_PILE, DRAW_PILE
from events.rules.table.state import GameState
from replay.records.report import Discrepancy

_TAKING = frozenset({"reveal", "draw"})
_REVEALING = frozenset({"plant", "discard", "reveal"})
"""The phases in which cards are turned up; in all others they are drawn."""


class DealerCalls:
    """Follows the events of a game: who takes cards off the draw pile, and how many more they are owed."""

    def __init__(self) -> None:
        """Begin before the first event."""
        self._owed: tuple[int, int] | None = None
        """The seat that takes cards, and how many more; None where nobody has begun to."""

    def check(self, rules: Rules, state: GameState, last: e.DomainEvent | None, event: e.DomainEvent) -> None:
        """Check the next event, after the last one and on this table before it.

        Raises:
            Discrepancy: of the check `fold`.
        """
        if not rules.setup.counts_drawn:
            return
        if isinstance(event, e.CardsDrawn | e.CardsRevealed):
            self._take(rules, state, event)
        elif isinstance(event, e.DealerCalled):
            expected = self._expect(rules, state, last, event)
            if event != expected:
                raise Discrepancy("fold", f"the dealer is called for something else than {expected}")
        elif isinstance(event, e.PileShuffled):
            due = state.due
            self._owed = (due.seat, due.count) if due is not None and due.purpose in _TAKING else None
        elif self._owed is not None and not isinstance(event, e.PileExhausted):
            self._owed = None

    def _expect(
        self, rules: Rules, state: GameState, last: e.DomainEvent | None, event: e.DealerCalled
    ) -> e.DealerCalled:
        """What the dealer must be called for."""
        if state.status == "ended":
            return e.DealerCalled("secret")
        if isinstance(last, e.GameStarted):
            return e.DealerCalled("starting_seat")
        if isinstance(last, e.StartingSeatChosen):
            return e.DealerCalled("shuffle", DRAW_PILE, "deal", state.start_seat)
        if state.redeal:
            return e.DealerCalled("shuffle", state.redeal[0], REDEAL, state.active)
        if event.pile == BONUS_PILE and rules.setup.bonus_hand:
            purpose = "refill" if state.turn else "deal"
            seat = event.seat if state.turn else state.active
            if isinstance(last, e.BonusDrawn):
                seat = last.seat
            missing = rules.setup.bonus_hand - len(duel_of(state).seats[seat].bonus)
            return e.DealerCalled("shuffle", BONUS_PILE, purpose, seat, max(0, missing))
        seat, count = self._owed or (state.active, _usual(rules, state))
        return e.DealerCalled("shuffle", DRAW_PILE, _purpose(state), seat, count)

    def _take(self, rules: Rules, state: GameState, event: e.CardsDrawn | e.CardsRevealed) -> None:
        seat, count = self._owed or (state.active, _usual(rules, state))
        if not count and rules.setup.all_draw:
            seat, count = (seat + 1) % rules.players, _usual(rules, state)
        taken = len(event.cards)
        if event.seat != seat or taken != min(count, len(state.draw_pile)):
            raise Discrepancy(
                "fold", f"seat {event.seat} took {taken} cards where {count} were owed to seat {seat}"
            )
        self._owed = (seat, count - taken)


def _purpose(state: GameState) -> str:
    return "reveal" if state.phase in _REVEALING else "draw"


def _usual(rules: Rules, state: GameState) -> int:
    """How many cards are taken at once in this phase."""
    return rules.setup.reveal if _purpose(state) == "reveal" else rules.setup.draw
