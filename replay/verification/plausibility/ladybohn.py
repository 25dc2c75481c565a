"""On which tables the events of `ladybohn` are plausible."""

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.systems.ladybohn.coins_from_piles import is_paid_from_piles
from events.rules.systems.ladybohn.table import LadybohnTable
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.unknown import Checks, may_be


def _table(state: GameState) -> LadybohnTable:
    return state.ladybohn or LadybohnTable()


def _moved(rules: Rules, state: GameState, event: e.MissMoved) -> None:
    field = state.seats[event.seat].fields[event.field]
    if not 0 <= event.miss < event.miss + event.places < len(field):
        raise Discrepancy("fold", f"nothing on field {event.field} moves so from place {event.miss}")
    if rules.beans[field[event.miss]].sex != "female":
        raise Discrepancy("fold", f"place {event.miss} of field {event.field} is no miss's")
    if event.owed:
        _was_open(rules, state, event)


def _was_open(_rules: Rules, state: GameState, event: e.MissMoved | e.MissMovesLapsed) -> None:
    if (event.seat, event.field) not in _table(state).moves:
        raise Discrepancy("fold", f"seat {event.seat} had no move open on field {event.field}")


def _opened(rules: Rules, state: GameState, event: e.MissMoveOpened) -> None:
    field = state.seats[event.seat].fields[event.field]
    if not any(rules.beans[card].sex == "female" for card in field):
        raise Discrepancy("fold", f"no miss grows on field {event.field} of seat {event.seat}")


def _paid(rules: Rules, state: GameState, event: e.FieldPaidFromPiles) -> None:
    field = state.seats[event.seat].fields[event.field]
    if not field or event.cards != field:
        raise Discrepancy("scores", f"field {event.field} of seat {event.seat} held other cards")
    if not is_paid_from_piles(rules, field):
        raise Discrepancy("scores", f"field {event.field} of seat {event.seat} is paid with its own cards")
    due = rules.coins_for(field)
    discards = state.discard_pile[::-1][:due]
    drawn = state.draw_pile[: due - len(discards)]
    rest = min(len(field), due - len(discards) - len(drawn))
    if event.from_discard_pile != discards or event.from_field != rest:
        raise Discrepancy("scores", f"the {due} coins for field {event.field} do not come from these places")
    if not may_be(event.from_draw_pile, drawn):
        raise Discrepancy("fold", "the coins did not lie on top of the draw pile")


def _shown(_rules: Rules, state: GameState, event: e.CoinsShown) -> None:
    unseen = {place for seat, place in _table(state).unseen if seat == event.seat}
    if len(set(event.places)) != len(event.places) or not unseen.issuperset(event.places):
        raise Discrepancy("fold", f"not all of the coins {list(event.places)} were unseen")
    coins = state.seats[event.seat].coins
    if not may_be(event.cards, tuple(coins[place] for place in event.places)):
        raise Discrepancy("fold", "the coins shown are not those that lay there")


CHECKS: Checks = {
    e.MissMoved: _moved,
    e.MissMoveOpened: _opened,
    e.MissMovesLapsed: _was_open,
    e.FieldPaidFromPiles: _paid,
    e.CoinsShown: _shown,
}
