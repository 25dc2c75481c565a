"""Bots that collude with a known strength: with each other, in agreed turns, and in games that verify."""

from collections import Counter
from collections.abc import Sequence

import pytest

from events.bots import BOTS, bot_named
from events.bots.colluding.agreement import strength_in
from events.domain_events import OfferDeclined, OfferMade, TradeMade
from events.game.record import header_for
from events.log.codec import decode_event
from events.log.disclosure import ALL, form_for
from replay.verification.verify import verify
from service.simulation.self_play import self_play

TRADING = ["classic", "extended", "ladybohn", "ladybohn-expansion"]


def gifts(system: str, bots: Sequence[str], seed: str) -> Counter[frozenset[int]]:
    """How many gifts every two seats made each other in a game."""
    _, log = self_play(system, len(bots), bots, seed, {})
    events = [decode_event(entry) for entry in log]
    return Counter(
        frozenset({event.active, event.partner})
        for event in events
        if isinstance(event, TradeMade) and not (event.active_cards and event.partner_cards)
    )


@pytest.mark.parametrize("system", TRADING)
def test_two_colluders_give_each_other_more_than_anybody_else_in_a_game_that_verifies(system: str) -> None:
    """In every system that trades; what they do is recorded like any bot's."""
    bots = ["colluder-0.6", "greedy", "colluder-0.6"]
    table, log = self_play(system, 3, bots, "together", {})
    report = verify(header_for(table, ALL), (form_for(entry, table.key, ALL) for entry in log))

    assert report.ok, report.findings
    assert table.state.seats[0].bot == "colluder-0.6"
    given = gifts(system, bots, "together")
    assert given[frozenset({0, 2})] > 2 * max(given[frozenset({0, 1})], given[frozenset({1, 2})])


def test_the_stronger_the_more_gifts() -> None:
    """None of strength 0, and most of strength 1."""
    counted = [
        gifts("classic", [f"colluder-{strength}", "greedy", f"colluder-{strength}"], "strength")[
            frozenset({0, 2})
        ]
        for strength in ("0", "0.3", "1")
    ]

    assert counted[0] < counted[1] < counted[2]


@pytest.mark.parametrize("bots", [["colluder-0", "greedy", "colluder-0"], ["colluder-1", "greedy", "greedy"]])
def test_of_strength_0_or_without_a_partner_it_plays_like_the_greedy_bot(bots: list[str]) -> None:
    """Card for card."""

    def moves(seated: Sequence[str]) -> list[object]:
        names = ["a", "b", "c"]
        _, log = self_play("classic", 3, seated, "alike", {}, names=names)
        return [decode_event(entry) for entry in log if entry.type != "seat_taken"]

    assert moves(bots) == moves(["greedy"] * 3)


def test_colluders_turn_others_down_for_each_other() -> None:
    """In agreed turns a third player's offers are declined more often than those of the partner."""
    declined, made = Counter[bool](), Counter[bool]()
    for deal in range(2):
        _, log = self_play("classic", 3, ["colluder-1", "greedy", "colluder-1"], f"turned down {deal}", {})
        by: dict[int, int] = {}
        for entry in log:
            event = decode_event(entry)
            if isinstance(event, OfferMade):
                by[event.offer] = event.seat
                made[event.seat == 1] += 1
            elif isinstance(event, OfferDeclined) and event.seat != 1:
                declined[by[event.offer] == 1] += 1

    assert declined[True] / made[True] > declined[False] / made[False]


def test_the_same_seed_gives_the_same_game() -> None:
    """Entry for entry: whoever has the record can have the bots play it again."""
    bots = ["colluder-0.5", "colluder-0.5", "greedy"]
    assert self_play("classic", 3, bots, "again", {})[1] == self_play("classic", 3, bots, "again", {})[1]


@pytest.mark.parametrize(
    "name", ["colluder", "colluder-", "colluder-2", "colluder-0.123", "colluder--1", "greedyy"]
)
def test_other_names_are_no_bots(name: str) -> None:
    """A strength is from 0 to 1, with two digits at most."""
    assert strength_in(name) is None
    with pytest.raises(KeyError):
        bot_named(name)


def test_no_table_is_offered_a_colluder() -> None:
    """They exist in simulated games alone: the API knows none."""
    assert [name for name in BOTS if strength_in(name) is not None] == []
