"""`fieldbook dataset`: what stands in a public and in a complete one, from store, folder and archive."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from events.disputes.commands import GiveRuling
from replay.across.dataset.manifest import Manifest
from replay.across.left import Left, Reason
from replay.across.mapping import map_games
from replay.platform.exit_status import FINDING, WRONG_USE
from service.access.game_access import PRIVATE_GAME, UNLISTED_GAME, GamePolicy
from service.across.archived_games import ArchivedGames
from service.across.stored_games import StoredGames
from service.command_line import main
from service.storage.settings import StoreSettings
from tests.replay.across.dataset.datasets import digests, rows_of, write_records
from tests.replay.across.folders import count_entries, write, write_good, write_left
from tests.service.disputes.disputing import DAY, Chamber
from tests.service.in_process import InProcess, Stored
from tests.support.archiving import Installation
from tests.support.recorded_games import recorded_game
from tests.support.servers import eventually


def fieldbook(*arguments: object, env: dict[str, str] | None = None) -> Result:
    """Run `fieldbook dataset` in this process."""
    given = [str(each) for each in ("dataset", *arguments, "--workers", "1")]
    return CliRunner(env=env).invoke(main, given, catch_exceptions=False)


def games_in(folder: Path) -> dict[str, str]:
    """The games of a dataset, with what it says of who may see them."""
    return {row["game"]: row["visibility"] for row in rows_of(folder, "games")}


def all_bytes(folder: Path) -> bytes:
    """Everything in a folder."""
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.fixture
def stored(api: InProcess, store_environment: dict[str, str]) -> dict[str, str]:
    """A store with a public, an unlisted and a private game, and one that goes on; the environment that finds it."""
    api.stored(1, most_offers=5)
    api.stored(2, most_offers=5, policy=GamePolicy(UNLISTED_GAME))
    api.stored(3, most_offers=5, policy=GamePolicy(PRIVATE_GAME))
    api.stored(4, stop_at=60)
    return store_environment


def test_a_public_dataset_has_nothing_of_hidden_games(stored: dict[str, str], tmp_path: Path) -> None:
    """They are counted; no byte of it tells their ids, not even beside the tables."""
    done = fieldbook(tmp_path / "public", env=stored)

    assert done.exit_code == 0, done.output
    assert games_in(tmp_path / "public") == {"game-1": "public"}
    assert Manifest(tmp_path / "public").left().counts == {"private": 1, "unlisted": 1}
    everything = all_bytes(tmp_path / "public")
    assert b"game-1" in everything
    assert not [game for game in (b"game-2", b"game-3", b"game-4") if game in everything]


def test_a_complete_dataset_has_every_finished_game(stored: dict[str, str], tmp_path: Path) -> None:
    """And says who may see it."""
    done = fieldbook(tmp_path / "complete", "--for", "complete", "--json", env=stored)

    assert done.exit_code == 0, done.output
    assert games_in(tmp_path / "complete") == {"game-1": "public", "game-2": "unlisted", "game-3": "private"}
    assert json.loads(done.stdout)["games"] == 3


def test_a_hidden_game_that_cannot_be_read_is_not_named_either(
    api: InProcess, stored: dict[str, str], tmp_path: Path
) -> None:
    """In a complete dataset it is, and so is a public one in both."""
    for game in ("game-1", "game-3"):
        tag = f"{{p{api.store.partition_of(game):02}}}"
        assert api.store.connection.command("DEL", f"{tag}:game:{game}:log")

    public = fieldbook(tmp_path / "public", env=stored)
    complete = fieldbook(tmp_path / "complete", "--for", "complete", env=stored)

    assert public.exit_code == complete.exit_code == FINDING
    assert [each.name for each in Manifest(tmp_path / "public").left().games] == ["game-1"]
    assert b"game-3" not in all_bytes(tmp_path / "public")
    assert {each.name for each in Manifest(tmp_path / "complete").left().games} == {"game-1", "game-3"}


def test_hidden_games_cannot_be_taken_into_a_public_dataset(stored: dict[str, str], tmp_path: Path) -> None:
    """Whoever wants them says for whom."""
    done = fieldbook(tmp_path / "public", "--take", "private", env=stored)

    assert done.exit_code == WRONG_USE
    assert "--for complete" in done.output
    assert not (tmp_path / "public").exists()


def test_games_of_a_quarantined_partition_are_left_out(
    api: InProcess, stored: dict[str, str], tmp_path: Path
) -> None:
    """Or taken, as one likes."""
    api.store.quarantine.put(api.store.partition_of("game-1"), "a block of the disk was lost")

    fieldbook(tmp_path / "usual", "--for", "complete", env=stored)
    fieldbook(tmp_path / "all", "--for", "complete", "--take", "quarantined", env=stored)

    left = Manifest(tmp_path / "usual").left().games
    assert {each.reason for each in left} == {Reason.QUARANTINED}
    assert {each.detail for each in left} == {"a block of the disk was lost"}
    assert "game-1" in {each.name for each in left}
    assert set(games_in(tmp_path / "all")) == {"game-1", "game-2", "game-3"}


def test_a_ruling_after_the_end_counts_as_one_in_the_game(
    api: InProcess, store_environment: dict[str, str], tmp_path: Path
) -> None:
    """An annulled game is left out or taken as one likes, everywhere; what another ruling gave stands beside it.

    No record has these rulings: the log of a game's cases has them.
    """
    for seed, ruling in ((1, "annulled"), (2, "awarded"), (3, "")):
        game = api.stored(seed, most_offers=5)
        if ruling:
            rule_after_the_end(api, game, ruling)

    usual = fieldbook(tmp_path / "usual", env=store_environment)
    fieldbook(tmp_path / "all", "--take", "annulled", env=store_environment)
    page = CliRunner(env=store_environment).invoke(main, ["report", str(tmp_path / "page"), "--workers", "1"])

    assert usual.exit_code == 0, usual.output
    (left,) = Manifest(tmp_path / "usual").left().games
    assert (left.name, left.reason) == ("game-1", Reason.ANNULLED)
    assert "left out: 1 annulled" in page.stdout
    assert ruled_in(tmp_path / "usual") == {"game-2": "awarded", "game-3": ""}
    assert ruled_in(tmp_path / "all") == {"game-1": "annulled", "game-2": "awarded", "game-3": ""}


def test_a_game_ruled_about_after_it_went_in_is_named_in_every_run(
    api: InProcess, store_environment: dict[str, str], tmp_path: Path
) -> None:
    """Its rows stay as they are, and so do all files but the list of what is to be known."""
    games = [api.stored(seed, most_offers=5) for seed in (1, 2, 3)]
    rule_after_the_end(api, games[1], "awarded")
    out = tmp_path / "out"
    fieldbook(out, env=store_environment)
    before = digests(out)
    for game in (games[0], games[2]):
        rule_after_the_end(api, game, "annulled")

    for _ in range(2):
        more = fieldbook(out, "--since-last", env=store_environment)

        assert more.exit_code == 0, more.output
        assert "0 games, 3 before; left out: none; in, but ruled about since: 2" in more.stdout
        assert "game-1: ruled_since: it is in, told as played to its end" in more.stderr
        left = Manifest(out).left()
        assert left.counts == {"ruled_since": 2}
        assert [(each.game, each.reason) for each in left.games] == [
            ("game-1", Reason.RULED_SINCE),
            ("game-3", Reason.RULED_SINCE),
        ]
        assert {**digests(out), "left.json": before["left.json"]} == before
    assert ruled_in(out) == {"game-1": "", "game-2": "awarded", "game-3": ""}


def rule_after_the_end(api: InProcess, game: Stored, kind: str) -> None:
    """Have a final ruling about a game that has just ended."""
    chamber = Chamber(api.store, game.id)
    chamber.at = game.recorded.log[-1].at + DAY
    winners = (1,) if kind == "awarded" else ()
    chamber.ruled(GiveRuling(kind, "the result", "They sat side by side.", winners=winners))
    chamber.dispute_resolution.pass_deadlines(game.id, chamber.at + 2 * DAY)
    assert chamber.case.status == "final"


def ruled_in(folder: Path) -> dict[str, str]:
    """The games of a dataset, with what a ruling made of their results."""
    return {row["game"]: row["ruled"] for row in rows_of(folder, "games")}


def test_the_store_and_its_records_give_the_same_rows(stored: dict[str, str], tmp_path: Path) -> None:
    """Only who may see a game is told by none of them."""
    fieldbook(tmp_path / "store", env=stored)
    write(tmp_path / "records" / "game-1.ndjson", recorded_game(1, most_offers=5).record())
    fieldbook(tmp_path / "folder", "--records", tmp_path / "records", "--none-private")

    def told(folder: Path) -> list[list[dict[str, Any]]]:
        tables = ("games", "seats", "events", "commands", "offers", "trades", "harvests", "times")
        return [[row | {"visibility": ""} for row in rows_of(folder, table)] for table in tables]

    assert told(tmp_path / "store") == told(tmp_path / "folder")


def test_archived_games_are_read_through_the_store_and_from_the_archive(
    in_folder: Installation, store_environment: dict[str, str], tmp_path: Path
) -> None:
    """The same games either way."""
    archived, stays = in_folder.archived(1), in_folder.api.stored(2, most_offers=12)
    env = {**store_environment, "FIELDBOOK_ARCHIVE": in_folder.target.address}

    through = fieldbook(tmp_path / "store", env=env)
    alone = fieldbook(tmp_path / "alone", "--archive", "--none-private", env=env)

    assert (through.exit_code, alone.exit_code) == (0, 0), through.output + alone.output
    assert set(games_in(tmp_path / "store")) == {archived.id, stays.id}
    assert set(games_in(tmp_path / "alone")) == {archived.id}


def test_other_processes_open_store_and_archive_for_themselves(
    in_folder: Installation, store_environment: dict[str, str]
) -> None:
    """A map over either is the same on two cores."""
    in_folder.archived(1)
    in_folder.api.stored(2, most_offers=12)
    env = {**store_environment, "FIELDBOOK_ARCHIVE": in_folder.target.address}
    for source in (StoredGames(StoreSettings.from_environment(env)), ArchivedGames(in_folder.target.address)):
        one = list(map_games(count_entries, source, workers=1))

        assert one
        assert not [each for each in one if isinstance(each, Left)]
        assert list(map_games(count_entries, source, workers=2)) == one


def test_no_record_tells_whether_a_game_is_private(tmp_path: Path) -> None:
    """So whoever makes a public dataset of records says so."""
    write_good(tmp_path / "records")

    refused = fieldbook(tmp_path / "out", "--records", tmp_path / "records")
    complete = fieldbook(tmp_path / "out", "--records", tmp_path / "records", "--for", "complete")

    assert refused.exit_code == WRONG_USE
    assert "--none-private" in refused.output
    assert complete.exit_code == 0


def test_it_says_what_was_left_out_and_ends_with_a_finding(tmp_path: Path) -> None:
    """Where a record does not verify."""
    records = write_left(write_good(tmp_path / "records"))

    done = fieldbook(tmp_path / "out", "--records", records, "--none-private")

    assert done.exit_code == FINDING
    assert "3 games, 0 before; left out: 4 does_not_verify, 1 other_release" in done.stdout
    assert "tampered.ndjson: does_not_verify: version 3, chain" in done.stderr
    assert "running.ndjson: unfinished" in done.stderr


def test_a_second_run_adds_what_is_new(tmp_path: Path) -> None:
    """And without being told so it writes nothing over."""
    records = write_good(tmp_path / "records")
    given = (tmp_path / "out", "--records", records, "--none-private")
    fieldbook(*given)
    before = digests(tmp_path / "out")

    again, more = fieldbook(*given), fieldbook(*given, "--since-last")

    assert again.exit_code == WRONG_USE
    assert "--since-last" in again.output
    assert "0 games, 3 before" in more.stdout
    assert digests(tmp_path / "out") == before


def test_pseudonyms_are_by_a_key_that_lies_elsewhere(tmp_path: Path) -> None:
    """The same key gives the same bytes, another one is another dataset."""
    records = write_good(tmp_path / "records")

    def run(out: str, key: str, *more: str) -> Result:
        given = ("--records", records, "--none-private", "--pseudonyms", tmp_path / key)
        return fieldbook(tmp_path / out, *given, *more)

    assert run("first", "key").exit_code == run("second", "key").exit_code == 0
    assert digests(tmp_path / "first") == digests(tmp_path / "second")
    assert b'"Ann"' not in all_bytes(tmp_path / "first")
    assert run("first", "other-key", "--since-last").exit_code == WRONG_USE
    assert run("third", "third/key").exit_code == WRONG_USE


def test_it_prints_what_each_column_means() -> None:
    """Without writing anything."""
    done = CliRunner().invoke(main, ["dataset", "--columns"])

    assert done.exit_code == 0
    assert "| `given_value` | number |" in done.stdout


def test_an_interrupted_run_says_so_and_is_gone_on_with(tmp_path: Path) -> None:
    """On two cores: the status is that of an interrupted program, and in the end everything is in."""
    records = write_records(tmp_path / "records")
    given = [sys.executable, "-m", "service.command_line", "dataset", str(tmp_path / "out"), "--none-private"]
    given += ["--records", str(records), "--workers", "2"]
    # A shell's background jobs, and what they start, ignore interrupts unless they say otherwise.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    process = subprocess.Popen(given, stderr=subprocess.PIPE, text=True)
    signal.signal(signal.SIGINT, before)
    eventually((tmp_path / "out" / "dataset.json").exists, seconds=60)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)

    assert process.returncode == 130
    assert "Stopped. 0 games are in; --since-last goes on." in said
    assert "Traceback" not in said
    more = fieldbook(tmp_path / "out", "--records", records, "--none-private", "--since-last")
    assert more.exit_code == 0
    fieldbook(tmp_path / "whole", "--records", records, "--none-private")
    assert digests(tmp_path / "out") == digests(tmp_path / "whole")
