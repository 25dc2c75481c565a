"""What an archived game leaves in the store, and how much of it: what docs/limits.md says under Memory."""

from service.jobs.jobs import validation_report
from service.verification.store import Validations
from tests.support.archiving import NOW, Installation
from tests.support.kept_bytes import kept_bytes


def test_less_than_a_third_of_a_game_stays(in_folder: Installation) -> None:
    """One that was played over HTTP, a request for each command: feed, tombstone, private fields, reports, list."""
    in_folder.project()
    before = kept_bytes(in_folder.store)
    party = in_folder.api.people(4)
    assert party.play()
    in_folder.project()
    Validations(in_folder.store).add(party.game, validation_report(in_folder.store, party.game, NOW))
    live = kept_bytes(in_folder.store) - before
    in_folder.archiving.archive(party.game, NOW)
    left = kept_bytes(in_folder.store) - before
    assert {name for name in live if name not in left} == {":game:*:log", ":game:*:commands"}
    assert {name for name in left if name.startswith(":game:")} == {":game:*:head", ":game:*:private"}
    assert left.total() < live.total() / 3
    assert (left[":feed"] + left[":game:*:head"]) / left.total() > 3 / 4, (
        "of these the page names the figures"
    )
