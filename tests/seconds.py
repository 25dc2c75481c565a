"""How long each file of tests takes: `python -m tests.seconds REPORT.xml` writes it down in `seconds.tsv`.

The report is one of `make everything`, as pytest writes it for `PYTEST_ADDOPTS=--junit-xml=REPORT.xml`. `conftest.py`
leaves out by it what `make quick` and `make test` have no time for, and parts the rest evenly.
"""

import sys
from collections import Counter
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

MEASURED: Final = Path(__file__).with_suffix(".tsv")
LENGTHY: Final = 8
"""Seconds from which on `make quick` leaves a file out."""
TRIAL: Final = 20
"""Seconds from which on `make test` leaves a file out, too."""


def read_seconds() -> dict[str, int]:
    """The files that take long, each with its seconds; those that take less than LENGTHY are not among them."""
    rows = (line.split("\t") for line in MEASURED.read_text(encoding="utf-8").splitlines())
    return {name: int(seconds) for name, seconds in rows}


def part_evenly(seconds: dict[str, int], parts: int) -> dict[str, int]:
    """Which part each file is in, from 1, so that all take about as long: the longest first, to the emptiest."""
    taken = Counter(dict.fromkeys(range(1, parts + 1), 0))
    placed = {}
    for name in sorted(seconds, key=lambda each: (-seconds[each], each)):
        placed[name] = min(taken, key=lambda part: (taken[part], part))
        taken[placed[name]] += seconds[name]
    return placed


def sum_up(report: Path) -> dict[str, int]:
    """The seconds of each file in a report, setting up and taking down counted in, where they are LENGTHY or more."""
    taken = Counter[str]()
    for case in ET.parse(report).iter("testcase"):  # noqa: S314 - our own report
        taken[_file_of(case.attrib["classname"])] += float(case.attrib["time"])  # type: ignore[assignment]
    return {name: round(taken[name]) for name in sorted(taken) if taken[name] >= LENGTHY}


def _file_of(classname: str) -> str:
    """The file of a test: its name in a report has the file's folders and name, and the class where there is one."""
    path = Path(*classname.split("."))
    while path.name and not path.with_suffix(".py").is_file():
        path = path.parent
    return f"{path.as_posix()}.py"


if __name__ == "__main__":
    found = sum_up(Path(sys.argv[1]))
    MEASURED.write_text("".join(f"{name}\t{seconds}\n" for name, seconds in found.items()), encoding="utf-8")
