"""What somebody can do to a record who wants it to look genuine: change entries and link everything anew."""

import json
from collections.abc import Callable
from typing import Any

from events.chain.commitments import commit
from events.chain.hash_chain import GENESIS, link
from events.domain_events import GameRewound
from events.log.disclosure import Form, public_form
from events.log.redacted import event_in
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE
from replay.verification.verify import verify_lines
from tests.support.recorded_games import recorded_game

Line = dict[str, Any]
STRICT = (("bean_protection", "strict"), ("start_seat", "random"))
GAME = recorded_game(5, 4, STRICT, 12)
"""A genuine, finished game."""


def finding_in(record: list[bytes]) -> tuple[str, int]:
    """The check that fails, and the version."""
    report = verify_lines(record)
    assert not report.ok
    return report.findings[0].check, report.findings[0].version


def version_of(event_type: str, place: int = 0) -> int:
    """The version of an entry of this type in the genuine game."""
    return [entry.version for entry in GAME.log if entry.type == event_type][place]


def parsed(record: list[bytes]) -> list[Line]:
    """The lines of a record as JSON objects."""
    return [json.loads(line) for line in record]


def written(lines: list[Line]) -> list[bytes]:
    """JSON objects as the lines of a record."""
    return [json.dumps(line, separators=(",", ":"), ensure_ascii=False).encode() + b"\n" for line in lines]


def entry_of(lines: list[Line], event_type: str, place: int = 0) -> Line:
    """The form of the first, or a later, entry of this type; a negative place counts from the last."""
    return [line for line in lines if line.get("entry", {}).get("type") == event_type][place]


def relinked(lines: list[Line]) -> list[bytes]:
    """The record with new chain hashes throughout, as if it had always read like this."""
    head = GENESIS
    for line in lines[1:-1]:
        head = line["hash"] = link(head, public_form(Form(line["entry"], line["salts"], "")))
    lines[-1] = {"end": len(lines) - 2, "hash": head}
    return written(lines)


def resettled(lines: list[Line]) -> list[bytes]:
    """Relinked, and with new state hashes wherever the record has the salts for them."""
    states = [INITIAL_STATE]
    for line in lines[1:-1]:
        event = event_in(line["entry"])
        state = states[-1]
        if isinstance(event, GameRewound):
            begun = [each for each in states[event.to_version : event.to_version + 1] if each.turn]
            state = begun[0] if begun else state
        state = evolve(state, event)
        states.append(state)
        if "state" in line["salts"]:
            line["entry"]["state"] = commit(line["salts"]["state"], state)
    return relinked(lines)


def altered(record: list[bytes], change: Callable[[list[Line]], None]) -> list[bytes]:
    """The record after a change that is covered up as well as can be."""
    lines = parsed(record)
    change(lines)
    return resettled(lines)


def relinked_after(record: list[bytes], change: Callable[[list[Line]], None]) -> list[bytes]:
    """The record changed and relinked, its states left as they are."""
    lines = parsed(record)
    change(lines)
    return relinked(lines)
