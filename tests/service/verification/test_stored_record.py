"""The log of the store as a record, for the worker: what is missing is named, and nothing waits for it."""

from itertools import islice

import pytest

from events.game.record import RecordBroken
from service.verification.stored_record import read_stored_record
from tests.service.in_process import InProcess


def test_a_log_that_ends_before_the_version_asked_for_is_broken_there(api: InProcess) -> None:
    """A feed may tell of a version that the log has lost."""
    game = api.stored()
    length = len(game.recorded.log)
    _, forms = read_stored_record(api.store, game.id, length + 3)
    assert len(list(islice(forms, length))) == length
    with pytest.raises(RecordBroken, match=f"ends at version {length}") as broken:
        next(forms)
    assert broken.value.version == length + 1
