"""Numbers in arguments and settings are ASCII digits: no command takes `1_0` or digits of other scripts."""

import pytest

from tests.support.commands import fieldbook, replay
from tests.support.servers import ROOT

RECORD = ROOT / "tests" / "logs" / "classic" / "3-players-4015.ndjson.gz"
NOT_NUMBERS = ("1_0", "٤", "\uff11", "+5", " 5")


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_an_argument(text: str) -> None:
    """It is wrong use, and the message names the argument."""
    for command in (
        ("show", RECORD, "--at", text),
        ("log", RECORD, "--from", text),
        ("diff", RECORD, "--to", text),
    ):
        done = replay(*command)
        assert done.returncode == 2
        assert command[-2] in done.stderr
        assert "not a whole number" in done.stderr
    assert replay("show", RECORD, "--at", "1").returncode == 0


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_a_viewer(text: str) -> None:
    """A seat is a number, too."""
    assert replay("show", RECORD, "--as", f"seat:{text}").returncode == 2


@pytest.mark.parametrize(
    "setting",
    [
        "FIELDBOOK_LIMITS=reads=٤/60",
        "FIELDBOOK_LIMITS=reads=1_0/60",
        "FIELDBOOK_BOT_PATIENCE=1_0",
        "FIELDBOOK_BOT_PATIENCE=٤",
        "FIELDBOOK_BOT_PATIENCE=1e3",
        "PORT=80_80",
        "PORT=٨٠٨٠",
        "WEB_PROCESSES=٤",
    ],
)
def test_a_setting(setting: str) -> None:
    """`fieldbook configuration` says which one a start would refuse."""
    name, _, value = setting.partition("=")
    done = fieldbook("configuration", environment={name: value})
    assert done.returncode == 2
    assert name in done.stdout + done.stderr
