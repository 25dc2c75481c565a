"""A record of twelve megabytes takes no more memory than one of two: both verifiers read it as a stream."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from events import commands as c
from events.game.record import header_for, write_record
from events.log.disclosure import PUBLIC, form_for
from events.transparency.game_head import GameHead
from tests.support.recorded_games import recorded_game
from tests.support.second_verifier import FOLDER, node_program
from tests.support.servers import ROOT
from tests.support.signing import Signer

TEXT = "🫘" * 450
"""Table talk of 1,800 bytes; an entry holds it twice."""
SMALL, LARGE = 2_000_000, 12_000_000
MOST_GROWTH = 24 * 1024
"""KiB: what the collectors of garbage leave lying about; the record grew by ten megabytes."""


def written(path: Path, size: int) -> None:
    """Write the signed record of a game in which somebody talked for so many bytes."""
    begun = recorded_game(5, 3, (), 2, stop_at=60)
    table, log = begun.table, list(begun.log)
    while sum(len(entry.data) for entry in log) * 2 < size:
        table, entries = table.submit(0, c.Say(TEXT[: 200 + len(log) % 200]), log[-1].at + 1)
        log += entries
    signer = Signer()
    head = GameHead(table.game, table.version, table.hash, "running")
    forms = (form_for(entry, table.key, PUBLIC) for entry in log)
    lines = write_record(header_for(table, PUBLIC), forms, signer.attachments(head))
    path.write_bytes(b"".join(lines))


def peak(command: list[str], folder: Path) -> int:
    """The most memory that a command held, in KiB."""
    report = folder / "peak"
    measured = (
        "import resource, subprocess, sys; "
        "done = subprocess.run(sys.argv[2:], stdout=subprocess.DEVNULL); "
        "open(sys.argv[1], 'w').write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)); "
        "sys.exit(done.returncode)"
    )
    subprocess.run(
        [sys.executable, "-c", measured, str(report), *command],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=True,
        timeout=240,
    )
    return int(report.read_text())


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The small and the large record."""
    folder = tmp_path_factory.mktemp("records")
    for name, size in (("small", SMALL), ("large", LARGE)):
        written(folder / name, size)
    small, large = folder / "small", folder / "large"
    assert small.stat().st_size > SMALL
    assert large.stat().st_size > LARGE
    return small, large


def test_the_first_verifier_needs_no_more_memory_for_more(records: tuple[Path, Path], tmp_path: Path) -> None:
    """`replay verify` on ten megabytes more."""
    small, large = (
        peak([sys.executable, "-m", "replay", "verify", str(record)], tmp_path) for record in records
    )
    assert large - small < MOST_GROWTH


def test_the_second_verifier_needs_no_more_memory_for_more(
    records: tuple[Path, Path], tmp_path: Path
) -> None:
    """The same in Node, with a bounded young generation, so that what is measured is not its collector's leisure."""
    command = [node_program(), "--max-semi-space-size=1", str(FOLDER / "verify.mjs")]
    small, large = (peak([*command, str(record)], tmp_path) for record in records)
    assert large - small < MOST_GROWTH
