"""The replay tools on a game at this service: by its address, with a token, live to its end."""

import json
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Thread

import pytest
from click.testing import CliRunner, Result
from werkzeug.serving import make_server

from replay.command_line import replay
from tests.replay.terminal.pseudo_terminal import Terminal
from tests.service.in_process import NEARLY_OVER, InProcess
from tests.support.http_play import Party


@contextmanager
def listening(api: InProcess) -> Iterator[str]:
    """The address of the application, on a loopback port."""
    server = make_server("127.0.0.1", 0, api.app, threaded=True)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join(30)


def newest_version(api: InProcess, game: str) -> int:
    """The version that a game has by now."""
    version: int = api.get(f"/v1/games/{game}")["version"]
    return version


def run(token: str, *arguments: str) -> Result:
    """Run a command with a token in the environment."""
    return CliRunner().invoke(replay, [*arguments], env={"FIELDBOOK_KEY": token})


@pytest.mark.parametrize("seat", [0, 2])
def test_a_seat_follows_its_game_to_the_end(api: InProcess, seat: int) -> None:
    """It sees its own cards and nobody else's, from the first entry to the last, each verified as it arrives."""
    game = api.stored(stop_at=NEARLY_OVER)
    party = Party(api, game.id, game.tokens, random.Random(5))
    with listening(api) as service, ThreadPoolExecutor(1) as helper:
        address = f"{service}/v1/games/{game.id}"
        following = helper.submit(run, game.tokens[seat], "log", address, "--follow", "--json")
        assert party.play()
        followed = following.result(timeout=300)
        whole = run(game.tokens[seat], "log", address, "--as", f"seat:{seat}", "--json")

    told = [json.loads(line) for line in followed.output.splitlines()]
    after = [json.loads(line) for line in whole.output.splitlines()]
    assert (followed.exit_code, whole.exit_code) == (0, 0)
    assert [each["hash"] for each in told] == [each["hash"] for each in after]
    assert [each["entry"] for each in told] == [each["entry"] for each in after]
    assert told[-1]["entry"]["type"] == "secret_revealed"


def test_the_player_at_the_address_of_a_running_game_follows_it(api: InProcess) -> None:
    """Without being asked to: it begins at the newest event, and grows while one looks."""
    game = api.stored(stop_at=NEARLY_OVER)
    party = Party(api, game.id, game.tokens, random.Random(5))
    with listening(api) as service:
        address, before = f"{service}/v1/games/{game.id}", newest_version(api, game.id)
        terminal = Terminal(address, FIELDBOOK_KEY=game.tokens[0])
        terminal.until(f"{before} of {before}")
        assert party.play()
        after = newest_version(api, game.id)
        terminal.until(f"{after} of {after}")
        terminal.press("q")
        status, _ = terminal.close()
        finished = Terminal(address)
        finished.until(f"1 of {after}")
        finished.press("q")
        assert (status, finished.close()[0]) == (0, 0)


def test_what_there_is_by_now_can_be_looked_at_without_following(api: InProcess) -> None:
    """With --no-follow the player begins at the first event."""
    game = api.stored(stop_at=60)
    with listening(api) as service:
        terminal = Terminal(f"{service}/v1/games/{game.id}", "--no-follow", FIELDBOOK_KEY=game.tokens[0])
        terminal.until(f"1 of {newest_version(api, game.id)}")
        terminal.press("q")
        assert terminal.close()[0] == 0


def test_the_service_decides_who_sees_what(api: InProcess) -> None:
    """Without a token a running game is the public's; what the service does not give cannot be shown."""
    game = api.stored(stop_at=60)
    with listening(api) as service:
        address = f"{service}/v1/games/{game.id}"
        public = run("", "show", address)
        own = run(game.tokens[1], "show", address, "--knows")
        others = run(game.tokens[1], "show", address, "--as", "seat:0")
        unknown = run("", "show", f"{service}/v1/games/no-such-game")
        wrong = run("fbs_nobody", "show", address)

    assert (public.exit_code, own.exit_code) == (0, 0)
    assert "as public" in public.output
    assert "What seat:1 could know for certain" in own.output
    assert others.exit_code == unknown.exit_code == wrong.exit_code == 2
    assert "holds only what seat:1 may see" in others.output
    assert "was refused (404" in unknown.output
    assert "was refused (403" in wrong.output
