"""On which tables the events are plausible that several games have."""

from typing import Final

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.interventions.rulings import RULED_ENDS
from events.rules.phases.any_time import third_fields_left
from events.rules.phases.planting import open_fields
from events.rules.table.addition import DRAW_PILE
from events.rules.table.piles import shuffles_of
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.leaving import EARLY_ENDS, check_early_end
from replay.verification.plausibility.unknown import Checks, listed, may_be, ordinal
from replay.verification.rewindings import check_ruled_end

PLAYED_OUT: Final = frozenset(
    {"exhausted_before_drawing", "exhausted_while_drawing", "exhausted_in_this_turn"}
)
"""Reasons of ends that the rules of the games bring about."""
DRAWN_BY_LOT: Final = "random"
_Taken = e.HandDealt | e.CardsDrawn | e.CardsRevealed | e.CoinsDealt
_Planted = e.BeanPlanted | e.AsidePlanted | e.RevealedPlanted


def _started(rules: Rules, _state: GameState, event: e.GameStarted) -> None:
    if event.fields != rules.setup.fields:
        raise Discrepancy("fold", f"everybody starts with {rules.setup.fields} fields, not {event.fields}")


def _start_chosen(rules: Rules, _state: GameState, event: e.StartingSeatChosen) -> None:
    chosen = rules.options["start_seat"]
    if chosen not in (DRAWN_BY_LOT, event.seat):
        raise Discrepancy("fold", f"the options have seat {chosen} start, not seat {event.seat}")


def _shuffled(_rules: Rules, state: GameState, event: e.PileShuffled) -> None:
    if event.number != shuffles_of(state, event.pile) + 1:
        raise Discrepancy("fold", f"shuffle {event.number} comes after {shuffles_of(state, event.pile)}")
    if state.due is None or state.due.task != "shuffle" or state.due.pile != event.pile:
        raise Discrepancy("fold", "no shuffle was due")


def _exhausted(_rules: Rules, state: GameState, event: e.PileExhausted) -> None:
    if event.pile != DRAW_PILE or state.draw_pile or event.times != state.exhaustions + 1:
        raise Discrepancy(
            "fold", f"the draw pile is not exhausted, or not for the {ordinal(event.times)} time"
        )


def _turn_began(rules: Rules, state: GameState, event: e.TurnBegan) -> None:
    if event.turn != state.turn + 1:
        raise Discrepancy("fold", f"turn {event.turn} comes after turn {state.turn}")
    following = (state.active + 1) % rules.players if state.turn else state.start_seat
    if event.seat != following:
        raise Discrepancy("fold", f"turn {event.turn} is that of seat {following}, not of seat {event.seat}")


def taken(_rules: Rules, state: GameState, event: _Taken) -> None:
    """The cards must have lain on top of the draw pile.

    Raises:
        Discrepancy: of the check `fold`.
    """
    if not may_be(event.cards, state.draw_pile[: len(event.cards)]):
        raise Discrepancy("fold", f"{listed(event.cards)} did not lie on top of the draw pile")


def _drawn(rules: Rules, state: GameState, event: e.CardsDrawn | e.CardsRevealed) -> None:
    everybody = rules.setup.all_draw and isinstance(event, e.CardsDrawn)
    if event.seat != state.active and not everybody:
        raise Discrepancy("fold", f"seat {event.seat} took cards where it is the turn of seat {state.active}")
    taken(rules, state, event)


def check_field(rules: Rules, state: GameState, event: _Planted) -> None:
    """The field must be one that takes the card.

    Raises:
        Discrepancy: of the check `fold`.
    """
    known = event.card in rules.beans
    if not known or event.field not in open_fields(rules, state.seats[event.seat].fields, event.card):
        raise Discrepancy("fold", f"field {event.field} of seat {event.seat} does not take {event.card}")


def _planted(rules: Rules, state: GameState, event: e.BeanPlanted) -> None:
    hand = state.seats[event.seat].hand
    if not may_be((event.card,), tuple(card for _, card in hand[:1])):
        raise Discrepancy("fold", f"{event.card} was not the front card of the hand of seat {event.seat}")
    check_field(rules, state, event)


def _aside_planted(rules: Rules, state: GameState, event: e.AsidePlanted) -> None:
    if (event.number, event.card) not in state.seats[event.seat].aside:
        raise Discrepancy("fold", f"{event.card} did not lie aside as number {event.number}")
    check_field(rules, state, event)


def _harvested(rules: Rules, state: GameState, event: e.FieldHarvested) -> None:
    field = state.seats[event.seat].fields[event.field]
    if not field or event.cards != field:
        raise Discrepancy(
            "scores", f"seat {event.seat} harvested {listed(event.cards)}, but grew {listed(field)}"
        )
    allowed = rules.system.may_pay(rules, state, event)
    if not allowed:
        raise Discrepancy("scores", f"{listed(field)} are not paid with cards of the field")
    if event.coins not in allowed:
        shown = " or ".join(map(str, allowed))
        raise Discrepancy("scores", f"{listed(field)} pay {shown} coins, not {event.coins}")


def is_played_out(rules: Rules, state: GameState) -> bool:
    """Return whether the draw pile was exhausted as often as the game lasts."""
    return state.exhaustions >= rules.setup.exhaustions


def is_harvested(state: GameState) -> bool:
    """Return whether every field is empty."""
    return not any(field for seat in state.seats for field in seat.fields)


def _bought(rules: Rules, state: GameState, event: e.ThirdFieldBought) -> None:
    if not third_fields_left(rules, state):
        raise Discrepancy("scores", f"there are only {rules.setup.third_fields} third fields")
    price = rules.setup.third_field_price
    coins = state.seats[event.seat].coins
    if price is None:
        raise Discrepancy("scores", "no third field is for sale in this game")
    if state.seats[event.seat].third_field:
        raise Discrepancy("scores", f"seat {event.seat} has a third field already")
    if event.boxed != rules.setup.third_field_boxed:
        where = "the box" if rules.setup.third_field_boxed else "the discard pile"
        raise Discrepancy("scores", f"the coins paid for a third field go to {where}")
    if len(event.paid) != price or event.paid != coins[: -price - 1 : -1]:
        raise Discrepancy(
            "scores", f"{listed(event.paid)} are not the top {price} coins of seat {event.seat}"
        )


def _ended(rules: Rules, state: GameState, event: e.GameEnded) -> None:
    if event.reason in EARLY_ENDS:
        check_early_end(rules, state, event)
        return
    if state.status == "open":
        raise Discrepancy("fold", "a game that has not begun can only be closed")
    scores, winners = rules.count_result(state)
    if event.reason in RULED_ENDS:
        check_ruled_end(rules, event, scores)
        return
    if event.reason not in PLAYED_OUT or not is_played_out(rules, state):
        raise Discrepancy("fold", f"the game was not played out: {event.reason[:40]!r}")
    if not is_harvested(state):
        raise Discrepancy("fold", "the game ends where not everything is harvested")
    if event.scores != scores:
        raise Discrepancy("scores", f"the coin stacks hold {list(scores)}, not {list(event.scores)}")
    if event.winners != winners or event.unit != rules.system.unit:
        raise Discrepancy(
            "scores", f"with {list(scores)} {rules.system.unit} the winners are {list(winners)}"
        )


def _seated(_rules: Rules, state: GameState, event: e.SeatTaken) -> None:
    if event.seed and state.dealing is not None:
        raise Discrepancy("fold", "the deal is that of a round, and no seat brings a seed of its own")


CHECKS: Checks = {
    e.SeatTaken: _seated,
    e.GameStarted: _started,
    e.StartingSeatChosen: _start_chosen,
    e.PileShuffled: _shuffled,
    e.PileExhausted: _exhausted,
    e.HandDealt: taken,
    e.CardsDrawn: _drawn,
    e.CardsRevealed: _drawn,
    e.TurnBegan: _turn_began,
    e.BeanPlanted: _planted,
    e.AsidePlanted: _aside_planted,
    e.FieldHarvested: _harvested,
    e.ThirdFieldBought: _bought,
    e.GameEnded: _ended,
}
