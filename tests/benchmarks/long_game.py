"""A game much longer than any that is played: between two moves there is talk, and offers that are withdrawn."""

import random
from collections.abc import Iterator, Sequence

from events import commands as c
from events.game.table import Table
from events.log.recorded import RecordedEvent
from tests.benchmarks.random_play import begun_table, random_command

SYSTEM = "classic"
PLAYERS = 5
ENTRIES = 100_000
MOVES = 350
"""Fewer commands than a game of five has; between two of them there is so much talk that it gets long."""


def long_game(
    entries: int = ENTRIES,
    *,
    to_its_end: bool = True,
    game: str = "long",
    talkers: Sequence[int] = range(PLAYERS),
) -> tuple[Table, list[RecordedEvent]]:
    """A game of five whose log has about so many entries: played to its end, or still running; these seats talk.

    The rules alone are asked, so it may be longer than a service would let it become.
    """
    chance = random.Random(game)
    table, log = begun_table(game, SYSTEM, PLAYERS)
    at = 1
    while table.state.status == "running" and (to_its_end or len(log) < entries):
        for sender, command in _between(table, chance, entries // MOVES, talkers):
            if len(log) >= entries:
                break
            table, new = table.submit(sender, command, at := at + 700)
            log += new
        if to_its_end or len(log) < entries:
            table, new = table.submit(*random_command(table.rules, table.state, chance), at := at + 4_000)
            log += new
    return table, log


def _between(
    table: Table, chance: random.Random, count: int, talkers: Sequence[int]
) -> Iterator[tuple[int, c.Command]]:
    """Offers of the front card that are withdrawn at once, while there is trading; else talk."""
    state = table.state
    active, hand = state.active, state.seats[state.active].hand
    if state.phase == "trade" and hand and all(each.seat != active for each in state.offers):
        for number in range(state.next_offer, state.next_offer + count // 2):
            yield active, c.Offer(None, hand=(hand[0][0],))
            yield active, c.Withdraw(number)
        return
    for _ in range(count):
        yield chance.choice(talkers), c.Say(chance.choice(("Anyone for wax beans?", "No.", "Hm.")))
