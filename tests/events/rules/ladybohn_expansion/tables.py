"""Tables of `ladybohn-expansion` for tests: rules, and running games put together by hand."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.domain_events import Card
from events.game.table import Table, new_table
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.rule_system import Rules, rules_for
from events.rules.move import HOST
from events.rules.systems.ladybohn_expansion.table import Fan, LadybohnExpansionTable, LevyPromise
from events.rules.systems.registry import system_named
from events.rules.table.state import Field, Seat
from tests.support.given import Given, given
from tests.support.tables import STARTED, OptionValues, seat_with

SYSTEM = "ladybohn-expansion"
BLUE, BLUE_LADY = "blue_male", "blue_female"
STINK, STINK_LADY = "stink_male", "stink_female"
SOY, SOY_LADY = "soy_male", "soy_female"
RED, RED_LADY = "red_male", "red_female"
GREEN, CHILI, EYE, GARDEN = "green_male", "chili_male", "black_eyed_male", "garden_male"
MAKE_UP = "make_up_female"

SIX: Fan = (BLUE, RED, GREEN, EYE, BLUE, BLUE)
FOUR: Fan = (SOY, CHILI, CHILI, STINK)
"""The fans of the booklet's example, top card first."""
HAND_OF_FOUR: Fan = (RED, BLUE, GREEN, SOY)

PHASES = ("plant", "reveal", "trade", "plant_aside", "draw", "levy")
"""The phases in which everything that is open at any time is open."""

RICH, POOR = seat_with((GREEN,), coins=(RED, SOY)), seat_with((GREEN,))
PROTECTED = seat_with((GREEN,), fields=((MAKE_UP,), ()), coins=(RED,))


def rules_of_ladybohn_expansion(players: int = 3, **options: str | int | bool) -> Rules:
    """The rules for a table."""
    return rules_for(system_named(SYSTEM), players, options, shipped_catalogue(SYSTEM))


def table(
    *,
    players: int = 3,
    fans: tuple[Fan, ...] = (SIX, FOUR),
    quota: int | None = None,
    levies: tuple[int, ...] = (),
    promises: tuple[tuple[int, int], ...] = (),
    options: Mapping[str, str | int] | None = None,
    **lying: Any,
) -> Given:
    """A running game as in `given`, with what the expansion adds; `promises` are pairs of who spares whom."""
    settings: dict[str, Any] = {"hand": (BLUE, CHILI), "draw_pile": (GREEN,) * 20}
    begun = given(rules=rules_of_ladybohn_expansion(players, **(options or {})), **(settings | lying))
    added = LadybohnExpansionTable(fans, quota, levies, tuple(LevyPromise(*each) for each in promises))
    return Given(begun.rules, replace(begun.state, system=SYSTEM, ladybohn_expansion=added))


def added(at: Given) -> LadybohnExpansionTable:
    """What the expansion adds to this table."""
    assert at.state.ladybohn_expansion is not None
    return at.state.ladybohn_expansion


def new_ladybohn_expansion(
    players: int, options: OptionValues | None = None, secret: str = "5eed" * 16
) -> tuple[Table, list[RecordedEvent]]:
    """A game that has just begun."""
    begun, log = new_table(
        "game",
        SYSTEM,
        players,
        options=dict(options or {}),
        catalogue=shipped_catalogue(SYSTEM),
        secret=secret,
        at=STARTED,
    )
    for seat in range(players):
        loaded = c.TakeSeat(seat, f"player {seat}", "human", seed=f"seed-{seat}")
        begun, entries = begun.submit(HOST, loaded, STARTED + seat)
        log += entries
    return begun, log


def cards_of(numbered: tuple[tuple[int, Card], ...]) -> tuple[Card, ...]:
    """Numbered cards without their numbers."""
    return tuple(card for _, card in numbered)


def revealing(*pile: Card, fans: tuple[Fan, ...] = (SIX, FOUR), hand: tuple[Card, ...] = ()) -> Given:
    """The active player can reveal these cards."""
    return table(phase="reveal", hand=hand, draw_pile=(*pile, GREEN, GREEN), fans=fans)


def last_turn(*fields: tuple[Field, ...], coins: tuple[tuple[str, ...], ...] = (), **more: Any) -> Given:
    """The last turn, in which nothing is left but to draw nothing; the fields and coins of each seat."""
    stacks = coins or ((),) * len(fields)
    others = {seat: seat_with(fields=fields[seat], coins=stacks[seat]) for seat in range(1, len(fields))}
    return table(
        phase="draw",
        draw_pile=(),
        exhaustions=3,
        hand=(),
        players=len(fields),
        fields=fields[0],
        coins=stacks[0],
        others=others,
        **more,
    )


def drawing(
    others: dict[int, Seat], levies: tuple[int, ...] = (0,), promises: tuple[tuple[int, int], ...] = ()
) -> Given:
    """The active player, seat 0, has still to draw, and may have levies."""
    return table(phase="draw", others=others, levies=levies, promises=promises, players=len(others) + 1)


def levying(
    others: dict[int, Seat], levies: tuple[int, ...] = (0,), promises: tuple[tuple[int, int], ...] = ()
) -> Given:
    """The active player, seat 0, has drawn, and the first levy is due."""
    at = drawing(others, levies, promises)
    return at.when(c.Draw()).then_among_others(e.PhaseBegan("levy"))
