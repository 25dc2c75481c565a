"""The compiled build: the same reports as the sources, for genuine records and forged ones, and the same laws.

It is built where there is a C compiler, which Fieldbook itself does not need; continuous integration has one.
"""

import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from events.log.disclosure import ALL, PUBLIC
from replay.client.sources import record_lines
from replay.verification.execution.derivation import NOT_DERIVED
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import GAME, parsed, relinked, resettled, written
from tests.replay.whole_games import DISPUTED, ONE_OF_EACH
from tests.support.mutations import line_with_other_value

ROOT = Path(__file__).parents[3]
BUILD = ROOT / "build" / "compiled"
REPORTS = """
import sys
from pathlib import Path
import msgspec
from events.rules import decide
from replay.verification import verification
from replay.verification.verify import verify_lines

assert not {Path(each.__file__).suffix for each in (decide, verification)} & {".py"}
for path in sys.argv[1:]:
    print(msgspec.json.encode(verify_lines(Path(path).read_bytes().splitlines(keepends=True))).decode())
"""
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler"),
]


@pytest.fixture
def build() -> Path:
    """The folder with the compiled build."""
    # The requirements are there, or no test would run: make need not look whether they are.
    subprocess.run(["make", "--old-file=.venv/.development", "compiled"], cwd=ROOT, check=True)
    return BUILD


def forgeries(count: int) -> list[list[bytes]]:
    """Records with a value changed, covered up in every way."""
    chance = random.Random(7)
    found: list[list[bytes]] = []
    while len(found) < count:
        record = GAME.record(chance.choice((ALL, PUBLIC)))
        line = chance.randrange(1, len(record) - 1)
        _, record[line] = line_with_other_value(record[line], chance)
        try:
            found.append(chance.choice((written, relinked, resettled))(parsed(record)))
        except NOT_DERIVED:  # nobody can link this
            continue
    return found


def test_the_reports_are_the_same_and_the_laws_hold(build: Path, tmp_path: Path) -> None:
    """Whatever a record is like, both say the same of it, to the letter; and games of every system keep the laws.

    One test, because it builds in the one place that there is: two processes would be in each other's way.
    """
    records = forgeries(300)
    for path in (*ONE_OF_EACH, *DISPUTED):
        with record_lines(str(path)) as lines:
            records.append(list(lines))
    paths = [tmp_path / f"{number}.ndjson" for number in range(len(records))]
    for path, record in zip(paths, records, strict=True):
        path.write_bytes(b"".join(record))

    told = _run(build, "-c", REPORTS, *map(str, paths))

    assert told.splitlines() == [msgspec.json.encode(verify_lines(record)).decode() for record in records]
    _run(build, "-m", "tests.laws", "--random", "2", "--greedy", "1", "--made-up", "1", "--processes", "2")


def _run(build: Path, *arguments: str) -> str:
    """What Python prints in the compiled build, which comes before the sources there."""
    environment = {**os.environ, "PYTHONPATH": f"{build}{os.pathsep}{ROOT}"}
    ran = subprocess.run(
        [sys.executable, *arguments],
        cwd=build,
        env=environment,
        check=True,
        stdout=subprocess.PIPE,
        text=True,
    )
    return ran.stdout
