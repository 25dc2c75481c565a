"""The log of finished games over the API: what it hands out can be checked, and it never takes anything back."""

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from events.store.errors import StoreDamaged, StoreUnavailable
from events.store.redis.redis_store import RedisEventStore
from events.transparency.checkpoint import parse_checkpoint
from events.transparency.game_head import GameHead, parse_game_head
from events.transparency.log_proof import parse_consistency_proof, parse_inclusion_proof
from events.transparency.merkle_tree import MerkleTree
from events.transparency.signed_note import VerifierKey, parse_note
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from service.verification.signing_keys import SigningKeys
from service.verification.store import LOG
from service.verification.transparency_log import NoSuchEntry, TransparencyLog
from tests.service.in_process import InProcess
from tests.support.rolled_back import Moment


def text(api: InProcess, path: str) -> str:
    """The text at a path."""
    answer = api.call("GET", path)
    assert answer.status == 200, answer.body
    assert answer.headers["content-type"].startswith("text/plain")
    return answer.body.decode()


def key_of(api: InProcess) -> VerifierKey:
    """The published key in use."""
    published = api.get("/v1/signing-keys")
    assert published["name"] == "fieldbook.test/in-process"
    return VerifierKey.parse(published["keys"][-1]["key"])


def fill(api: InProcess, games: int) -> list[GameHead]:
    """Log heads of games that are not there."""
    log = TransparencyLog(api.store, api.signing_keys)
    heads = [GameHead(f"other-{number}", 9, f"{number:064x}", "finished") for number in range(games)]
    for head in heads:
        log.log(head)
    return heads


def test_a_finished_games_record_is_signed_and_logged(api: InProcess) -> None:
    """The record alone convinces whoever trusts the published key; in every scope."""
    game = api.stored()
    fill(api, 3)
    for viewer in ("all", "public", "seat:2"):
        record = api.call("GET", f"/v1/games/{game.id}/record?as={viewer}").body.splitlines(keepends=True)

        report = verify_lines(record, Trust((key_of(api),)))

        assert report.ok, report.findings
        assert (report.trusted, report.logged) == (True, "entry 3 of 4")
        assert json.loads(record[0])["secret"] == game.recorded.table.secret


def test_a_running_games_record_is_signed_and_keeps_the_secret(api: InProcess) -> None:
    """The signature is on the head as it stands."""
    game = api.stored(stop_at=80)
    record = api.call("GET", f"/v1/games/{game.id}/record").body

    assert verify_lines(record.splitlines(keepends=True), Trust((key_of(api),))).ok
    assert game.recorded.table.secret.encode() not in record
    assert api.call("GET", f"/v1/games/{game.id}/proof").json["code"] == "not_finished"


def test_a_checkpoint_kept_earlier_is_answered(api: InProcess) -> None:
    """With its size the record has the consistency proof; without, it can't answer."""
    game = api.stored()
    api.call("GET", f"/v1/games/{game.id}/record")
    kept = parse_note(api.get("/v1/log")["checkpoint"])
    fill(api, 6)
    trust = Trust((key_of(api),), kept)

    answered = api.call("GET", f"/v1/games/{game.id}/record?checkpoint=1").body.splitlines(keepends=True)
    plain = api.call("GET", f"/v1/games/{game.id}/record").body.splitlines(keepends=True)

    assert verify_lines(answered, trust).ok
    assert verify_lines(plain, trust).findings[0].check == "log"
    assert api.call("GET", f"/v1/games/{game.id}/record?checkpoint=99").json["code"] == "no_such_entry"


def test_everybody_can_compute_the_root_themselves(api: InProcess) -> None:
    """From the entries, page by page; and check each proof that is handed out."""
    heads = fill(api, 7)
    entries: list[str] = []
    while (page := api.get(f"/v1/log/entries?from={len(entries)}&limit=3"))["entries"]:
        entries += page["entries"]
        assert page["next"] == len(entries)
    assert entries == [head.text() for head in heads]
    tree = MerkleTree()
    for entry in entries:
        tree.append(entry.encode())
    for size in range(8):
        note = parse_note(text(api, f"/v1/log/checkpoint?size={size}"))
        checkpoint = parse_checkpoint(note.text)
        assert note.require([key_of(api)]) == key_of(api)
        assert (checkpoint.origin, checkpoint.size) == ("fieldbook.test/in-process", size)
        assert checkpoint.root == tree.root(size)
        proof = parse_consistency_proof(text(api, f"/v1/log/consistency?from={size}"))
        now = parse_checkpoint(parse_note(text(api, "/v1/log/checkpoint")).text)
        proof.check(checkpoint, now)


def test_a_proof_can_be_asked_for_at_the_size_of_a_kept_checkpoint(api: InProcess) -> None:
    """Then no consistency proof is needed."""
    game = api.stored()
    fill(api, 2)
    text(api, f"/v1/games/{game.id}/proof")
    fill(api, 5)

    proof = parse_inclusion_proof(text(api, f"/v1/games/{game.id}/proof?size=3"))

    assert proof.checkpoint.size == 3
    proof.check(game.recorded.head.text())
    assert api.call("GET", f"/v1/games/{game.id}/proof?size=2").json["code"] == "no_such_entry"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/v1/log/checkpoint?size=99", 404),
        ("/v1/log/checkpoint?size=-1", 422),
        ("/v1/log/checkpoint?size=beans", 422),
        ("/v1/log/consistency?from=3&to=2", 404),
        ("/v1/log/consistency?from=0&to=99", 404),
        ("/v1/log/consistency", 422),
        ("/v1/log/entries?limit=-1", 422),
        ("/v1/log?size=1", 422),
        ("/v1/games/nobody/proof", 404),
        ("/v1/games/nobody/receipt", 404),
    ],
)
def test_what_the_log_never_had_is_refused(api: InProcess, path: str, status: int) -> None:
    """With a problem document that says what there is."""
    answer = api.call("GET", path)

    assert answer.status == status
    assert answer.headers["content-type"] == "application/problem+json"
    assert api.get("/v1/log/entries?from=12")["entries"] == []


def test_a_receipt_is_a_signed_head_of_any_version(api: InProcess) -> None:
    """Open, running and finished games; the record of the finished game satisfies it."""
    game = api.stored()
    log = game.recorded.log
    started = next(entry.version for entry in log if entry.type == "game_started")
    receipts = []
    for version, status in ((1, "open"), (started, "running"), (200, "running"), (len(log), "finished")):
        note = parse_note(text(api, f"/v1/games/{game.id}/receipt?version={version}"))
        assert note.require([key_of(api)]) == key_of(api)
        assert parse_game_head(note.text) == GameHead(game.id, version, log[version - 1].hash, status)
        receipts.append(note)
    record = api.call("GET", f"/v1/games/{game.id}/record").body.splitlines(keepends=True)

    assert verify_lines(record, Trust((key_of(api),), None, tuple(receipts))).ok
    assert api.call("GET", f"/v1/games/{game.id}/receipt?version=99999").json["code"] == "no_such_version"
    newest = api.call("GET", f"/v1/games/{game.id}/receipt")
    assert newest.headers["etag"] == f'"{len(log)}-{log[-1].hash[:8]}"'


def test_a_head_is_logged_once_whoever_asks(api: InProcess, tmp_path: Path) -> None:
    """Many at the same moment, in processes of their own; each game has one place."""
    logs = [TransparencyLog(api.store, api.signing_keys) for _ in range(4)]
    heads = [GameHead(f"g{number}", 5, f"{number:064x}", "finished") for number in range(10)]
    with ThreadPoolExecutor(4) as pool:
        places = list(pool.map(lambda log: [log.log(head) for head in heads], logs))

    assert all(each == places[0] for each in places)
    assert sorted(places[0]) == list(range(10))
    assert api.get("/v1/log")["size"] == 10


def test_another_head_of_a_logged_game_is_refused(api: InProcess) -> None:
    """The operator's own service does not log a game twice."""
    log = TransparencyLog(api.store, api.signing_keys)
    log.log(GameHead("g", 5, "ab" * 32, "finished"))

    with pytest.raises(StoreDamaged, match="another head of game g"):
        log.log(GameHead("g", 5, "cd" * 32, "finished"))


def test_a_game_that_ended_twice_after_an_accepted_loss_has_both_heads_in_the_log(api: InProcess) -> None:
    """The log hides neither; the record is served, and is vouched for by the later one."""
    log = TransparencyLog(api.store, api.signing_keys)
    game = api.stored()
    partition = api.store.partition_of(game.id)
    lost = GameHead(game.id, 5, "ab" * 32, "finished")
    log.log(lost)
    assert api.call("GET", f"/v1/games/{game.id}/record").json["code"] == "log_damaged"

    api.store.quarantine.put(partition, "the store has lost 1 append")
    api.store.quarantine.release(partition)
    record = api.call("GET", f"/v1/games/{game.id}/record").body.splitlines(keepends=True)

    assert [parse_game_head(each).game for each in log.entries(0, 9)] == [game.id, game.id]
    assert log.place_of(game.id) == 1
    assert verify_lines(record, Trust((key_of(api),))).ok
    with pytest.raises(StoreUnavailable, match="ask again"):
        log.log(lost)
    assert log.size() == 2


def test_a_log_that_lost_entries_is_not_signed(store: RedisEventStore, tmp_path: Path) -> None:
    """A process that knew more than the store has says so, instead of signing a second history."""
    log = TransparencyLog(store, SigningKeys(tmp_path))
    for number in range(3):
        log.log(GameHead(f"g{number}", 5, "ab" * 32, "finished"))
    log.checkpoint()
    with pytest.raises(NoSuchEntry):
        log.inclusion_proof("nobody")
    store.connection.command("SET", f"{{p00}}:projection:{LOG}:checkpoint", 2)

    with pytest.raises(StoreDamaged, match="lost some"):
        log.checkpoint()
    store.connection.command("SET", f"{{p00}}:projection:{LOG}:checkpoint", 5)
    with pytest.raises(StoreDamaged, match="no entry"):
        log.checkpoint()


def test_after_a_rotation_old_checkpoints_and_new_ones_belong_together(api: InProcess) -> None:
    """The log keeps its name; the key list leads from the old key to the new one."""
    game = api.stored()
    api.call("GET", f"/v1/games/{game.id}/record")
    kept = parse_note(text(api, "/v1/log/checkpoint"))
    old = key_of(api)
    api.signing_keys.rotate()
    fill(api, 2)

    record = api.call("GET", f"/v1/games/{game.id}/record?checkpoint=1").body.splitlines(keepends=True)

    assert verify_lines(record, Trust((old, key_of(api)), kept)).ok
    assert verify_lines(record, Trust((old,), kept)).findings[0].check == "signature"


def test_a_log_that_was_cut_and_went_on_is_not_signed_by_who_knew_more(
    api: InProcess, store: RedisEventStore
) -> None:
    """Also when it is as long as before, or longer: two processes must never sign two histories of one size."""
    fill(api, 3)
    before = Moment(store.connection)
    knew_more = TransparencyLog(store, api.signing_keys)
    knew_more.log(GameHead("lost", 9, "ab" * 32, "finished"))
    assert parse_checkpoint(parse_note(knew_more.checkpoint()).text).size == 4
    before.return_to()
    for game in ("one", "two"):
        TransparencyLog(store, api.signing_keys).log(GameHead(game, 9, "cd" * 32, "finished"))
        with pytest.raises(StoreDamaged):
            knew_more.checkpoint()

    assert parse_checkpoint(parse_note(TransparencyLog(store, api.signing_keys).checkpoint()).text).size == 5
