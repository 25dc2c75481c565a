"""`fieldbook simulate`: games of bots as records that verify, and a table of how the bots did."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from events.codec import decode_event
from events.domain_events import PileShuffled
from replay.sources import record_lines
from replay.verify import verify_lines
from service.command_line import main
from service.self_play import self_play
from service.simulating import BadSimulation, Plan, Played, Standing, simulate, standings, wilson

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "simulating.md").read_text("utf-8")
DUEL = ("--system", "bean-duel", "--players", "2", "--games", "3")


def called(*arguments: str) -> Result:
    """What the command does."""
    return CliRunner().invoke(main, ["simulate", *arguments])


def test_every_game_is_kept_as_a_record_that_verifies(tmp_path: Path) -> None:
    """Records of scope all, one a game, and a table with both bots."""
    done = called(*DUEL, "--bots", "greedy,random", "--out", str(tmp_path / "new" / "folder"))

    assert done.exit_code == 0, done.output
    kept = sorted((tmp_path / "new" / "folder").iterdir())
    assert len(kept) == 3
    for path in kept:
        with record_lines(str(path)) as lines:
            report = verify_lines(lines)
        assert (report.ok, report.status, report.scope) == (True, "finished", "all")
        assert report.game == path.stem
    assert re.search(r"greedy +│ +3 │", done.output)
    assert "95 % interval" in done.output


def test_without_a_folder_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the table is shown."""
    monkeypatch.chdir(tmp_path)

    assert called(*DUEL, "--bots", "random").exit_code == 0
    assert [*tmp_path.iterdir()] == []


def test_the_same_seed_gives_the_same_games() -> None:
    """And another seed gives others."""
    plan = Plan("bean-duel", 2, 2, ("random",), "one")

    assert [*simulate(plan)] == [*simulate(plan)]
    assert [*simulate(plan)] != [*simulate(Plan("bean-duel", 2, 2, ("random",), "two"))]


def test_duplicate_games_have_the_same_deals_with_the_seats_rotated(tmp_path: Path) -> None:
    """Each deal is played once for each rotation; the first pile is the same every time."""
    plan = Plan("classic", 3, 2, ("greedy", "random", "random"), "same", duplicate=True)

    played = [*simulate(plan, tmp_path)]

    assert len(played) == plan.total == 6
    assert [game.bots.index("greedy") for game in played] == [0, 1, 2, 0, 1, 2]
    assert len([*tmp_path.iterdir()]) == 6
    piles = [_first_pile(game.bots, deal) for deal in (1, 2) for game in played[3 * deal - 3 : 3 * deal]]
    assert piles[0] == piles[1] == piles[2] != piles[3] == piles[4] == piles[5]


def _first_pile(bots: tuple[str, ...], deal: int) -> tuple[str, ...]:
    log = self_play("classic", 3, bots, f"same/{deal}", {})[1]
    return next(event.order for event in map(decode_event, log) if isinstance(event, PileShuffled))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((*DUEL, "--bots", "greedy,clever"), "no bot 'clever'"),
        ((*DUEL, "--bots", "greedy,random,random"), "one for each of the 2 seats"),
        (("--system", "bean-duel", "--players", "3", "--bots", "random"), "not by 3"),
        (("--system", "chess", "--players", "2", "--bots", "random"), "no rule system 'chess'"),
        ((*DUEL,), "--bots"),
        (("--system", "bean-duel", "--players", "2", "--games", "0", "--bots", "random"), "--games"),
    ],
)
def test_what_cannot_be_simulated_is_refused(arguments: tuple[str, ...], said: str) -> None:
    """Wrong use ends with status 2 and says what is wrong."""
    done = called(*arguments)

    assert done.exit_code == 2
    assert said in done.output


def test_a_bot_that_is_unknown_is_refused_before_the_first_game(tmp_path: Path) -> None:
    """Nothing is written then."""
    with pytest.raises(BadSimulation):
        next(simulate(Plan("bean-duel", 2, 1, ("clever",), "1"), tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_a_shared_victory_is_a_win_for_each() -> None:
    """Wins and coins are counted for each seat that a bot had."""
    games = [
        Played(("greedy", "random", "random"), (5, 5, 1), (0, 1), 9, 90),
        Played(("random", "greedy", "random"), (2, 8, 0), (1,), 9, 90),
    ]

    assert standings(games) == [Standing("greedy", 2, 2, 13), Standing("random", 4, 1, 8)]


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_the_interval_is_wilsons(wins: int, games: int, low: float, high: float) -> None:
    """Known values of the score interval without continuity correction (81 of 263: Newcombe 1998)."""
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_commands_of_the_page_do_what_it_shows(tmp_path: Path) -> None:
    """docs/simulating.md: each command runs as it stands; the table has the shape shown, whatever its figures."""
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / "bin").symlink_to(Path(sys.executable).parent, target_is_directory=True)
    blocks = re.findall(r"^```sh\n(.*?)^```\n(?:\n```\n(.*?)^```)?", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 2
    for commands, printed in blocks:
        done = subprocess.run(
            ["bash", "-euc", commands],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "COLUMNS": "80"},
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        if printed:
            assert _shape(done.stdout) == _shape(printed)


def _shape(text: str) -> str:
    """A text without its figures and spaces."""
    return re.sub(r"[\d.,\s]+|[━─]+", "", text)
