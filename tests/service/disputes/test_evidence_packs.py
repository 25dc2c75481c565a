"""Evidence packs: built by a worker, named by the dispute log, handed out to whoever may see all cards."""

import zlib
from concurrent.futures import ThreadPoolExecutor

import pytest
import redis

from events.chain.canonical import sha256_hex
from events.disputes import commands as c
from events.disputes.entries import DisputeEntry
from events.disputes.state import Case
from events.store.errors import StoreDamaged
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from replay.exports.evidence.pack import pack_bytes, read_pack
from service.access.store import Keys
from service.disputes.disputes import DisputeLog, Disputes
from service.disputes.evidence import EvidencePacks
from service.disputes.queue import DisputeQueue
from service.jobs import jobs
from service.jobs.dispatching import JOINED_SECONDS, Dispatcher
from service.platform.clock import now_milliseconds
from tests.service.disputes.disputing import BEN, NOW, RUNNING, Chamber
from tests.service.disputes.test_disputes import Court
from tests.service.in_process import InProcess
from tests.service.in_process_worker import work


def pack_path(court: Court) -> str:
    """Where the pack of the first case is."""
    return f"{court.path}/1/evidence-pack"


def built(court: Court) -> int:
    """Build what is due, as the worker does."""
    return EvidencePacks(court.api.store).build(court.game.id, now_milliseconds())


def entries(court: Court) -> tuple[DisputeEntry, ...]:
    """The dispute log of the court's game."""
    return Disputes(court.api.store).of(court.game.id).entries


def ended(store: RedisEventStore, game: str) -> int:
    """When the last thing happened in a game."""
    head = store.head(game)
    assert head is not None
    return store.read(game, head.version - 1, 1)[0].at


@pytest.fixture
def court(api: InProcess) -> Court:
    """A court about a running game, in which a case was opened."""
    made = Court(api)
    made.done("open", made.ann)
    return made


def test_a_case_gets_its_pack_and_a_new_one_when_more_is_said(court: Court) -> None:
    """At its opening, with evidence and with an appeal; nothing is built twice."""
    assert built(court) == 1
    assert built(court) == 0
    first = court.case()["pack"]
    court.done("evidence", court.ben, {"text": "Look.", "versions": [109]})
    assert court.case()["pack_due"] is True
    assert built(court) == 1
    court.done("claim", court.ada)
    court.done("rulings", court.ada, {"kind": "dismissed", "scope": "turn 7", "reason": "It was."})
    assert built(court) == 0
    court.done("appeal", court.cat, {"text": "No."})
    assert built(court) == 1

    log = entries(court)
    told = [entry.written["data"] for entry in log if entry.written["type"] == "evidence_pack_built"]
    assert [each["version"] for each in told] == [110, 110, 110]
    assert len({each["sha256"] for each in told}) == 3
    assert {each["format"] for each in told} == {"fieldbook-evidence/1"}
    assert court.case()["pack"] == told[-1]["sha256"] != first
    newest = read_pack(EvidencePacks(court.api.store).kept(court.game.id, told[-1]["sha256"]) or b"")
    assert [each.text for each in newest.dispute.evidence] == ["Look.", "No."]
    assert [each.kind for each in newest.rulings] == []


def test_an_arbiter_reads_it_in_three_forms(court: Court) -> None:
    """As JSON to the byte what the log names; as Markdown; as a page that may load nothing."""
    built(court)

    plain = court.api.call("GET", pack_path(court), token=court.ada)
    assert plain.status == 200
    assert sha256_hex(plain.body) == court.case()["pack"]
    pack = read_pack(plain.body)
    assert pack_bytes(pack) == plain.body
    assert (pack.game, pack.dispute.version) == (court.game.id, 110)
    assert pack.proof is not None
    assert pack.proof.hash == pack.dispute.hash
    assert pack.verdict.ok

    text = court.api.call("GET", pack_path(court), token=court.ada, headers={"Accept": "text/markdown"})
    assert text.body.decode().startswith("# Evidence in case 1")
    page = court.api.call("GET", pack_path(court), token=court.ada, headers={"Accept": "text/html"})
    assert page.body.startswith(b"<!doctype html>")
    assert "style-src 'sha256-" in page.headers["content-security-policy"]
    assert len({each.headers["etag"] for each in (plain, text, page)}) == 3
    same = {"If-None-Match": plain.headers["etag"]}
    assert court.api.call("GET", pack_path(court), token=court.ada, headers=same).status == 304


def test_an_earlier_pack_of_a_case_stays_readable(court: Court) -> None:
    """A ruling that was given on it can be judged by what its arbiter had read."""
    built(court)
    first = court.case()["pack"]
    court.done("evidence", court.ben, {"text": "Look."})
    built(court)

    answer = court.api.call("GET", f"{pack_path(court)}?sha256={first}", token=court.ada)
    assert sha256_hex(answer.body) == first
    unknown = court.api.call("GET", f"{pack_path(court)}?sha256={'0' * 64}", token=court.ada)
    assert (unknown.status, unknown.json["code"]) == (404, "no_evidence_pack")
    malformed = court.api.call("GET", f"{pack_path(court)}?sha256=abc", token=court.ada)
    assert malformed.status == 422


def test_until_the_end_it_is_for_arbiters(court: Court) -> None:
    """It shows hidden cards: no seat reads it, and not the key that set the game up without the scope."""
    built(court)
    plain = Keys(court.api.store).create("somebody", ("read_games",), 1)

    for token in (court.ann, court.ben, plain):
        refused = court.api.call("GET", pack_path(court), token=token)
        assert (refused.status, refused.json["code"]) == (403, "game_not_finished")


def test_once_the_game_has_finished_the_table_reads_it_too(api: InProcess) -> None:
    """Then nothing is hidden any more."""
    court = Court(api, stop_at=None)
    chamber = Chamber(api.store, court.game.id)
    chamber.at = ended(api.store, court.game.id)
    chamber.opened()
    built(court)

    assert court.api.call("GET", pack_path(court), token=court.ben).status == 200


def test_a_pack_that_is_not_there_yet_is_said_to_come(court: Court) -> None:
    """A case that does not exist has none."""
    answer = court.api.call("GET", pack_path(court), token=court.ada)

    assert (answer.status, answer.json["code"]) == (404, "no_evidence_pack")
    assert "in a moment" in answer.json["detail"]
    other = court.api.call("GET", f"{court.path}/9/evidence-pack", token=court.ada)
    assert (other.status, other.json["code"]) == (404, "no_such_dispute")


def test_the_sweeper_sees_what_waits_and_the_job_builds_it(
    court: Court, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dispute log is the truth: whatever becomes of the queue, a case waits until its pack is named there."""
    queue = DisputeQueue(court.api.store)
    monkeypatch.setattr(jobs, "_store", lambda: court.api.store)

    assert queue.without_pack() == [court.game.id]
    jobs.build_evidence(court.game.id)
    assert queue.without_pack() == []
    jobs.build_evidence(court.game.id)
    court.done("evidence", court.ben, {"text": "Look."})
    assert queue.without_pack() == [court.game.id]
    court.done("withdrawal", court.ann)
    assert queue.without_pack() == []


class Interrupted(EvidencePacks):
    """Packs of a store where somebody adds evidence before the first one is kept."""

    tries = 0
    chamber: Chamber

    def _keep(self, log: DisputeLog, case: Case, content: bytes, at: int) -> bool:
        self.tries += 1
        if self.tries == 1:
            self.chamber.do(c.AddEvidence("Meanwhile.", (17,)), BEN)
        return super()._keep(log, case, content, at)


def test_what_is_said_meanwhile_stands_in_the_pack(api: InProcess) -> None:
    """The pack is built again: the log never names one that does not know all that was said before it."""
    game = api.stored(stop_at=RUNNING).id
    packs = Interrupted(api.store)
    packs.chamber = Chamber(api.store, game)
    packs.chamber.opened()

    assert packs.build(game, NOW) == 1

    assert packs.tries == 2
    assert packs.chamber.types == ["dispute_opened", "evidence_added", "evidence_pack_built"]
    pack = read_pack(packs.kept(game, packs.chamber.case.pack or "") or b"")
    assert [each.text for each in pack.dispute.evidence] == ["Meanwhile."]
    assert pack.dispute_log == 2


def test_two_workers_at_once_write_it_down_once(api: InProcess) -> None:
    """A job that runs twice changes no more than one that runs once."""
    game = api.stored(stop_at=RUNNING).id
    chamber = Chamber(api.store, game)
    chamber.opened()

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(lambda _: EvidencePacks(api.store).build(game, NOW), range(4))) == 1

    assert chamber.types == ["dispute_opened", "evidence_pack_built"]


def test_a_pack_that_was_changed_is_not_handed_out(court: Court) -> None:
    """What the log names and what is kept have to agree."""
    built(court)
    sha256 = court.case()["pack"]
    key = GameKeys(court.game.id, court.api.store.partitions).evidence
    court.api.store.connection.command("HSET", key, sha256, zlib.compress(b"{}"))

    with pytest.raises(StoreDamaged):
        EvidencePacks(court.api.store).kept(court.game.id, sha256)
    assert court.api.call("GET", pack_path(court), token=court.ada).status == 500


def test_what_is_said_soon_after_one_another_is_in_one_pack(court: Court, queue: redis.Redis) -> None:
    """Forty pieces of evidence are not forty packs, which would hold up the verdicts on other games."""
    now = [100.0]
    dispatcher = Dispatcher(court.api.store, lambda: now[0])

    def said(times: int) -> int:
        for number in range(times):
            court.done("evidence", court.ben, {"text": f"Look {number}.", "versions": [109]})
            dispatcher.sweep_evidence()
            work(queue)
        return sum(entry.written["type"] == "evidence_pack_built" for entry in entries(court))

    assert said(12) == 1
    now[0] += JOINED_SECONDS
    assert said(1) == 2
    assert (
        len(read_pack(court.api.call("GET", pack_path(court), token=court.ada).body).dispute.evidence) == 13
    )
