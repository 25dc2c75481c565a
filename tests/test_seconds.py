"""What the suite knows of how long its files take: tests/README.md, "What `make quick` takes"."""

from pathlib import Path

from tests.seconds import LENGTHY, TRIAL, part_evenly, read_seconds, sum_up

REPORT = """<testsuites><testsuite>
  <testcase classname="tests.test_seconds" name="test_one" time="5.1"/>
  <testcase classname="tests.test_seconds.TestOfAClass" name="test_two" time="4"/>
  <testcase classname="tests.seconds" name="tests.seconds.example" time="1"/>
</testsuite></testsuites>"""


def test_every_file_that_takes_long_is_there() -> None:
    """What was renamed or taken away is written down anew."""
    seconds = read_seconds()
    assert [name for name in seconds if not Path(name).is_file()] == []
    assert min(seconds.values()) >= LENGTHY


def test_the_parts_of_the_trials_are_all_of_them_and_take_about_as_long() -> None:
    """Continuous integration takes a third: none may be forgotten, and none be much longer than the others."""
    trials = {name: seconds for name, seconds in read_seconds().items() if seconds >= TRIAL}
    for parts in (1, 2, 3, 5):
        placed = part_evenly(trials, parts)
        sums = [sum(trials[name] for name in placed if placed[name] == part) for part in range(1, parts + 1)]
        assert placed.keys() == trials.keys()
        assert sum(sums) == sum(trials.values())
        assert max(sums) - min(sums) <= max(trials.values())


def test_a_report_is_summed_up_by_files(tmp_path: Path) -> None:
    """Of functions, classes and examples; those that take less than eight seconds are left out."""
    report = tmp_path / "report.xml"
    report.write_text(REPORT)
    assert sum_up(report) == {"tests/test_seconds.py": 9}
