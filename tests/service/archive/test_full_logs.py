"""A log at its cap: the worker, the archive, the service's own endpoint and both verifiers read it."""

import pytest

from events import commands as c
from events.chain.hash_chain import GENESIS
from events.game.limits import FULL_BYTES, FULL_ENTRIES, LARGEST_PLAYED
from events.game.table import Table
from events.log.actors import actor_number
from events.log.codec import decode_command
from events.log.disclosure import ALL, PUBLIC
from events.log.recorded import RecordedEvent
from events.store.redis.redis_store import RedisEventStore
from replay.verification.verify import verify_lines
from service.access.game_access import SECRET, GamePolicy
from service.jobs.jobs import validation_report
from service.play.budgets import LogFull, check_budget
from service.verification.store import Validations
from tests.support.archiving import NOW, Installation
from tests.support.recorded_games import RecordedGame, recorded_game
from tests.support.second_verifier import SecondVerifier

SHORT = recorded_game(5, most_offers=0)
TALKED_AT = next(entry.version for entry in SHORT.log[60:] if entry.command) - 1
AT_ONCE = 2_000
FRAME = len(b'{"seat":0,"text":""}' + b'{"type":"say","text":""}')


def full_game() -> RecordedGame:
    """A finished game in which so much was said that its log has all entries, and nearly all bytes, that it may."""
    log, at = list(SHORT.log[:TALKED_AT]), SHORT.log[TALKED_AT - 1].at
    table = recorded_game(5, most_offers=0, stop_at=60).table
    assert (table.version, table.hash) == (TALKED_AT, log[-1].hash)
    messages = FULL_ENTRIES - len(SHORT.log)
    length = ((FULL_BYTES - SHORT.table.log.size) // messages - FRAME) // 2
    for number in range(messages):
        table, entries = table.submit(number % 4, c.Say("x" * length), at)
        log += entries
    for entry in SHORT.log[TALKED_AT:]:
        if entry.command and entry.actor.startswith("seat:"):
            table, entries = table.submit(actor_number(entry.actor), decode_command(entry.command), at)
            log += entries
    return RecordedGame(table, tuple(log))


def store_game(store: RedisEventStore, table: Table, log: tuple[RecordedEvent, ...]) -> None:
    """Append it piece by piece, as it might have been played."""
    for start in range(0, len(log), AT_ONCE):
        store.append(
            table.game,
            log[start : start + AT_ONCE],
            expected_version=start,
            expected_hash=log[start - 1].hash if start else GENESIS,
            command_id=f"piece {start}",
            fingerprint="test",
            private={} if start else {SECRET: table.secret, **GamePolicy().private_fields()},
        )


@pytest.mark.process  # the service verifies in a process of its own
def test_what_the_service_accepts_everything_reads(
    in_folder: Installation, second_verifier: SecondVerifier
) -> None:
    """32,768 entries and 16 MiB: validated, archived, read back, uploaded plain, and verified twice."""
    game = full_game()
    assert game.table.state.status == "finished"
    assert game.table.version == FULL_ENTRIES
    assert game.table.log.size > FULL_BYTES * 0.99
    with pytest.raises(LogFull, match="as much as a log may have"):
        check_budget(game.table, 0, c.Say("more"))
    store_game(in_folder.store, game.table, game.log)
    in_folder.project()

    report = validation_report(in_folder.store, game.table.game, NOW)
    assert report["ok"], report["findings"]
    Validations(in_folder.store).add(game.table.game, report)
    outcome = in_folder.archiving.archive(game.table.game, NOW)
    assert outcome.events == FULL_ENTRIES
    assert in_folder.store.read(game.table.game) == game.log

    for viewer in (PUBLIC, ALL):
        record = b"".join(game.record(viewer))
        assert 16 * 1024 * 1024 < len(record) <= LARGEST_PLAYED
        assert second_verifier.report(record)["ok"]
        assert verify_lines(record.splitlines(keepends=True)).ok
        headers = {"Content-Type": "application/x-ndjson"}
        answer = in_folder.api.call("POST", "/v1/verifications", raw=record, headers=headers)
        assert (answer.status, answer.json["ok"]) == (200, True), answer.json
