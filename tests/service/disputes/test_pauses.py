"""A game that waits for a case: for so long, as often as that, and no longer than those at the table want."""

from typing import Any

import pytest

from service.disputes import dispute_resolution
from service.disputes.queue import DisputeQueue
from service.http.context.services import EXTENSION
from service.platform.clock import now_milliseconds
from tests.service.disputes.test_settled_disputes import Court, court
from tests.service.in_process import InProcess

DAY = 86_400_000


@pytest.fixture
def at(api: InProcess) -> Court:
    """A game of three people that has just begun, and two arbiters."""
    found = court(api, players=3)
    found.party.play(6)
    return found


def go_on(at: Court, case: int, seat: int) -> Any:
    """A seat asks that the game goes on; the case afterwards."""
    at.done(f"/disputes/{case}/resumption", at.party.tokens[seat])
    return at.case(case)


def test_a_game_goes_on_when_all_others_at_the_table_want_it(at: Court) -> None:
    """The case is decided all the same; asked twice, nobody counts twice."""
    case = at.opened()
    assert at.table["paused_by"] == [case]
    assert "resumption" in at.case(case)["possible"]
    assert go_on(at, case, 0)["resumed"] == ""
    assert go_on(at, case, 0)["play_wished"] == ["seat:0"]
    assert at.table["paused_by"] == [case]
    after = go_on(at, case, 2)
    assert (after["status"], after["resumed"], "resumption" in after["possible"]) == ("open", "agreed", False)
    assert at.table["paused_by"] == []
    at.party.play(4)
    refused = at.ask("POST", f"/disputes/{case}/resumption", at.party.tokens[0])
    assert (refused.status, refused.json["code"]) == (409, "wrong_case_status")
    at.done(f"/disputes/{case}/claim", at.arbiter)
    ruling = {"kind": "dismissed", "scope": "all of it", "reason": "It was agreed to."}
    assert at.done(f"/disputes/{case}/rulings", at.arbiter, ruling)["status"] == "ruled"


def test_whoever_has_it_wait_has_it_go_on(at: Court) -> None:
    """Alone, and without taking the case back."""
    case = at.opened()
    assert go_on(at, case, 1)["resumed"] == "agreed"
    assert at.table["paused_by"] == []


def test_a_game_waits_for_a_day_at_most(at: Court) -> None:
    """Then it goes on by itself: the projector finds that it is due, and the case stays open."""
    case = at.opened()
    found = at.api.app.extensions[EXTENSION].dispute_resolution
    queue, game = DisputeQueue(at.api.store), at.party.game
    now = now_milliseconds()
    assert game not in queue.due(now)
    found.pass_deadlines(game, now)
    assert at.table["paused_by"] == [case]
    assert game in queue.due(now + DAY)
    found.pass_deadlines(game, now + DAY)
    assert at.table["paused_by"] == []
    assert (at.case(case)["status"], at.case(case)["resumed"]) == ("open", "time_over")
    assert game not in queue.due(now + DAY)
    at.party.play(4)


def test_a_party_has_a_game_wait_for_two_cases(at: Court) -> None:
    """Further ones are opened without; how long one waits is a setting."""
    for version in (3, 4):
        case = at.opened(version)
        go_on(at, case, 1)
    body = {"reason": "other", "text": "Again.", "version": 5, "pause": True}
    refused = at.ask("POST", "/disputes", at.party.tokens[1], body)
    assert (refused.status, refused.json["code"]) == (409, "too_many_pauses")
    assert at.ask("POST", "/disputes", at.party.tokens[1], body | {"pause": False}).status == 201
    assert dispute_resolution.dispute_limits({"FIELDBOOK_PAUSE_SECONDS": "60"}).pause == 60_000
