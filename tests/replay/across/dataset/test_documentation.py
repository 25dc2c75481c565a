"""The reference in docs/dataset.md is made from the columns, and every column says what it means."""

import os
import re
import subprocess
import sys
from pathlib import Path

from events.domain_events import Talked
from events.log.codec import decode_event
from replay.across.dataset.documentation import BEGIN, END, reference
from replay.across.dataset.format import FORMAT, TABLES
from tests.replay.across.folders import write_good, write_left
from tests.support.recorded_games import recorded_game

PAGE = Path(__file__).parents[4] / "docs" / "dataset.md"


def test_the_page_holds_the_reference_of_the_tables() -> None:
    """As `fieldbook dataset --columns` prints it."""
    page = PAGE.read_text(encoding="utf-8")

    assert page.partition(BEGIN)[2].partition(END)[0].strip() == reference().strip()
    assert f"format {FORMAT}" in page


def test_every_column_has_a_meaning_and_every_table_its_games() -> None:
    """Sentences, and in each table the three columns by which tables are joined and files are laid out."""
    for table in TABLES:
        assert table.about.endswith(".")
        assert [column.name for column in table.columns][:3] == ["game", "system", "month"]
        for column in table.columns:
            assert column.meaning[0].isupper() or column.meaning[0] == "`"
            assert column.meaning.endswith(".")
            assert "|" not in column.meaning


def test_the_function_of_the_page_can_be_run_as_it_stands(tmp_path: Path) -> None:
    """On two cores, on a folder of records, as a script."""
    script = re.findall(r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)[
        0
    ]
    (tmp_path / "talk.py").write_text(script, encoding="utf-8")
    write_left(write_good(tmp_path / "records"))

    done = subprocess.run(
        [sys.executable, "talk.py"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(PAGE.parents[1])},
        capture_output=True,
        text=True,
        check=True,
    )

    said = sum(isinstance(decode_event(entry), Talked) for entry in recorded_game(1).log)
    assert said
    assert f"a.ndjson {said}\n" in done.stdout
    assert "running.ndjson unfinished\n" in done.stdout
    assert len(done.stdout.splitlines()) == 11
