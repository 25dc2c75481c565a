"""The author of annotations follows the one rule for names when something is written."""

from pathlib import Path

import pytest

from tests.support.commands import replay

RECORD = Path(__file__).parent.parent / "logs" / "bean-duel" / "2-players-4011.ndjson.gz"


@pytest.mark.parametrize("name", ["A\nB", "A\tB", "A\u0085B", "A\u2028B", "A\u034fB", "A\u17b4B", "A\u202eB"])
def test_an_author_has_a_name_that_everybody_sees(name: str, tmp_path: Path) -> None:
    """Wrong use, with what is wrong; no file is written."""
    notes = tmp_path / "notes.ndjson"
    refused = replay(
        "annotate", "add", RECORD, "--at", 5, "--file", notes, "--author", name, "--comment", "Well played."
    )
    assert refused.returncode == 2, refused.stderr
    assert "name" in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not notes.exists()


def test_an_author_may_write_in_any_script(tmp_path: Path) -> None:
    """Letters of every script and joiners between them."""
    notes = tmp_path / "notes.ndjson"
    name = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645 Zo\u00eb"
    done = replay(
        "annotate", "add", RECORD, "--at", 5, "--file", notes, "--author", name, "--comment", "Well played."
    )
    assert done.returncode == 0, done.stderr
