"""A record of scope `all` is a full copy of the log: the stored entries come out of it byte for byte."""

from pathlib import Path

import msgspec
import pytest

from events.game.dealing import log_salt_key
from events.game.record import read_record
from events.log.disclosure import ALL, form_for, rebuild_event
from events.rules.systems.registry import BY_KEY
from replay.client.sources import record_lines
from tests.support.recorded_games import recorded_game

LOGS = sorted((Path(__file__).parents[1] / "logs").rglob("*.ndjson*"))


@pytest.mark.parametrize("path", LOGS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_recorded_log_gives_back_its_entries(path: Path) -> None:
    """Made into forms again with the salts of the opened secret, they are the record's own lines."""
    with record_lines(str(path)) as lines:
        header, forms = read_record(lines)
        if header.scope != "all":
            return
        whole = list(forms)
    secret = header.secret or whole[-1].entry["data"]["secret"]

    entries = list(map(rebuild_event, whole))
    key = log_salt_key(entries[0], secret)

    again = [form_for(entry, key, ALL) for entry in entries]
    assert list(map(msgspec.json.encode, again)) == list(map(msgspec.json.encode, whole))


@pytest.mark.parametrize("system", sorted(BY_KEY))
def test_every_system_gives_back_its_entries(system: str) -> None:
    """What was stored and what is rebuilt from the record are the same bytes."""
    game = recorded_game(11, min(BY_KEY[system].players), system=system)
    _, forms = read_record(game.record(ALL))

    assert tuple(map(rebuild_event, forms)) == game.log
