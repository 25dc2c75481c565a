"""Games of every registered rule system verify in every scope, and in the middle of the game as well."""

import pytest

from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.systems.registry import BY_KEY
from replay.verification.verify import verify_lines
from tests.support.recorded_games import recorded_game


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
@pytest.mark.parametrize("system", BY_KEY)
def test_a_genuine_record_verifies(system: str, viewer: int) -> None:
    """Auditor, spectator and a seat find nothing wrong, with the whole game and with a beginning of it."""
    game = recorded_game(9, BY_KEY[system].players[-1], most_offers=12, system=system)
    ends = [entry.version - 1 for entry in game.log if entry.command and entry.actor != "dealer"]

    whole = verify_lines(game.record(viewer))
    half = verify_lines(game.record(viewer, ends[len(ends) // 2]))

    assert (whole.findings, whole.status, whole.head) == ((), "finished", game.table.hash)
    assert (half.findings, half.status) == ((), "running")
