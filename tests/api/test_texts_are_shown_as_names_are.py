"""Commands show in texts of a record what the rule for names refuses in names, and leave alone what it allows."""

from pathlib import Path

import pytest

from tests.service.in_process import InProcess
from tests.support.commands import replay

HIDDEN = ("\u034f", "\u17b4", "\u180b", "\u2800")
"""Characters that show nothing and that talk may have."""
JOINED = ("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\U0001f468\u200d\U0001f469", "\u2764\ufe0f")
"""Words and emoji of which an invisible character is a part."""


def told(api: InProcess, folder: Path, said: str) -> str:
    """Return what the command line prints of a game in which this was said."""
    party = api.people()
    party.send(0, {"type": "say", "text": said})
    record = folder / "record.ndjson"
    record.write_bytes(api.call("GET", f"/v1/games/{party.game}/record", token=party.tokens[0]).body)
    printed = replay("log", record)
    assert printed.returncode == 0, printed.stderr
    return printed.stdout


def test_characters_that_show_nothing_are_named(api: InProcess, tmp_path: Path) -> None:
    """A reader sees that they are there."""
    printed = told(api, tmp_path, "".join(f"a{each}b " for each in HIDDEN).strip())
    for each in HIDDEN:
        assert f"a<{ord(each):02x}>b" in printed


@pytest.mark.parametrize("word", JOINED)
def test_joiners_within_words_stay(api: InProcess, tmp_path: Path, word: str) -> None:
    """They are part of how a word is written, as in names."""
    assert word in told(api, tmp_path, word)
