"""Selling and buying in `ladybohn`: a miss that pays more than her field has cards takes the coins from the piles.

Coins off the draw pile are seen by nobody, until they are spent or the game ends.
"""

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rule, Rules
from events.rules.errors.printed_rules import Topic
from events.rules.move import Move
from events.rules.phases.any_time import (
    legal_harvests,
    legal_purchases,
    only_field,
    third_field_price,
)
from events.rules.phases.turn import end_game, exhausted_for_good, grown_fields
from events.rules.systems.ladybohn.babies import lapse_moves, lapse_moves_on
from events.rules.systems.ladybohn.table import table_of
from events.rules.table.addition import DRAW_PILE
from events.rules.table.state import Field, GameState


def harvest(move: Move, command: c.Harvest) -> None:
    """Sell a whole field by the beanometer of its top card.

    Coins from the draw pile can exhaust it. What is shuffled then are the beans discarded with this harvest, at the
    next draw; and where phase 4 is all that is left of the turn, the last exhaustion ends the game at once.
    """
    field = only_field(move, command)
    _sell(move, move.seat, command.field, field, final=False)
    lapse_moves_on(move, command.field)
    if move.state.phase == "draw" and exhausted_for_good(move):
        end_game(move, "exhausted_before_drawing")


def final_harvest(move: Move) -> None:
    """Sell all fields, those paid from the piles last of all; then every coin lies open."""
    lapse_moves(move)
    fields = grown_fields(move)
    from_piles = {(seat, number) for seat, number, field in fields if is_paid_from_piles(move.rules, field)}
    for seat, number, field in sorted(fields, key=lambda each: each[:2] in from_piles):
        _sell(move, seat, number, field, final=True)
    for seat in range(move.rules.players):
        _show_coins(move, seat, 0)


def is_paid_from_piles(rules: Rules, field: Field) -> bool:
    """Whether the coins for the field come from the piles: its pay exceeds it, or its top card says so."""
    return field[-1] in rules.setup.paid_from_piles or rules.coins_for(field) > len(field)


def may_pay(rules: Rules, state: GameState, harvest: e.FieldHarvested) -> tuple[int, ...]:
    """How many coins a harvest can bring; none at all where they come from the piles, which is another event."""
    field = state.seats[harvest.seat].fields[harvest.field]
    return () if is_paid_from_piles(rules, field) else (rules.coins_for(field),)


def _sell(move: Move, seat: int, number: int, field: Field, *, final: bool) -> None:
    coins = move.rules.coins_for(field)
    if not is_paid_from_piles(move.rules, field):
        move.emit(e.FieldHarvested(seat, number, field, coins, final))
        return
    discards = move.state.discard_pile[::-1][:coins]
    drawn = move.state.draw_pile[: coins - len(discards)]
    missing = coins - len(discards) - len(drawn)
    move.emit(e.FieldPaidFromPiles(seat, number, field, discards, drawn, min(missing, len(field)), final))
    if drawn and not move.state.draw_pile and not final:
        move.emit(e.PileExhausted(DRAW_PILE, move.state.exhaustions + 1))


def buy_field(move: Move, _command: c.BuyField) -> None:
    """Buy one of the third fields; coins that nobody has seen are shown as they are spent."""
    paid = third_field_price(move)
    _show_coins(move, move.seat, len(move.own.coins) - len(paid))
    move.emit(e.ThirdFieldBought(move.seat, paid))


def _show_coins(move: Move, seat: int, lowest: int) -> None:
    """Show the unseen coins of a stack from this place upwards."""
    places = tuple(place for owner, place in table_of(move.state).unseen if owner == seat and place >= lowest)
    if places:
        coins = move.state.seats[seat].coins
        move.emit(e.CoinsShown(seat, places, tuple(coins[place] for place in places)))


HARVEST = Rule(harvest, legal_harvests, active_only=False)
BUY_FIELD = Rule(buy_field, legal_purchases, topic=Topic.THIRD_FIELD)
