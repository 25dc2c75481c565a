"""An earlier release is set up and measured beside this one, at a tiny size; here it is this one's own commit."""

import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.benchmarks.peers.earlier_release import earlier_release
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.release import ROOT
from tests.benchmarks.rows.earlier.spectators import EarlierSpectators
from tests.benchmarks.rows.spectators import Crowd

SMALL_CROWD = Crowd(spectators=5, games=2, rate=10.0, warm_up=0.2, seconds=1.0)


@pytest.mark.soak
def test_an_earlier_release_gets_the_same_load_with_functions_environment_and_store_of_its_own() -> None:
    """Its spectators see everything exactly once, as ours do, or there is no row."""
    known = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], capture_output=True, check=False)
    if known.returncode:
        pytest.skip("This is no clone of the repository.")
    with TemporaryDirectory() as folder:
        peers = Peers(wanted=False, earlier=earlier_release("HEAD", str, folder=Path(folder)))
        (row,) = EarlierSpectators(SMALL_CROWD).run(1, peers)

    commit = known.stdout.decode()[:12]
    assert row.beside is not None
    assert row.beside.what.startswith(f"HEAD ({commit}): p99 of delivery to 5 spectators")
    assert row.ratio is not None
    assert row.command == f"fieldbook bench --only earlier-spectators --beside {commit}"
