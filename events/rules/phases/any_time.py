"""What every player may do between any two commands: harvest, buy the third field, talk."""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.definition.forms import TEXT_LENGTH, Form, SayForm, speakable
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move
from events.rules.table.state import Field, GameState, Seat


def harvest(move: Move, command: c.Harvest) -> None:
    """Sell a whole field by its beanometer; it may pay nothing."""
    field = only_field(move, command)
    move.emit(e.FieldHarvested(move.seat, command.field, field, move.rules.coins_for(field)))


def only_field(move: Move, command: c.Harvest) -> Field:
    """The field that is to be harvested, where a harvest names a field and nothing else.

    Raises:
        NotInThisGame, NoSuchField, FieldEmpty, BeanProtected
    """
    if command.rotate is not None or command.reward:
        raise errors.NotInThisGame(
            "In this game a harvest names a field and nothing else: leave `rotate` and `reward` out."
        )
    return ripe_field(move, command.field)


def ripe_field(move: Move, number: int) -> Field:
    """The field that is to be harvested, which must hold something and not be protected.

    Raises:
        NoSuchField, FieldEmpty, BeanProtected
    """
    field = move.field(number)
    if not field:
        raise errors.FieldEmpty(f"Nothing grows on field {number}, so there is nothing to harvest.")
    protection = protection_at(move.rules)
    if not may_harvest(move.own, number, protection):
        raise errors.BeanProtected(
            f"Field {number} holds a single {field[0]} bean, which is protected: {_PROTECTION[protection]}."
        )
    return field


def protection_at(rules: Rules) -> str:
    """How beans are protected at this table; where there is no choice, as the letter of that booklet has it."""
    return str(rules.options.get("bean_protection", "lenient"))


_PROTECTION = {
    "lenient": "harvest a field with two or more beans instead",
    "strict": "it may be sold only while every field of yours holds exactly one bean",
}


def may_harvest(seat: Seat, number: int, protection: str) -> bool:
    """Whether the field may be harvested: a single bean is protected.

    `lenient`: while another field of the player holds two or more; `strict`: unless every field holds exactly one.
    """
    if len(seat.fields[number]) != 1:
        return bool(seat.fields[number])
    if protection == "strict":
        return all(len(field) == 1 for field in seat.fields)
    return all(len(field) <= 1 for field in seat.fields)


def legal_harvests(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every field that is not empty and not protected."""
    protection = protection_at(rules)
    own = state.seats[seat]
    for number in range(len(own.fields)):
        if may_harvest(own, number, protection):
            yield c.Harvest(number)


def buy_field(move: Move, _command: c.BuyField) -> None:
    """Buy the third field, once: the top coins of the stack go face up to the discard pile, top first."""
    paid = third_field_price(move)
    move.emit(e.ThirdFieldBought(move.seat, paid, move.rules.setup.third_field_boxed))


def third_field_price(move: Move) -> tuple[e.Card, ...]:
    """The coins for the third field of the acting player, top first.

    Raises:
        ThirdFieldNotForSale, ThirdFieldOwned, NoThirdFieldLeft, NotEnoughCoins
    """
    price = move.rules.setup.third_field_price
    if price is None:
        raise errors.ThirdFieldNotForSale(
            "In this game everybody has three fields from the start; there is no other."
        )
    if move.own.third_field:
        raise errors.ThirdFieldOwned("You have your third field already; nobody gets a fourth.")
    if not third_fields_left(move.rules, move.state):
        raise errors.NoThirdFieldLeft(
            f"There are only {move.rules.setup.third_fields} third fields, and others have bought them all."
        )
    if len(move.own.coins) < price:
        raise errors.NotEnoughCoins(f"The third field costs {price} coins; you have {len(move.own.coins)}.")
    return move.own.coins[: -price - 1 : -1]


def third_fields_left(rules: Rules, state: GameState) -> bool:
    """Whether there is a third field left to buy."""
    most = rules.setup.third_fields
    return most is None or sum(seat.third_field for seat in state.seats) < most


def legal_purchases(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Once, with coins enough."""
    own = state.seats[seat]
    price = rules.setup.third_field_price
    if (
        price is not None
        and not own.third_field
        and third_fields_left(rules, state)
        and len(own.coins) >= price
    ):
        yield c.BuyField()


def say(move: Move, command: c.Say) -> None:
    """Table talk."""
    if not speakable(command.text):
        raise errors.BadText(
            f"Say 1 to {TEXT_LENGTH} characters, not only spaces, without line breaks or control characters."
        )
    move.emit(e.Talked(move.seat, command.text))


def legal_talk(_rules: Rules, _state: GameState, _seat: int) -> Iterator[Form]:
    """Always."""
    yield SayForm()


HARVEST = Rule(harvest, legal_harvests, active_only=False)
BUY_FIELD = Rule(buy_field, legal_purchases, active_only=False)
SAY = Rule(say, legal_talk, active_only=False)
