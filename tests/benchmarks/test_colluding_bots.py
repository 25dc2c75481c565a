"""The colluding bots behind the published power of the screens."""

from collections import Counter
from collections.abc import Sequence

import pytest

from events.bots import BOTS
from events.domain_events import TradeMade
from events.game.record import header_for
from events.game.table import Table
from events.log.codec import decode_event
from events.log.disclosure import ALL, form_for
from events.log.recorded import RecordedEvent
from replay.verification.verify import verify
from service.simulation.self_play import self_play
from tests.benchmarks.colluding_bots import colluding_bot, colluding_bots


def play(system: str, bots: Sequence[str]) -> tuple[Table, list[RecordedEvent]]:
    """Play a game of three, always with the same deal."""
    with colluding_bots(bots):
        return self_play(system, 3, bots, "together", {}, names=["a", "b", "c"])


def gifts(log: Sequence[RecordedEvent]) -> Counter[frozenset[int]]:
    """Return the number of gifts between each two seats."""
    events = map(decode_event, log)
    return Counter(
        frozenset({event.active, event.partner})
        for event in events
        if isinstance(event, TradeMade) and not (event.active_cards and event.partner_cards)
    )


@pytest.mark.parametrize("system", ["classic", "extended", "ladybohn", "ladybohn-expansion"])
def test_colluders_give_each_other_more_than_others_in_a_game_that_verifies(system: str) -> None:
    """In every system with trading."""
    table, log = play(system, ["colluder-0.6", "greedy", "colluder-0.6"])
    report = verify(header_for(table, ALL), (form_for(entry, table.key, ALL) for entry in log))

    assert report.ok, report.findings
    given = gifts(log)
    assert given[frozenset({0, 2})] > 2 * max(given[frozenset({0, 1})], given[frozenset({1, 2})])


def test_a_higher_strength_gives_more_gifts() -> None:
    """None with strength 0, most with strength 1."""
    seated = ([f"colluder-{strength}", "greedy", f"colluder-{strength}"] for strength in ("0", "0.3", "1"))
    counted = [gifts(play("classic", bots)[1])[frozenset({0, 2})] for bots in seated]

    assert counted[0] < counted[1] < counted[2]


@pytest.mark.parametrize("bots", [["colluder-0", "greedy", "colluder-0"], ["colluder-1", "greedy", "greedy"]])
def test_with_strength_0_or_without_a_partner_it_plays_like_the_greedy_bot(bots: list[str]) -> None:
    """Card for card."""

    def moves(seated: Sequence[str]) -> list[object]:
        return [decode_event(entry) for entry in play("classic", seated)[1] if entry.type != "seat_taken"]

    assert moves(bots) == moves(["greedy"] * 3)


@pytest.mark.parametrize("name", ["colluder", "colluder-2", "colluder-0.123", "colluder--1", "greedyy"])
def test_a_strength_is_between_0_and_1_with_at_most_two_decimals(name: str) -> None:
    """Other names are not added to the bots."""
    with pytest.raises(ValueError, match="not a colluding bot"):
        colluding_bot(name)
    with colluding_bots([name]):
        assert name not in BOTS
