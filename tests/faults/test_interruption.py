"""A campaign that is stopped in the middle leaves no process behind, whatever it had broken just then."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.support.processes import with_setting
from tests.support.servers import ROOT, environment_without_settings, eventually


@contextmanager
def interruptible() -> Iterator[None]:
    """What is started can be interrupted, also where the tests run in the background and so ignore it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@pytest.mark.soak
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found by /proc")
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda each: each.name
)
def test_an_interrupted_campaign_leaves_nothing_behind(number: signal.Signals) -> None:
    """Asked to end, interrupted at the keyboard, or killed, when it may have paused its store."""
    with interruptible():
        campaign = subprocess.Popen(
            [sys.executable, "-m", "tests.faults", "--fault", "paused-store", "--clients", "2"],
            cwd=ROOT,
            env=environment_without_settings(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
    try:
        # Store, web with two further processes, projector, bots, worker.
        eventually(lambda: len(with_setting("FIELDBOOK_PARENT", str(campaign.pid))) >= 7, seconds=60)
        campaign.send_signal(number)
        assert campaign.wait(60) != 0
    finally:
        campaign.kill()
        campaign.wait(10)
    eventually(lambda: with_setting("FIELDBOOK_PARENT", str(campaign.pid)) == [], seconds=30)
