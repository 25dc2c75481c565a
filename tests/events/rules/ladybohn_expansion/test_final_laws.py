"""Laws of the final harvest over random last turns: what happens is compared with everything that could."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import permutations, product, starmap

import pytest

from events import commands as c
from events import domain_events as e
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.decide import play
from events.rules.move import Move
from events.rules.table.state import Field, GameState
from tests.events.rules.ladybohn_expansion.tables import GARDEN, MAKE_UP, RED, SYSTEM, last_turn
from tests.support.strategies import Dice
from tests.support.tables import all_cards

Way = tuple[int, tuple[int, ...], tuple[int, ...]]
"""Coins, the fields in the order of their harvests, and which field is rotated after each, -1 for none."""

NONE = -1
"""No field is rotated."""
BEANS = {bean.card: bean for bean in shipped_catalogue(SYSTEM).beans}
GROWN = [
    (f"{family}_male", f"{family}_female") for family in ("blue", "chili", "stink", "green", "soy", "red")
]
SIZES = (0, 1, 2, 2, 2, 3, 3, 4, 5, 6, 7)
"""Small fields are where a rotation is worth most."""
GAMES = [(players, seed) for players in (3, 4, 5) for seed in range(30)]
every_game = pytest.mark.parametrize(("players", "seed"), GAMES)


@cache
def played(players: int, seed: int) -> tuple[GameState, Move]:
    """A random last turn, which waits for its last command, and this command of seat 0."""
    dice = Dice(f"last turn {players} {seed}")
    fields = [_some_fields(dice) for _ in range(players)]
    thirds = [seat for seat in range(players) if len(fields[seat]) == 3]
    at = last_turn(
        *fields,
        coins=tuple((RED,) * dice.below(4) for _ in range(players)),
        quota=dice.pick(thirds) if thirds else None,
        levies=dice.some([*range(1, players)] * 2, 3),
        promises=tuple(pair for pair in permutations(range(players), 2) if dice.chance(20)),
    )
    return at.state, play(at.rules, at.state, 0, c.Draw())


def _some_fields(dice: Dice) -> tuple[Field, ...]:
    """Two or three fields of different varieties; some are empty, some hold make-up beans."""
    varieties = dict.fromkeys(dice.some([*GROWN, *GROWN, (GARDEN,), (MAKE_UP,), (MAKE_UP,)], 3))
    fields = [tuple(dice.pick(variety) for _ in range(dice.pick(SIZES))) for variety in varieties]
    return tuple([*fields, (), ()][: max(2, len(fields))])


# --- the order and the rotations ---------------------------------------------------------------------------


@every_game
def test_every_order_and_every_rotation_is_weighed(players: int, seed: int) -> None:
    """House: what earns most; among equal ones the lowest field numbers first, and no rotation before one."""
    before, move = played(players, seed)
    for seat, owner in enumerate(before.seats):
        quota = before.ladybohn_expansion is not None and before.ladybohn_expansion.quota == seat
        ways = sorted(_every_way(owner.fields, quota=quota), key=lambda way: (-way[0], *way[1:]))
        chosen = _chosen(move, seat)
        assert chosen == ways[0]
        assert _rotations(chosen) == min(_rotations(way) for way in ways if way[:2] == chosen[:2])


def _every_way(fields: tuple[Field, ...], *, quota: bool) -> Iterator[Way]:
    """All ways to harvest what is no make-up bean: tried out one by one, whatever they earn."""
    sold = [number for number, field in enumerate(fields) if field and MAKE_UP not in field]
    for order in permutations(sold):
        for rotated in product((NONE, *range(len(fields))), repeat=len(order)):
            coins = _earned([*fields], order, rotated, quota=quota)
            if coins is not None:
                yield coins, order, rotated


def _earned(
    fields: list[Field], order: tuple[int, ...], rotated: tuple[int, ...], *, quota: bool
) -> int | None:
    """What this way earns; None where it rotates a field that cannot be."""
    coins = 0
    for number, turned in zip(order, rotated, strict=True):
        coins += _pay(fields[number], quota=quota and number == 2)
        fields[number] = ()
        if turned != NONE:
            if len(fields[turned]) < 2:
                return None
            fields[turned] = fields[turned][-1:] + fields[turned][:-1]
    return coins


def _pay(field: Field, *, quota: bool) -> int:
    if quota and not any(BEANS[card].sex == "female" for card in field):
        return 0
    steps = BEANS[field[-1]].beanometer
    return max((int(coins) for coins, needed in steps.items() if needed <= len(field)), default=0)


def _chosen(move: Move, seat: int) -> Way:
    coins, order, rotated = 0, list[int](), list[int]()
    for event in move.events:
        if isinstance(event, e.FieldHarvested) and event.seat == seat and MAKE_UP not in event.cards:
            coins += event.coins
            order.append(event.field)
            rotated.append(NONE)
        elif isinstance(event, e.FieldRotated) and event.seat == seat:
            rotated[-1] = event.field
    return coins, tuple(order), tuple(rotated)


def _rotations(way: Way) -> int:
    return sum(turned != NONE for turned in way[2])


# --- make-up beans and levies ------------------------------------------------------------------------------


@every_game
def test_final_levies_take_from_the_richest_who_can_be_named(players: int, seed: int) -> None:
    """House: at most three, the richest at that moment, ties clockwise; who grew make-up beans is protected."""
    before, move = played(players, seed)
    protected = {
        seat for seat, owner in enumerate(before.seats) if any(MAKE_UP in each for each in owner.fields)
    }
    for at, event in zip((before, *move.states), move.events, strict=False):
        if not isinstance(event, e.CoinsLevied):
            continue
        assert at.ladybohn_expansion is not None
        promised = {promise.to for promise in at.ladybohn_expansion.promises if promise.seat == event.seat}
        owners = {seat for seat, owner in enumerate(at.seats) if owner.coins}
        candidates = owners - protected - promised - {event.seat}
        assert {*event.payers} <= candidates
        assert len(event.payers) == min(3, len(candidates))
        assert {*event.spared} == promised
        worth = {
            seat: (-len(at.seats[seat].coins), (seat - event.seat) % len(at.seats)) for seat in candidates
        }
        assert [*event.payers] == sorted(candidates, key=lambda seat: worth[seat])[: len(event.payers)]


@every_game
def test_final_levies_are_those_pending_and_those_just_earned(players: int, seed: int) -> None:
    """House: each seat has as many as were pending and one for five make-up beans, clockwise from seat 0."""
    before, move = played(players, seed)
    assert before.ladybohn_expansion is not None
    due = Counter(before.ladybohn_expansion.levies)
    due.update(
        seat
        for seat, owner in enumerate(before.seats)
        if (MAKE_UP,) * 5 in {each[:5] for each in owner.fields}
    )
    assert [event.seat for event in move.events if isinstance(event, e.CoinsLevied)] == sorted(due.elements())


@every_game
def test_make_up_beans_come_after_all_others_and_levies_after_them(players: int, seed: int) -> None:
    """End of the game: three parts, in each the seats clockwise; in the end nothing grows, and no card is lost."""
    before, move = played(players, seed)
    parts = [(_part(event), event.seat) for event in move.events if isinstance(event, PARTS)]
    assert parts == sorted(parts)
    assert not any(field for seat in move.state.seats for field in seat.fields)
    assert all_cards(move.state) == all_cards(before)


PARTS = (e.FieldHarvested, e.FieldRotated, e.LevyEarned, e.CoinsLevied)


def _part(event: e.DomainEvent) -> int:
    if isinstance(event, e.CoinsLevied):
        return 3
    return 2 if isinstance(event, e.LevyEarned) or MAKE_UP in getattr(event, "cards", ()) else 1


def test_the_last_turns_hold_what_the_laws_are_about() -> None:
    """Rotations, ties, promises, protected seats and more than three who could pay all come up often."""
    seen = Counter[str]()
    for before, move in starmap(played, GAMES):
        assert before.ladybohn_expansion is not None
        levies = [event for event in move.events if isinstance(event, e.CoinsLevied)]
        seen["rotated"] += any(isinstance(event, e.FieldRotated) for event in move.events)
        seen["quota field"] += before.ladybohn_expansion.quota is not None
        seen["spared"] += any(event.spared for event in levies)
        seen["earned"] += any(isinstance(event, e.LevyEarned) for event in move.events)
        seen["three"] += any(len(event.payers) == 3 for event in levies)
        seen["none"] += any(not event.payers for event in levies)
        orders = [_chosen(move, seat)[1] for seat in range(len(before.seats))]
        seen["another order"] += any([*order] != sorted(order) for order in orders)
    assert min(seen.values()) >= 5, seen
    assert len(seen) == 7
