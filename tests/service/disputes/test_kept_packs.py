"""Evidence packs do not pile up: the newest stay, those that rulings were given on, and so many bytes."""

import msgspec
import pytest

from events.disputes import commands as c
from events.disputes.entries import DisputeEntry, next_entries
from events.disputes.events import CaseEventRecord, EvidencePackBuilt, RulingGiven
from events.disputes.evolve import fold
from events.disputes.facts import SERVICE
from service.disputes import kept_packs
from service.disputes.evidence import MOST_AT_ONCE, EvidencePacks
from service.disputes.kept_packs import NEWEST_OF_A_CASE, choose_unneeded
from service.disputes.store import DisputeRecords
from service.platform.clock import now_milliseconds
from tests.events.disputes.given import DISMISSAL, START, court
from tests.service.disputes.disputing import ADA as ARBITER
from tests.service.disputes.disputing import BEN, NOW, RUNNING, Chamber
from tests.service.disputes.test_disputes import Court
from tests.service.in_process import InProcess

ROOMY = dict.fromkeys((f"{number:064x}" for number in range(20)), 10)


def log_of(*what: int | str, withdrawn: bool = False) -> tuple[list[DisputeEntry], list[str]]:
    """A log of one case with packs of these numbers, and rulings with these reasons; and what may go of `ROOMY`."""
    given = court("open")
    happened = [*given.happened]
    for each in what:
        if isinstance(each, int):
            event: EvidencePackBuilt | RulingGiven = EvidencePackBuilt(17, f"{each:064x}", "f/1")
        else:
            event = RulingGiven(kind="dismissed", scope="all", reason=each, until=START)
        happened.append(CaseEventRecord(1, START, SERVICE, event))
    cases = fold(happened)
    if withdrawn:
        cases = (msgspec.structs.replace(cases[0], status="withdrawn"),)
    entries = next_entries("g", None, happened)
    return entries, choose_unneeded(entries, cases, ROOMY)


def gone(*what: int | str, withdrawn: bool = False) -> set[int]:
    """The numbers of the packs that may go, of those that were named."""
    return {int(sha256, 16) for sha256 in log_of(*what, withdrawn=withdrawn)[1]} & {
        each for each in what if isinstance(each, int)
    }


def test_the_newest_of_a_case_stay_and_those_that_were_ruled_on() -> None:
    """Also those that a ruling names; what nothing names goes."""
    assert NEWEST_OF_A_CASE == 3
    assert gone(0, 1, 2) == set()
    assert gone(0, 1, 2, 3, 4) == {0, 1}
    assert gone(0, 1, "why", 2, 3, 4, 5) == {0, 2}
    assert gone(0, 1, 2, 3, 4, f"The pack {0:064x} shows it.", 5, 6, 7) == {1, 2, 3}
    assert len(log_of(0)[1]) == len(ROOMY) - 1


def test_so_many_bytes_stay_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest of a case that goes on stays all the same, and what was ruled on."""
    monkeypatch.setattr(kept_packs, "LARGEST_OF_A_GAME", 20)
    assert gone(0, 1, 2) == {0}
    monkeypatch.setattr(kept_packs, "LARGEST_OF_A_GAME", 5)
    assert gone(0, "why", 1, 2) == {1}
    assert gone(0, 1, 2, withdrawn=True) == {0, 1, 2}


def test_packs_do_not_pile_up_and_that_of_a_ruling_stays(api: InProcess) -> None:
    """A case about which something is said again and again has a few packs in the store."""
    game = api.stored(stop_at=RUNNING).id
    chamber, packs = Chamber(api.store, game), EvidencePacks(api.store)
    chamber.opened()
    packs.build(game, NOW)
    ruled_on = chamber.case.pack or ""
    chamber.do(c.Claim(), ARBITER)
    chamber.do(DISMISSAL, ARBITER)
    chamber.do(c.Appeal("No."), BEN)
    for number in range(NEWEST_OF_A_CASE + 2):
        chamber.do(c.AddEvidence(f"Look at {number}."), BEN)
        assert packs.build(game, NOW) == 1
    stored = DisputeRecords(api.store).pack_sizes(game)
    assert len(stored) == NEWEST_OF_A_CASE + 1
    assert {ruled_on, chamber.case.pack} <= stored.keys()
    assert all(stored.values())


def test_a_pack_that_was_thrown_away_is_said_to_be_gone(api: InProcess) -> None:
    """Its hash stands in the log for ever."""
    made = Court(api)
    made.done("open", made.ann)
    hashes = []
    for number in range(NEWEST_OF_A_CASE + 1):
        EvidencePacks(api.store).build(made.game.id, now_milliseconds())
        hashes.append(made.case()["pack"])
        made.done("evidence", made.ben, {"text": f"Look at {number}."})
    path = f"{made.path}/1/evidence-pack?sha256="
    missing = api.call("GET", path + hashes[0], token=made.ada)
    assert (missing.status, missing.json["code"]) == (404, "no_evidence_pack")
    assert "thrown away" in missing.json["detail"]
    assert api.call("GET", path + hashes[1], token=made.ada).status == 200


def test_one_job_builds_a_few_packs_and_leaves_the_others_to_the_next(api: InProcess) -> None:
    """A game with many cases does not hold up those behind it in the queue."""
    game = api.stored(stop_at=RUNNING).id
    chamber = Chamber(api.store, game)
    for version in range(100, 103):
        chamber.opened(version=version)
    chamber.opened(BEN, 110)
    assert [EvidencePacks(api.store).build(game, NOW) for _ in range(3)] == [MOST_AT_ONCE, 1, 0]
