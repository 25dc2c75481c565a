"""The power curves at a tiny size: that they are measured, kept and drawn; never how high they are."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

from click.testing import CliRunner, Result
from msgspec.structs import replace

from replay.across.screening.figures.game import ScreenedGame
from tests.benchmarks.collusion.__main__ import collusion
from tests.benchmarks.collusion.curves import Power, as_markdown, measure
from tests.benchmarks.collusion.seasons import COLLUDERS, Bank, season
from tests.benchmarks.collusion.unlike import KEPT, unlike
from tests.replay.across.screening.made_up_games import made_up_games

SMALL = (
    "--players", "3", "--pool", "4", "--honest", "2", "--colluding", "2", "--strength", "1", "--size", "12",
    "--seasons", "2", "--honest-seasons", "2", "--draws", "19",
)  # fmt: skip


def called(bank: Path, out: Path) -> Result:
    """What the command does."""
    return CliRunner().invoke(collusion, [*SMALL, "--bank", str(bank), "--out", str(out)])


def test_curves_are_written_and_games_are_played_only_once(tmp_path: Path) -> None:
    """A second run takes the games that are there, and gives the same to the byte."""
    first = called(tmp_path / "bank", tmp_path / "one")
    assert first.exit_code == 0, first.output
    kept = {path.name: path.read_bytes() for path in (tmp_path / "bank").iterdir()}
    assert {*kept} == {"classic-3-greedy.jsonl", "classic-3-colluder-1.jsonl"}
    cut = tmp_path / "bank" / "classic-3-greedy.jsonl"
    cut.write_bytes(cut.read_bytes()[:-20])

    second = called(tmp_path / "bank", tmp_path / "two")
    assert second.stdout == first.stdout
    assert {path.name: path.read_bytes() for path in (tmp_path / "bank").iterdir()} == kept
    for name in ("power.svg", "power.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    ET.parse(tmp_path / "one" / "power.svg")  # noqa: S314 (our own picture)
    assert [each["strength"] for each in json.loads((tmp_path / "one" / "power.json").read_bytes())] == [1, 0]


def test_a_season_seats_the_colluders_where_two_collude() -> None:
    """And everybody is drawn about as often as anybody."""
    bank = Bank(tuple(made_up_games(20, "h")), tuple(map(_tried, made_up_games(20, "c"))))
    games = season(bank, 8, 300, "s")

    together = [game for game in games if {*COLLUDERS} <= {*game.players}]
    assert 40 <= len(together) <= 90
    for game in together:
        assert {game.players[0], game.players[1]} == {*COLLUDERS}
    counted = [sum(name in game.players for game in games) for name in {n for g in games for n in g.players}]
    assert len(counted) == 8
    assert all(110 <= each <= 190 for each in counted)


def test_planted_pairs_are_counted_as_found_and_others_as_accused() -> None:
    """From games in figures in which the first two seats give each other more."""
    honest = tuple(made_up_games(60, "h"))
    more = tuple(_tried(game) for game in made_up_games(60, "c", players=4, favour=2.0))
    (found,) = measure(Bank(honest, more), 0.5, [60], 5, pool=6, draws=39)
    (fair,) = measure(Bank(honest), 0, [60], 5, pool=6, draws=39)

    assert (found.found, found.seasons) == (5, 5)
    assert fair.found == 0
    assert fair.honest == 5 * 15
    assert found.honest == 5 * 14
    table = as_markdown([found, fair])
    assert "| 0.5 | 60 |" in table
    assert "| all honest | 60 | 5 |" in table


def _tried(game: ScreenedGame) -> ScreenedGame:
    """The game with the two who favour each other on the first two seats, named as the bank names them."""
    order = sorted(range(len(game.players)), key=lambda seat: game.players[seat])
    names = tuple(f"{'tried' if place < 2 else 'other'} {place}" for place in range(len(order)))

    def turn(square: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
        return tuple(tuple(square[one][other] for other in order) for one in order)

    return replace(
        game,
        players=names,
        table=turn(game.table),
        trades=turn(game.trades),
        gifts=turn(game.gifts),
        refusals=turn(game.refusals),
        results=tuple(game.results[seat] for seat in order),
    )


def test_seasons_of_players_who_do_not_play_alike_are_kept(tmp_path: Path) -> None:
    """A second call plays only those that are missing, and counts all of them."""
    small = ["--players", "3", "--pool", "4", "--games", "2", "--draws", "19", "--out", str(tmp_path)]
    first = CliRunner().invoke(unlike, [*small, "--seasons", "1"])
    assert first.exit_code == 0, first.output
    (line,) = (tmp_path / KEPT).read_bytes().splitlines()
    second = CliRunner().invoke(unlike, [*small, "--seasons", "2"])
    assert (tmp_path / KEPT).read_bytes().splitlines()[0] == line
    assert second.output.startswith("2 seasons of 2 games, ")


def test_a_power_has_an_interval() -> None:
    """Wilson's."""
    power = Power(
        strength=0.1, games=40, together=8.5, seasons=10, found=8, accused=0, honest=270, pairs_accused=0
    )

    assert power.power == 0.8
    assert [round(bound, 3) for bound in power.interval] == [0.49, 0.943]
