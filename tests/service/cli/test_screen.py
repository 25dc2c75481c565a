"""`fieldbook screen` of a store: which games count, and commands that lead to the moments at a service."""

import json

from click.testing import CliRunner, Result

from service.access.game_access import PRIVATE_GAME, UNLISTED_GAME, GamePolicy
from service.command_line import main
from tests.service.cli.test_dataset import rule_after_the_end
from tests.service.in_process import InProcess
from tests.support.archiving import Installation


def screened(environment: dict[str, str], *arguments: str) -> Result:
    """What the command does in this process."""
    called = ["screen", "--workers", "1", "--together", "2", *arguments]
    return CliRunner(env=environment).invoke(main, called, catch_exceptions=False)


def test_a_store_tells_of_private_games_and_of_rulings_after_the_end(
    api: InProcess, store_environment: dict[str, str]
) -> None:
    """Both are left out with their reason until somebody asks for them."""
    for seed in (1, 2):
        api.stored(seed, most_offers=5)
    api.stored(3, most_offers=5, policy=GamePolicy(PRIVATE_GAME))
    rule_after_the_end(api, api.stored(4, most_offers=5), "awarded")
    api.stored(5, stop_at=60)

    usual = json.loads(screened(store_environment, "--json").stdout)
    every = json.loads(
        screened(store_environment, "--json", "--include", "private", "--include", "ruled").stdout
    )
    text = screened(store_environment, "--service", "https://example.org").stdout

    assert usual["games"] == 2
    assert usual["left_out_by_reason"] == {"private": 1, "ruled": 1}
    assert (every["games"], every["left_out_by_reason"]) == (4, {})
    assert "fieldbook replay show https://example.org/v1/games/game-" in text
    assert "http://127.0.0.1:8000/v1/games/game-" in str(usual["pairs"])


def test_unlisted_games_count_unless_they_are_left_out(
    api: InProcess, store_environment: dict[str, str]
) -> None:
    """Only who knows their ids may see them, and a screen names ids: whoever hands it on leaves them out."""
    for seed in (1, 2):
        api.stored(seed, most_offers=5)
    api.stored(3, most_offers=5, policy=GamePolicy(UNLISTED_GAME))

    usual = json.loads(screened(store_environment, "--json").stdout)
    fewer = json.loads(screened(store_environment, "--json", "--leave-out", "unlisted").stdout)

    assert (usual["games"], usual["left_out_by_reason"]) == (3, {})
    assert (fewer["games"], fewer["left_out_by_reason"]) == (2, {"unlisted": 1})


def test_an_annulled_game_is_included_by_that_word(api: InProcess, store_environment: dict[str, str]) -> None:
    """A ruling after its end annulled it, which is not one that gave or replaced its result."""
    rule_after_the_end(api, api.stored(1, most_offers=5), "annulled")
    rule_after_the_end(api, api.stored(2, most_offers=5), "awarded")

    found = json.loads(screened(store_environment, "--json", "--include", "annulled").stdout)

    assert (found["games"], found["left_out_by_reason"]) == (1, {"ruled": 1})


def test_of_an_archive_commands_name_games_and_no_files(
    in_folder: Installation, store_environment: dict[str, str]
) -> None:
    """The service that they ask knows a game by its id, archived or not."""
    games = [in_folder.archived(seed).id for seed in (1, 2)]
    env = {**store_environment, "FIELDBOOK_ARCHIVE": in_folder.target.address}

    found = json.loads(screened(env, "--archive", "--json").stdout)

    seen = [moment for pair in found["pairs"] for moment in pair["moments"]]
    assert {each["game"] for each in seen} == {*games}
    for each in seen:
        assert each["show"] == (
            f"fieldbook replay show http://127.0.0.1:8000/v1/games/{each['game']} --at {each['moment']['version']}"
        )


def test_a_store_without_a_finished_game_is_wrong_use(store_environment: dict[str, str]) -> None:
    """As a folder without a record is."""
    done = screened(store_environment)

    assert done.exit_code == 2
    assert "There is no finished game there." in done.output
