"""The end of `ladybohn-expansion`: the other fields, then all make-up fields at once, then the levies."""

from collections.abc import Iterator

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.move import Move
from events.rules.phases.turn import count_coins
from events.rules.systems.ladybohn_expansion.make_up import (
    FOR_A_LEVY,
    MOST_PAYERS,
    grows_make_up,
    is_make_up,
    is_quota_field,
    pay,
)
from events.rules.systems.ladybohn_expansion.table import table_of
from events.rules.table.state import Field

Step = tuple[int, int | None]
"""The field to harvest, and the field to rotate then."""


def end_game(move: Move, reason: str) -> None:
    """Harvest everything, take the levies, count the coins: seats clockwise from the active player."""
    players = move.rules.players
    seats = [(move.state.active + step) % players for step in range(players)]
    for seat in seats:
        _harvest_others(move, seat)
    protected = {seat for seat in seats if grows_make_up(move.rules, move.state.seats[seat])}
    for seat in seats:
        _harvest_make_up(move, seat)
    for seat in seats:
        for _ in range(table_of(move.state).levies.count(seat)):
            _levy(move, seat, protected)
    count_coins(move, reason)


def _harvest_others(move: Move, seat: int) -> None:
    fields = move.state.seats[seat].fields
    quota = next((number for number in range(len(fields)) if is_quota_field(move.state, seat, number)), None)
    for number, rotated in best_order(move.rules, fields, quota):
        field = move.state.seats[seat].fields[number]
        coins = pay(move.rules, field, quota=number == quota)
        move.emit(e.FieldHarvested(seat, number, field, coins, final=True))
        if rotated is not None:
            move.emit(e.FieldRotated(seat, rotated, move.state.seats[seat].fields[rotated][-1]))


def best_order(rules: Rules, fields: tuple[Field, ...], quota: int | None) -> tuple[Step, ...]:
    """The order of harvesting all but make-up beans, with the rotations, that earns most.

    Among equal ones the order with the lowest field numbers first; then the fewest and earliest fields rotated.
    """

    def preference(way: tuple[int, tuple[Step, ...]]) -> tuple[int, list[int], list[int]]:
        coins, steps = way
        rotations = [-1 if rotated is None else rotated for _, rotated in steps]
        return -coins, [number for number, _ in steps], rotations

    return min(_ways(rules, fields, quota), key=preference)[1]


def _ways(
    rules: Rules, fields: tuple[Field, ...], quota: int | None
) -> Iterator[tuple[int, tuple[Step, ...]]]:
    """Every way to harvest these fields, with the coins it earns."""
    left = [number for number, field in enumerate(fields) if field and not is_make_up(rules, field)]
    if not left:
        yield 0, ()
    for number in left:
        coins = pay(rules, fields[number], quota=number == quota)
        rest = (*fields[:number], (), *fields[number + 1 :])
        for rotated in (None, *(other for other in left if len(rest[other]) > 1)):
            for more, steps in _ways(rules, _rotate(rest, rotated), quota):
                yield coins + more, ((number, rotated), *steps)


def _rotate(fields: tuple[Field, ...], number: int | None) -> tuple[Field, ...]:
    if number is None:
        return fields
    field = fields[number]
    return (*fields[:number], (field[-1], *field[:-1]), *fields[number + 1 :])


def _harvest_make_up(move: Move, seat: int) -> None:
    """Five or more always pay a coin and a levy now; a third field is of no use any more."""
    for number, field in enumerate(move.state.seats[seat].fields):
        if is_make_up(move.rules, field):
            levy = len(field) >= FOR_A_LEVY
            move.emit(e.FieldHarvested(seat, number, field, int(levy), final=True))
            if levy:
                move.emit(e.LevyEarned(seat))


def _levy(move: Move, owner: int, protected: set[int]) -> None:
    """Take from all who can be named, or from the richest three of them; ties clockwise from the owner."""
    state, players = move.state, move.rules.players
    spared = table_of(state).spared_by(owner)
    candidates = [
        seat
        for seat in range(players)
        if seat != owner and state.seats[seat].coins and seat not in protected.union(spared)
    ]
    candidates.sort(key=lambda seat: (-len(state.seats[seat].coins), (seat - owner) % players))
    payers = tuple(candidates[:MOST_PAYERS])
    coins = tuple(state.seats[seat].coins[-1] for seat in payers)
    move.emit(e.CoinsLevied(owner, payers, coins, spared, final=True))
