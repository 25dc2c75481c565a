"""Every command that takes an address, where nobody listens: it says so at once, and where."""

import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.command_line import main
from tests.support.processes import free_port

GAME = "{address}/v1/games/7f3c9a1e5b"


@pytest.mark.parametrize(
    "words",
    [
        "disputes --service {address} list",
        "disputes --service {address} show 7f3c9a1e5b/1",
        f"replay verify {GAME}",
        f"replay log {GAME} --follow",
        f"replay show {GAME}",
        f"replay annotate export {GAME} --file notes.ndjson",
    ],
)
def test_a_wrong_port_is_named_at_once(words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With status 2; nothing is written."""
    monkeypatch.chdir(tmp_path)
    address = f"http://127.0.0.1:{free_port()}"
    began = time.monotonic()

    ended = CliRunner().invoke(main, words.format(address=address).split())

    assert ended.exit_code == 2, ended.output
    assert address in ended.output
    assert "Connection refused" in ended.output
    assert time.monotonic() - began < 5
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", ["log {address} --follow", "log {address}", "show {address}"])
def test_an_address_of_no_game_is_said_to_be_none(words: str) -> None:
    """In a sentence with an example, and status 2; found as a traceback."""
    ended = CliRunner().invoke(main, ["replay", *words.format(address="http://127.0.0.1:1/nothing").split()])

    assert ended.exit_code == 2, ended.output
    assert "is no address of a game, such as https://host/v1/games/<id>" in ended.output
