"""Where a bean may be planted, and the two phases of planting: from the hand (1) and what lies aside (3)."""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move, card_named, name_cards
from events.rules.table.state import Field, GameState

PLANTINGS = 2
"""How many cards may be planted from the hand in one turn; the first is a must."""


def open_fields(rules: Rules, fields: tuple[Field, ...], card: e.Card) -> tuple[int, ...]:
    """The fields that may take the card: the one where its variety grows, else every empty one.

    Under the option `duplicate_fields` an empty field may also take a variety that grows elsewhere.
    """
    if rules.system.fields_for is not None:
        return rules.system.fields_for(rules, fields, card)
    variety = rules.variety
    growing = tuple(
        number for number, field in enumerate(fields) if field and variety[field[-1]] == variety[card]
    )
    if growing and not rules.options.get("duplicate_fields"):
        return growing
    return growing + tuple(number for number, field in enumerate(fields) if not field)


def check_field(move: Move, number: int, card: e.Card) -> None:
    """Refuse a field that may not take the card.

    Raises:
        NoSuchField, FieldHoldsOtherBean, VarietyGrowsElsewhere
    """
    field = move.field(number)
    allowed = open_fields(move.rules, move.own.fields, card)
    if number in allowed:
        return
    if field:
        raise errors.FieldHoldsOtherBean(
            f"Field {number} grows {field[-1]} on top; a {card} bean cannot be planted there."
            f" {_advice(move, allowed)}"
        )
    raise errors.VarietyGrowsElsewhere(
        f"You grow {card} on field {allowed[0]} and must plant it there, not on field {number}."
    )


def _advice(move: Move, allowed: tuple[int, ...]) -> str:
    if allowed:
        return f"It can go on field {' or '.join(map(str, allowed))}."
    if _can_buy(move):
        return "Harvest a field or buy the third one to make room."
    return "Harvest a field to make room."


def _can_buy(move: Move) -> bool:
    rule = move.rules.system.any_time.get(c.BuyField)
    if rule is None or (rule.active_only and move.seat != move.state.active):
        return False
    return any(rule.legal(move.rules, move.state, move.seat))


def refuse_miss(command: c.Plant | c.PlantAside) -> None:
    """Refuse a planting that moves a miss, where there are none.

    Raises:
        NotInThisGame
    """
    if command.miss is not None or command.places:
        raise errors.NotInThisGame(
            "In this game a planting moves no other card: leave `miss` and `places` out."
        )


# --- phase 1: from the hand --------------------------------------------------------------------------------


def plant(move: Move, command: c.Plant) -> None:
    """Plant the front card of the hand; the second planting, or the last card, ends the phase."""
    refuse_miss(command)
    plant_front_card(move, command.field)
    if move.state.planted == PLANTINGS or not move.own.hand:
        move.emit(e.PhaseBegan("reveal"))


def plant_front_card(move: Move, field: int) -> None:
    """Plant the front card of the hand on a field."""
    card = front_card(move)
    check_field(move, field, card)
    move.emit(e.BeanPlanted(move.seat, field, card))


def front_card(move: Move) -> e.Card:
    """The card to be planted from the hand.

    Raises:
        PlantedEnough, HandEmpty
    """
    if move.state.planted >= PLANTINGS:
        raise errors.PlantedEnough(
            "You have planted two beans from your hand in this turn; reveal cards now."
        )
    if not move.own.hand:
        raise errors.HandEmpty("Your hand is empty; reveal cards now.")
    return move.own.hand[0][1]


def legal_plants(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """One planting of the front card for each field that may take it."""
    own = state.seats[seat]
    if own.hand and state.planted < PLANTINGS:
        for field in open_fields(rules, own.fields, own.hand[0][1]):
            yield c.Plant(field)


# --- phase 3: what lies aside ------------------------------------------------------------------------------


def plant_aside(move: Move, command: c.PlantAside) -> None:
    """Plant a card that lies aside; the phase ends with the last one of all players."""
    refuse_miss(command)
    card = card_aside(move, command.card)
    check_field(move, command.field, card)
    move.emit(e.AsidePlanted(move.seat, command.card, command.field, card))
    end_planting_aside(move)


def card_aside(move: Move, number: int) -> e.Card:
    """The card of this number that lies aside before the acting player.

    Raises:
        NotAside
    """
    card = card_named(move.own.aside, number)
    if card is None:
        raise errors.NotAside(
            f"No card {number} lies aside before you; there is {name_cards(move.own.aside)}."
        )
    return card


def end_planting_aside(move: Move) -> None:
    """Go on to phase 4, or end the game, as soon as nothing lies aside."""
    if not move.state.revealed and not any(seat.aside for seat in move.state.seats):
        move.rules.system.flow.after_planting_aside(move)


def legal_plants_aside(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every card that lies aside on every field that may take it."""
    own = state.seats[seat]
    for number, card in own.aside:
        for field in open_fields(rules, own.fields, card):
            yield c.PlantAside(number, field)


PLANT = Rule(plant, legal_plants)
PLANT_ASIDE = Rule(plant_aside, legal_plants_aside, active_only=False)
