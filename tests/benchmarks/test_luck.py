"""How much luck duplicate rounds take out, at a tiny size: what is compared with what; never how much it is."""

import pytest
from click.testing import CliRunner

from events.bots import BOTS
from tests.benchmarks.luck.__main__ import main
from tests.benchmarks.luck.rounds import PlayedRound, Setting, play_round
from tests.benchmarks.luck.variance import measure


def test_players_who_all_do_the_same_with_the_same_cards_are_level() -> None:
    """Without errors everybody is the greedy bot: with one deal at all tables nothing is left to differ by."""
    played = play_round(Setting("bean-duel", 2, 3, 0.0, "1"), 1)
    assert played.alike == (0.0,) * 6
    assert any(played.apart)
    assert sum(played.apart) == pytest.approx(0)


def test_the_erring_player_is_known_only_while_a_round_is_played() -> None:
    """No table is offered it afterwards."""
    known = set(BOTS)
    play_round(Setting("bean-duel", 2, 2, 0.5, "1"), 1)
    assert set(BOTS) == known


def test_what_is_taken_out_is_the_part_of_the_variance_that_is_gone() -> None:
    """Here three quarters of it, in every round."""
    luck = measure([PlayedRound((1.0, -1.0), (2.0, -2.0))] * 5, "1")
    assert (luck.alike, luck.apart, luck.taken_out) == (1, 4, 0.75)
    assert luck.interval == (0.75, 0.75)


def test_the_command_prints_a_row_of_the_table() -> None:
    """With what was played, and the same one each time."""
    asked = ["--rounds", "2", "--tables", "2", "--errors", "0.5", "--workers", "1"]
    first, second = (CliRunner().invoke(main, asked) for _ in range(2))
    assert first.exit_code == 0, first.output
    assert first.stdout == second.stdout
    assert first.stdout.startswith("| `bean-duel` | 2 | 2 | 50% | 2 |")
