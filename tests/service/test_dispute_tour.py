"""The way of a dispute on the command line, every command a process of its own; the screens are kept."""

import difflib
from pathlib import Path

import pytest

from tests.service.dispute_tour import KEPT, toured
from tests.support.processes import EVERYTHING, Service


@pytest.mark.xdist_group("processes")
def test_the_tour_shows_what_it_showed_when_it_was_kept(tmp_path: Path) -> None:
    """After an intended change: `python -m tests.service.dispute_tour`, and read it."""
    with Service(tmp_path) as service:
        service.start(*EVERYTHING)
        service.await_ready()
        shown = toured(service)
    kept = KEPT.read_text("utf-8")
    assert shown == kept, "\n".join(difflib.unified_diff(kept.splitlines(), shown.splitlines(), lineterm=""))
