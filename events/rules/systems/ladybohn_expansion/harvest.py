"""Harvesting with a rotation, make-up beans, and the third field, at any time of `ladybohn-expansion`."""

from collections.abc import Iterator

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rule, Rules
from events.rules.move import Move
from events.rules.phases import any_time
from events.rules.systems.ladybohn_expansion.errors import BadReward, CannotRotate
from events.rules.systems.ladybohn_expansion.levies import after_interruption
from events.rules.systems.ladybohn_expansion.make_up import (
    FOR_A_FIELD,
    FOR_A_LEVY,
    claim_quota_field,
    is_make_up,
    is_quota_field,
    pay,
)
from events.rules.table.state import Field, GameState, Seat

ROTATABLE = 2
"""A field of fewer cards cannot be rotated."""


def harvest(move: Move, command: c.Harvest) -> None:
    """Sell a whole field, take what make-up beans bring, and rotate another field if asked."""
    field = any_time.ripe_field(move, command.field)
    offered = rewards(move.rules, move.own, field)
    if command.reward not in offered:
        raise BadReward(f"{_REWARDS[offered]}, not {command.reward!r}.")
    _check_rotation(move, command)
    if is_make_up(move.rules, field):
        _harvest_make_up(move, command, field)
    else:
        coins = pay(move.rules, field, quota=is_quota_field(move.state, move.seat, command.field))
        move.emit(e.FieldHarvested(move.seat, command.field, field, coins))
    if command.rotate is not None:
        move.emit(e.FieldRotated(move.seat, command.rotate, move.field(command.rotate)[-1]))


def rewards(rules: Rules, seat: Seat, field: Field) -> tuple[str, ...]:
    """What a harvest may name as its reward: with five or more make-up beans, and no third field, it must."""
    if not is_make_up(rules, field) or len(field) < FOR_A_LEVY:
        return ("",)
    return ("", "coin") if seat.third_field else ("field", "coin")


_REWARDS = {
    ("",): "This harvest leaves no choice of a reward: name none",
    (
        "",
        "coin",
    ): "You have a third field, so this harvest brings a coin and a levy: name 'coin' or nothing as reward",
    ("field", "coin"): "Name as reward 'field' for a third field, or 'coin' for a coin and a levy",
}


def _harvest_make_up(move: Move, command: c.Harvest, field: Field) -> None:
    levy = len(field) >= FOR_A_LEVY and command.reward != "field"
    owned = move.own.third_field
    move.emit(e.FieldHarvested(move.seat, command.field, field, int(levy)))
    if levy:
        move.emit(e.LevyEarned(move.seat))
    elif len(field) >= FOR_A_FIELD and not owned:
        move.emit(e.ThirdFieldWon(move.seat))
        claim_quota_field(move)


def _check_rotation(move: Move, command: c.Harvest) -> None:
    if command.rotate is None:
        return
    rotated = move.field(command.rotate)
    if command.rotate == command.field:
        raise CannotRotate("The field that is harvested cannot be rotated: name another one, or none.")
    if len(rotated) < ROTATABLE:
        raise CannotRotate(
            f"Field {command.rotate} holds fewer than two cards: there is nothing to rotate on it."
        )


def legal_harvests(rules: Rules, state: GameState, seat: int) -> Iterator[c.Command]:
    """Every field that may be harvested, with every reward it offers, without and with every rotation."""
    own = state.seats[seat]
    protection = any_time.protection_at(rules)
    for number, field in enumerate(own.fields):
        if any_time.may_harvest(own, number, protection):
            for reward in rewards(rules, own, field):
                yield c.Harvest(number, None, reward)
                for other in rotatable(own.fields, number):
                    yield c.Harvest(number, other, reward)


def rotatable(fields: tuple[Field, ...], harvested: int) -> Iterator[int]:
    """The fields that may be rotated when this one is harvested."""
    for number, field in enumerate(fields):
        if number != harvested and len(field) >= ROTATABLE:
            yield number


def buy_field(move: Move, command: c.BuyField) -> None:
    """Buy the third field; the first one in the game is the quota field.

    The coins paid may have been the last ones that a levy could take.
    """
    any_time.buy_field(move, command)
    claim_quota_field(move)
    after_interruption(move)


HARVEST = Rule(harvest, legal_harvests, active_only=False)
BUY_FIELD = Rule(buy_field, any_time.legal_purchases, active_only=False)
