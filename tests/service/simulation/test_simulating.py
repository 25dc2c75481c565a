"""`fieldbook simulate`: games of bots as records that verify, and a table of how the bots did."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pyarrow.parquet import read_table

from events.domain_events import PileShuffled
from events.log.codec import decode_event
from events.rules.errors import RuleViolation
from replay.across.intervals import wilson
from replay.client.sources import record_lines
from replay.verification.verify import verify_lines
from service.command_line import main
from service.simulation.self_play import self_play
from service.simulation.simulating import BadSimulation, Plan, SimulatedGame, read_options, simulate
from service.simulation.standings import Standing, standings
from tests.replay.terminal.pseudo_terminal import Terminal

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "simulating.md").read_text("utf-8")
DUEL = ("--system", "bean-duel", "--players", "2", "--games", "3")


def called(*arguments: str) -> Result:
    """What the command does."""
    return CliRunner().invoke(main, ["simulate", *arguments])


def test_every_game_is_kept_as_a_record_that_verifies(tmp_path: Path) -> None:
    """Records of scope all, one a game, and a table with both bots."""
    done = called(*DUEL, "--bots", "greedy,random", "--out", str(tmp_path / "new" / "folder"))

    assert done.exit_code == 0, done.output
    assert f"3 records in: {tmp_path / 'new' / 'folder'}" in done.stderr
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
        ((*DUEL, "--bots", "greedy,clever"), "Unknown bot 'clever'"),
        ((*DUEL, "--bots", "greedy,random,random"), "one for each of the 2 seats"),
        (("--system", "bean-duel", "--players", "3", "--bots", "random"), "not by 3"),
        (("--system", "chess", "--players", "2", "--bots", "random"), "no rule system 'chess'"),
        ((*DUEL,), "--bots"),
        ((*DUEL, "--bots", "random", "--option", "bean_protection"), "NAME=VALUE"),
        ((*DUEL, "--bots", "random", "--option", "start_seat=0", "--option", "start_seat=1"), "given twice"),
        ((*DUEL, "--bots", "random", "--option", "beans=many"), "no option 'beans'; it has: bean_protection"),
        ((*DUEL, "--bots", "random", "--option", "start_seat=2"), "one of random, 0, 1, not '2'"),
        (("--system", "bean-duel", "--players", "2", "--games", "0", "--bots", "random"), "--games"),
    ],
)
def test_what_cannot_be_simulated_is_refused(arguments: tuple[str, ...], said: str) -> None:
    """Wrong use ends with status 2 and says what is wrong."""
    done = called(*arguments)

    assert done.exit_code == 2
    assert said in done.output


@pytest.mark.parametrize(
    ("plan", "refused"),
    [
        (Plan("bean-duel", 2, 1, ("clever",), "1"), BadSimulation),
        (Plan("bean-duel", 2, 1, ("random",), "1", options={"beans": "many"}), RuleViolation),
    ],
)
def test_what_is_unknown_is_refused_before_the_first_game(
    plan: Plan, refused: type[Exception], tmp_path: Path
) -> None:
    """Nothing is written then."""
    with pytest.raises(refused):
        next(simulate(plan, tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def test_options_have_the_types_that_the_rules_ask_for() -> None:
    """Numbers, truth values and words, whatever the case of a truth value."""
    given = ("bean_protection=strict", "duplicate_fields=true", "start_seat=3")
    assert read_options("extended", 4, given) == {
        "bean_protection": "strict",
        "duplicate_fields": True,
        "start_seat": 3,
    }
    assert read_options("extended", 4, ("duplicate_fields=False", "start_seat=random")) == {
        "duplicate_fields": False,
        "start_seat": "random",
    }


def test_games_are_played_with_the_options_asked_for(tmp_path: Path) -> None:
    """They stand in the first entry of each record."""
    asked = ("--option", "start_seat=1", "--option", "bean_protection=strict")
    assert called(*DUEL, "--bots", "random", *asked, "--out", str(tmp_path)).exit_code == 0

    for path in tmp_path.iterdir():
        created = json.loads(path.read_text("utf-8").splitlines()[1])["entry"]["data"]
        assert (created["options"]["start_seat"], created["options"]["bean_protection"]) == (1, "strict")


def test_other_games_in_the_same_folder_overwrite_nothing(tmp_path: Path) -> None:
    """Other bots, options or seeds make other ids."""
    one = Plan("bean-duel", 2, 1, ("random",), "1")
    others = (replace(one, seed="2"), replace(one, bots=("greedy",)), replace(one, options={"start_seat": 1}))
    for plan in (one, *others):
        assert [*simulate(plan, tmp_path)]
    assert len([*tmp_path.iterdir()]) == 4


def test_machines_get_the_results_as_json() -> None:
    """The plan, the standings over all seats and by seat, and the mean length; nothing else on standard output."""
    done = CliRunner().invoke(main, ["simulate", *DUEL, "--bots", "greedy,random", "--json"])
    told = json.loads(done.stdout)

    assert (told["system"], told["players"], told["games"], told["bots"]) == (
        "bean-duel",
        2,
        3,
        ["greedy", "random"],
    )
    assert [(each["bot"], each["seats"]) for each in told["standings"]] == [("greedy", 3), ("random", 3)]
    assert [(each["bot"], each["seat"]) for each in told["by_seat"]] == [("greedy", 0), ("random", 1)]
    assert told["standings"][0]["interval"] == list(wilson(told["standings"][0]["wins"], 3))
    assert told["mean_length"]["entries"] > told["mean_length"]["turns"] > 10


def test_the_table_can_show_each_seat() -> None:
    """A bot that sits on every seat has a row for each."""
    done = called(*DUEL, "--bots", "greedy,random", "--duplicate", "--by-seat")

    rows = re.findall(r"(greedy|random) +│ +(\d) │ +(\d+) │", done.output)
    assert rows == [("greedy", "0", "3"), ("greedy", "1", "3"), ("random", "0", "3"), ("random", "1", "3")]


def test_cents_are_shown_as_coins() -> None:
    """The score of `the-duel` counts cents; the table is about coins everywhere."""
    done = called("--system", "the-duel", "--players", "2", "--games", "1", "--bots", "greedy", "--json")

    assert 5 < json.loads(done.stdout)["standings"][0]["mean_coins"] < 60


def test_an_interrupt_leaves_whole_records_only(tmp_path: Path) -> None:
    """It ends with status 130 after the results so far."""
    arguments = ["simulate", *DUEL[:4], "--games", "500", "--bots", "random", "--out", str(tmp_path / "out")]
    # A shell's background jobs, and what they start, ignore interrupts unless they say otherwise.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with subprocess.Popen(
        [sys.executable, "-m", "service.command_line", *arguments],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as playing:
        deadline = time.monotonic() + 60
        while len([*tmp_path.glob("out/*.ndjson")]) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
        playing.send_signal(signal.SIGINT)
        shown, said = playing.communicate(timeout=60)
    signal.signal(signal.SIGINT, before)

    assert playing.returncode == 130
    kept = [*(tmp_path / "out").iterdir()]
    assert f"of {500} games" in said
    assert "random" in shown
    assert 3 <= len(kept) < 500
    for path in kept:
        with record_lines(str(path)) as lines:
            assert verify_lines(lines).status == "finished"


def test_a_shared_victory_is_a_win_for_each() -> None:
    """Wins and coins are counted for each seat that a bot had."""
    games = [
        SimulatedGame(("greedy", "random", "random"), (5, 5, 1), (0, 1), 9, 90),
        SimulatedGame(("random", "greedy", "random"), (2, 8, 0), (1,), 9, 90),
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


def test_a_game_without_a_clock_shows_no_date(tmp_path: Path) -> None:
    """A simulated game's clock counts commands from 0, which is no moment of 1970, in whatever shows the record."""
    assert called(*DUEL, "--bots", "greedy", "--out", str(tmp_path)).exit_code == 0
    record, *_ = map(str, sorted(tmp_path.iterdir()))
    parquet = tmp_path / "events.parquet"
    shown = {
        words: CliRunner().invoke(main, ["replay", *words.replace("RECORD", record).split()])
        for words in (
            "log RECORD",
            "show RECORD --at 20",
            "step RECORD",
            "find RECORD --type bean_planted",
            "export RECORD --to markdown",
            "export RECORD --to csv",
            "evidence RECORD --version 20",
            f"export RECORD --to parquet --output {parquet}",
        )
    }

    assert {words: done.exit_code for words, done in shown.items()} == dict.fromkeys(shown, 0)
    assert [words for words, done in shown.items() if "1970" in done.output] == []
    assert set(read_table(parquet).column("at").to_pylist()) == {None}
    terminal = Terminal(record, "--at", "20")
    assert "1970" not in terminal.until(" help")
    terminal.press("q")
    assert terminal.close()[0] == 0


def test_the_players_of_a_pool_are_drawn_anew_for_each_deal(tmp_path: Path) -> None:
    """Each with its own bot wherever it sits; the last bot named is that of all others."""
    plan = Plan("classic", 3, 60, ("greedy", "random"), "pool", pool=5)
    tables = [plan.table(deal) for deal in range(1, 61)]

    seated = {name: bot for bots, names in tables for name, bot in zip(names, bots, strict=True)}
    assert seated == {"player 1": "greedy", **{f"player {number}": "random" for number in range(2, 6)}}
    assert all(len({*names}) == 3 for _, names in tables)
    assert len({names for _, names in tables}) > 30

    assert called(
        "--system", "classic", "--players", "3", "--games", "1", "--pool", "5", "--bots", "random",
        "--seed", "pool", "--out", str(tmp_path),
    ).exit_code == 0  # fmt: skip
    (kept,) = tmp_path.iterdir()
    with record_lines(str(kept)) as lines:
        assert verify_lines(lines).ok
    assert f'"name":"{tables[0][1][0]}"' in kept.read_text("utf-8")


@pytest.mark.parametrize(
    ("bots", "pool", "says"),
    [
        ("greedy", "2", "A pool has 3 to"),
        ("greedy,greedy,greedy,greedy,greedy", "4", "at most one bot for each"),
        ("colluder-1", "4", "Unknown bot 'colluder-1'; known bots: random, greedy, lookahead."),
    ],
)
def test_a_pool_that_fills_no_table_is_refused(bots: str, pool: str, says: str) -> None:
    """Nothing is played."""
    done = called("--system", "classic", "--players", "3", "--bots", bots, "--pool", pool)

    assert done.exit_code == 2
    assert says in done.stderr
