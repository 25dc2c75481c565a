"""A promise that a trade's offer names is due before the next command, also where a ready seat gives that command.

Source: docs/record-format.md, "What a verifier checks". A command of a ready seat begins with `readiness_withdrawn`,
which carries the command; the events after it carry none.
"""

from pathlib import Path
from typing import Any

from tests.support.both_verifiers import verify_with_both
from tests.support.record_files import Line, narrowed, recorded, sealed, write

FIRST_OFFER, FIRST_TRADE, FIRST_PROMISE = 34, 35, 36
SECOND_OFFER, SECOND_TRADE, LAST_PROMISES = 38, 39, (40, 41)
NEXT_COMMAND = 38


def of_readiness(event_type: str, entry: dict[str, Any], command: dict[str, Any]) -> Line:
    """Return the line of an event of readiness that happens with an entry, to its actor."""
    seat = int(entry["actor"].removeprefix("seat:"))
    changed = {"type": event_type, "data": {"seat": seat}, "command": command}
    return {"entry": entry | changed, "salts": {}, "hash": ""}


def two_trades(*, has_promise: bool) -> bytes:
    """Return a public record that ends with two trades: the one who accepts them is ready before the second."""
    header, *lines, _ = narrowed(recorded("ladybohn-expansion/three-players"), "public")
    del header["secret"]
    at = {line["entry"]["version"]: line for line in lines}
    offer, trade = at[SECOND_OFFER]["entry"], at[SECOND_TRADE]["entry"]
    offer["at"] = at[FIRST_OFFER]["entry"]["at"]
    offer["data"]["offer"] = trade["data"]["offer"] = 8
    accept = trade.pop("command") | {"offer": 8}
    kept = [
        *lines[:FIRST_OFFER],
        at[SECOND_OFFER],
        of_readiness("readiness_declared", trade | {"at": offer["at"]}, {"type": "ready"}),
        at[FIRST_TRADE],
        *([at[FIRST_PROMISE]] if has_promise else []),
        of_readiness("readiness_withdrawn", trade, accept),
        at[SECOND_TRADE],
        *(at[version] for version in LAST_PROMISES),
    ]
    for version, line in enumerate(kept, 1):
        line["entry"]["version"] = version
    return sealed([header, *kept, {}])


def test_a_promise_that_is_there_is_accepted(tmp_path: Path) -> None:
    """The record without the forgery verifies."""
    for verdict in verify_with_both(write(tmp_path / "record.ndjson", two_trades(has_promise=True))):
        assert (verdict.status, verdict.findings) == (0, ())


def test_a_promise_left_out_before_a_ready_seat_accepts_is_found(tmp_path: Path) -> None:
    """At the entry with the next command; the second trade's promises do not make up for it."""
    for verdict in verify_with_both(write(tmp_path / "record.ndjson", two_trades(has_promise=False))):
        assert (verdict.status, verdict.findings) == (1, (("fold", NEXT_COMMAND),))
