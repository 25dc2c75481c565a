"""How much luck duplicate rounds take out, at a tiny size: what is compared with what; never how much it is."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from events.bots import BOTS
from tests.benchmarks.luck.__main__ import main
from tests.benchmarks.luck.picture import draw
from tests.benchmarks.luck.rounds import PlayedRound, Setting, play_round
from tests.benchmarks.luck.variance import Measured, keep, measure


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


def test_the_command_prints_a_row_of_the_table_and_draws_it(tmp_path: Path) -> None:
    """With what was played, and the same one each time."""
    asked = ["--rounds", "2", "--tables", "2", "--errors", "0.5", "--workers", "1"]
    out = [tmp_path / "one", tmp_path / "two"]
    first, second = (CliRunner().invoke(main, [*asked, "--out", str(each)]) for each in out)
    assert first.exit_code == 0, first.output
    assert first.stdout == second.stdout
    assert first.stdout.startswith("| `bean-duel` | 2 | 2 | 50% | 2 |")
    for name in ("luck.json", "luck.svg"):
        assert (out[0] / name).read_bytes() == (out[1] / name).read_bytes()


def test_a_measurement_takes_the_place_of_that_of_the_same_players_and_all_are_drawn(tmp_path: Path) -> None:
    """The picture has the variances: of these 9 and 4 coins squared, and then 16 in place of 9."""
    kept = tmp_path / "luck.json"
    duel = Measured("bean-duel", 2, 4, 0.05, 10, 3.0, 2.0, 0.56, (0.5, 0.6))
    keep(Measured("classic", 4, 4, 0.05, 10, 1.0, 1.0, 0.0, (0.0, 0.0)), kept)
    assert [each.system for each in keep(duel, kept)] == ["bean-duel", "classic"]
    known = keep(replace(duel, own=4.0), kept)
    assert [each.own for each in known] == [4.0, 1.0]
    draw(known, tmp_path / "luck.svg")
    said = [each.text for each in ET.parse(tmp_path / "luck.svg").iter() if each.tag.endswith("text")]  # noqa: S314
    assert {"16.0", "4.0", "56% taken out (50% to 60%)", "10 rounds"} <= {*said}
    assert "9.0" not in said
