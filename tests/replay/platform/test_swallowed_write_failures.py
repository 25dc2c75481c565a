"""A file that could not be written is never put in the place of a good one, even if a library hides the failure."""

import resource
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from replay.platform.exit_status import WRITE_FAILED, OutputFailed
from replay.platform.output_file import CSV, open_output

LIMIT = 1000


@pytest.fixture
def full() -> Iterator[None]:
    """Limit the size of files while the test runs."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def write_and_hide_failures(path: Path) -> None:
    """Write more than fits, as a library does that catches every exception and goes on."""
    with open_output(path, CSV) as file:
        for _ in range(30):
            with suppress(Exception):
                file.write(b"x" * LIMIT)


@pytest.mark.usefixtures("full")
def test_the_earlier_file_stays(tmp_path: Path) -> None:
    """The failure is raised at the end, and nothing is left beside the file."""
    path = tmp_path / "events.csv"
    path.write_bytes(b"game,version,at,\n")
    with pytest.raises(OutputFailed) as raised:
        write_and_hide_failures(path)
    assert raised.value.status == WRITE_FAILED
    assert path.read_bytes() == b"game,version,at,\n"
    assert [*tmp_path.iterdir()] == [path]


def test_a_device_reports_its_failure() -> None:
    """A device is written to directly; the command must not end as if it had been written."""
    with pytest.raises(OutputFailed):
        write_and_hide_failures(Path("/dev/full"))


def test_a_stream_reports_its_failure() -> None:
    """An open descriptor is written to directly as well."""
    with Path("/dev/full").open("wb") as full_device, pytest.raises(OutputFailed):
        write_and_hide_failures(Path(f"/dev/fd/{full_device.fileno()}"))
