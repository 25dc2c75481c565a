"""Each of many random changes to signed records is found by both verifiers, and neither crashes.

`make test` tries some of them, `make soak` all 2,016.
"""

import random
from functools import cache

import pytest

from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.systems.registry import BY_KEY
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from tests.replay.second_verifier.genuine import Genuine, signed_game
from tests.support.depth import depth
from tests.support.mutations import mutation
from tests.support.second_verifier import SecondVerifier

WHOLE = 112
"""Changes to each of 18 records: 2,016 in all."""
PER_RECORD = depth(WHOLE // 32, WHOLE)
"""Changes to each record in this run; the first ones of the whole."""


@cache
def other_record(system: str, viewer: int) -> list[bytes]:
    """The record of another game of the system in the same scope, signed by the same key."""
    return signed_game(system, seed=24).record(viewer)


@pytest.mark.deep
@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
@pytest.mark.parametrize("system", BY_KEY)
def test_every_random_change_is_found(second_verifier: SecondVerifier, system: str, viewer: int) -> None:
    """Whatever it is, wherever it is: a bit, a byte, a line or a value."""
    game: Genuine = signed_game(system)
    record, chance = game.record(viewer), random.Random(f"{system} {viewer}")
    missed: list[tuple[str, bool, bool]] = []

    for _ in range(PER_RECORD):
        what, changed = mutation(record, other_record(system, viewer), chance)
        first = verify_lines(changed.splitlines(keepends=True), game.trust)
        second = second_verifier.report(changed, game.trust)
        if first.ok or second["ok"]:
            missed.append((what, first.ok, second["ok"]))
        assert len(first.findings) == len(second["findings"]) == 1
        assert "cannot be processed" not in first.findings[0].reason, what

    assert missed == []


def test_they_are_enough() -> None:
    """At least 2,000 in the long run, and some of each kind in the short one."""
    assert WHOLE * 3 * len(BY_KEY) >= 2_000
    assert PER_RECORD * 3 * len(BY_KEY) >= 50


def test_what_is_changed_was_genuine(second_verifier: SecondVerifier) -> None:
    """Both verifiers hold the records that are changed here for genuine: nothing else is wrong with them."""
    for system in BY_KEY:
        game = signed_game(system)
        for viewer in (ALL, PUBLIC, 1):
            record = game.record(viewer)
            assert verify_lines(record, Trust()).ok
            assert verify_lines(record, game.trust).trusted
            assert second_verifier.report(record, game.trust)["trusted"]
