"""Babies and misses of `ladybohn`: who plants a baby on a field with a miss may move a miss there.

In phases 1 and 3 the move is part of the planting. A traded baby whose family the receiver grows is planted by the
trade itself; the move that it leaves is a command of its own, open for a while.
"""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move
from events.rules.phases import trading, turn
from events.rules.phases.planting import (
    PLANTINGS,
    card_aside,
    check_field,
    end_planting_aside,
    front_card,
    open_fields,
)
from events.rules.systems.ladybohn.errors import BadMove, NoMoveOpen, NotABaby, NotAMiss, SameFieldTwice
from events.rules.systems.ladybohn.table import table_of
from events.rules.table.state import Field, GameState

FARTHEST = 2
"""How many places a miss is moved at most."""


def begin_turn(move: Move, seat: int) -> None:
    """Begin the next turn; moves left open by the trades of the last one lapse."""
    lapse_moves(move)
    turn.begin_turn(move, seat)


# --- phase 1: from the hand --------------------------------------------------------------------------------


def plant(move: Move, command: c.Plant) -> None:
    """Plant the front card of the hand, and with a baby perhaps move a miss."""
    card = front_card(move)
    check_field(move, command.field, card)
    if is_barred(move.state, command.field):
        raise SameFieldTwice(
            f"Field {command.field} got your first bean of this turn; the second must go to another field,"
            " or you reveal cards now."
        )
    _check_planting(move, command, card)
    move.emit(e.BeanPlanted(move.seat, command.field, card))
    _after_planting(move, command, card)
    if move.state.planted == PLANTINGS or not move.own.hand:
        move.emit(e.PhaseBegan("reveal"))
    elif move.rules.options["phase1_distinct_fields"]:
        move.emit(e.FieldBarred(move.seat, command.field))


def is_barred(state: GameState, field: int) -> bool:
    """Whether the field may not get the second bean of phase 1."""
    return state.planted > 0 and table_of(state).barred == field


def legal_plants(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """The front card on each field that may take it, with and without every move of a miss."""
    own = state.seats[seat]
    if own.hand and state.planted < PLANTINGS:
        card = own.hand[0][1]
        for number in open_fields(rules, own.fields, card):
            if not is_barred(state, number):
                yield c.Plant(number)
                for miss, places in _moves(rules, own.fields[number], card):
                    yield c.Plant(number, miss, places)


# --- phase 2: babies in trades -----------------------------------------------------------------------------


def accept(move: Move, command: c.Accept) -> None:
    """Make the trade; then the babies in it are planted where the receiver grows their family."""
    trading.accept(move, command)
    for event in tuple(move.events):
        if isinstance(event, e.TradeMade):
            _plant_babies(move, event.active, len(event.partner_cards))
            _plant_babies(move, event.partner, len(event.active_cards))


def _plant_babies(move: Move, seat: int, received: int) -> None:
    aside = move.state.seats[seat].aside
    for number, card in aside[len(aside) - received :]:
        fields = move.state.seats[seat].fields
        growing = next((place for place, field in enumerate(fields) if _grows(move.rules, field, card)), None)
        if growing is not None and _is(move.rules, card, "baby"):
            move.emit(e.AsidePlanted(seat, number, growing, card))
            if any(_is(move.rules, each, "female") for each in fields[growing]):
                move.emit(e.MissMoveOpened(seat, growing))


def move_miss(move: Move, command: c.MoveMiss) -> None:
    """Use a move that a trade has left."""
    field = move.field(command.field)
    if (move.seat, command.field) not in table_of(move.state).moves:
        raise NoMoveOpen(f"No miss of field {command.field} may be moved now: no trade planted a baby there.")
    _check_move(move.rules, field, command.miss, command.places)
    move.emit(e.MissMoved(move.seat, command.field, command.miss, command.places, owed=True))


def legal_moves(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every move of a miss on each field for which one is open."""
    for owner, number in dict.fromkeys(table_of(state).moves):
        if owner == seat:
            for miss, places in _ways(rules, state.seats[seat].fields[number]):
                yield c.MoveMiss(number, miss, places)


def lapse_moves(move: Move) -> None:
    """All open moves lapse."""
    for seat, field in dict.fromkeys(table_of(move.state).moves):
        move.emit(e.MissMovesLapsed(seat, field))


def lapse_moves_on(move: Move, field: int) -> None:
    """The acting player's open moves on this field lapse."""
    if (move.seat, field) in table_of(move.state).moves:
        move.emit(e.MissMovesLapsed(move.seat, field))


# --- phase 3: what lies aside ------------------------------------------------------------------------------


def plant_aside(move: Move, command: c.PlantAside) -> None:
    """Plant a card that lies aside, and with a baby perhaps move a miss."""
    card = card_aside(move, command.card)
    check_field(move, command.field, card)
    _check_planting(move, command, card)
    move.emit(e.AsidePlanted(move.seat, command.card, command.field, card))
    _after_planting(move, command, card)
    end_planting_aside(move)


def legal_plants_aside(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every card that lies aside on each field that may take it, with and without every move of a miss."""
    own = state.seats[seat]
    for card_number, card in own.aside:
        for number in open_fields(rules, own.fields, card):
            yield c.PlantAside(card_number, number)
            for miss, places in _moves(rules, own.fields[number], card):
                yield c.PlantAside(card_number, number, miss, places)


# --- moving a miss -----------------------------------------------------------------------------------------


def _check_planting(move: Move, command: c.Plant | c.PlantAside, card: e.Card) -> None:
    """Refuse what planting this card cannot do besides."""
    if command.miss is None and not command.places:
        return
    if not _is(move.rules, card, "baby"):
        raise NotABaby(f"Only planting a baby moves a miss; a {card} bean is none.")
    _check_move(move.rules, (*move.field(command.field), card), command.miss, command.places)


def _check_move(rules: Rules, field: Field, miss: int | None, places: int) -> None:
    if miss is None or not 0 <= miss < len(field) or not _is(rules, field[miss], "female"):
        there = ", ".join(str(place) for place, card in enumerate(field) if _is(rules, card, "female"))
        raise NotAMiss(
            f"Name the place of a miss, counted from 0 at the bottom; on this field"
            f" {f'misses lie at {there}' if there else 'lies none'}."
        )
    if not 1 <= places <= FARTHEST or miss + places >= len(field):
        raise BadMove(
            f"A miss moves one or two places towards the top, which is place {len(field) - 1} here, not beyond it."
        )


def _after_planting(move: Move, command: c.Plant | c.PlantAside, card: e.Card) -> None:
    if command.miss is not None:
        move.emit(e.MissMoved(move.seat, command.field, command.miss, command.places))
    if not _is(move.rules, card, "baby"):
        lapse_moves_on(move, command.field)


def _moves(rules: Rules, field: Field, card: e.Card) -> Iterator[tuple[int, int]]:
    """The moves that planting this card on the field allows."""
    return _ways(rules, (*field, card)) if _is(rules, card, "baby") else iter(())


def _ways(rules: Rules, field: Field) -> Iterator[tuple[int, int]]:
    """Each miss and how far she can be moved."""
    for miss, card in enumerate(field):
        if _is(rules, card, "female"):
            for places in range(1, min(FARTHEST, len(field) - 1 - miss) + 1):
                yield miss, places


def _is(rules: Rules, card: e.Card, sex: str) -> bool:
    return rules.beans[card].sex == sex


def _grows(rules: Rules, field: Field, card: e.Card) -> bool:
    return bool(field) and rules.variety[field[-1]] == rules.variety[card]


PLANT = Rule(plant, legal_plants)
ACCEPT = Rule(accept, trading.legal_acceptances, active_only=False)
PLANT_ASIDE = Rule(plant_aside, legal_plants_aside, active_only=False)
MOVE_MISS = Rule(move_miss, legal_moves, active_only=False)
