"""What an archived game leaves in the store, and how much of it: what docs/limits.md says under Memory."""

import re
from collections import Counter

from service.jobs.jobs import validation_report
from service.verification.store import Validations
from tests.support.archiving import NOW, Installation

PASSING = re.compile(r"limits:|rq:|.*:presence:|fieldbook:ticket:")
"""Keys that expire, and those of the queue."""
GAME = re.compile(r":game:[a-z2-7]+:")


def taken(installation: Installation) -> Counter[str]:
    """Bytes of what the store keeps, by the names of its keys without partition and game."""
    command = installation.store.connection.command
    found: Counter[str] = Counter()
    for key in command("KEYS", "*"):
        if not PASSING.match(key.decode()):
            name = GAME.sub(":game:*:", re.sub(r"^\{p\d+\}", "", key.decode()))
            found[name] += int(command("MEMORY", "USAGE", key, "SAMPLES", 0) or 0)
    return found


def test_less_than_a_third_of_a_game_stays(in_folder: Installation) -> None:
    """One that was played over HTTP, a request for each command: feed, tombstone, private fields, reports, list."""
    in_folder.project()
    before = taken(in_folder)
    party = in_folder.api.people(4)
    assert party.play()
    in_folder.project()
    Validations(in_folder.store).add(party.game, validation_report(in_folder.store, party.game, NOW))
    live = taken(in_folder) - before
    in_folder.archiving.archive(party.game, NOW)
    left = taken(in_folder) - before
    assert {name for name in live if name not in left} == {":game:*:log", ":game:*:commands"}
    assert {name for name in left if name.startswith(":game:")} == {":game:*:head", ":game:*:private"}
    assert left.total() < live.total() / 3
    assert (left[":feed"] + left[":game:*:head"]) / left.total() > 3 / 4, (
        "of these the page names the figures"
    )
