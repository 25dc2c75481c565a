"""Disputes settled over HTTP in games of every system: paused, read, previewed, ruled, applied, played on to the end.

What counts then is the same for everybody: both verifiers, the list of games, the statistics and the replay.
"""

import random
from dataclasses import dataclass
from typing import Any

import pytest

from events.game.record import read_record
from events.log.disclosure import ALL
from events.rules.systems.registry import BY_KEY
from replay.exports.evidence.pack import read_pack
from replay.timeline.statistics.tally import compute_statistics
from replay.timeline.timeline import read_timeline
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from service.access.store import Keys
from service.disputes.evidence import EvidencePacks
from service.jobs.jobs import validation_report
from service.platform.clock import now_milliseconds
from tests.service.in_process import InProcess
from tests.service.projections.listing import listed, project
from tests.support.http_play import Answer, Party
from tests.support.second_verifier import SecondVerifier

SYSTEMS = list(BY_KEY)
SCOPE, WHY = "the last trade", "It was never agreed to: the log shows no acceptance by seat 1."


@dataclass
class Court:
    """A game of people at a service, and two arbiters."""

    api: InProcess
    party: Party
    arbiter: str
    other: str

    def ask(self, method: str, path: str, token: str, body: Any = None) -> Answer:
        """A request about the game."""
        return self.api.call(method, f"/v1/games/{self.party.game}{path}", body, token=token)

    def done(self, path: str, token: str, body: Any = None) -> Any:
        """A step that succeeds."""
        answer = self.ask("POST", path, token, body)
        assert answer.status in {200, 201}, (path, answer.body)
        return answer.json

    @property
    def table(self) -> Any:
        """The table as seat 0 sees it."""
        return self.ask("GET", "", self.party.tokens[0]).json

    def newest_stop(self) -> int:
        """The newest version that the game can go back to."""
        return int(self.ask("GET", "/take-backs", self.party.tokens[0]).json["versions"][0]["version"])

    def opened(self, version: int | None = None, *, pause: bool = True) -> int:
        """Seat 1 disputes a version; the case's number."""
        body = {
            "reason": "not_agreed",
            "text": "I never accepted that.",
            "version": version or self.table["version"],
            "pause": pause,
        }
        return int(self.done("/disputes", self.party.tokens[1], body)["dispute"])

    def accepted(self, case: int) -> None:
        """Every person at the table accepts the ruling."""
        for token in self.party.tokens:
            self.done(f"/disputes/{case}/acceptance", token)

    def case(self, number: int) -> Any:
        """A case as it stands."""
        return self.ask("GET", f"/disputes/{number}", self.arbiter).json


def court(api: InProcess, system: str = "classic", players: int | None = None) -> Court:
    """A game that has just begun, and two arbiters who have nothing to do with it."""
    count = players or BY_KEY[system].players[0]
    body = {"system": system, "seats": [{"name": f"player {seat}"} for seat in range(count)]}
    made = api.call("POST", "/v1/games", body, token=api.key).json
    party = Party(api, made["game"], [seat["token"] for seat in made["seats"]], random.Random(system))
    arbiters = [Keys(api.store).create(name, ("arbitrate",), 1) for name in ("Ada", "Bea")]
    return Court(api, party, *arbiters)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_game_goes_back_by_a_ruling_and_on_to_its_end(
    api: InProcess, second_verifier: SecondVerifier, system: str
) -> None:
    """Opened in the middle, paused, previewed, rewound, played on; everybody agrees on what counts."""
    at = court(api, system)
    at.party.play(25)
    back_to = at.newest_stop()
    then = at.ask("GET", f"?at={back_to}", at.party.tokens[0]).json
    at.party.play(15)
    head = at.table["version"]
    case = at.opened()
    assert at.table["paused_by"] == [case]
    refused = at.ask("POST", "/commands", at.party.tokens[0], {"type": "draw"})
    assert (refused.status, refused.json["code"]) == (422, "game_is_paused")

    assert EvidencePacks(api.store).build(at.party.game, now_milliseconds()) == 1
    pack = read_pack(at.ask("GET", f"/disputes/{case}/evidence-pack", at.arbiter).body)
    assert (pack.dispute.version, pack.verdict.ok) == (head, True)
    assert pack.ways_back

    at.done(f"/disputes/{case}/claim", at.arbiter)
    ruling = {"kind": "rewound", "scope": SCOPE, "reason": WHY, "to_version": back_to, "seen_confirmed": True}
    preview = at.done(f"/disputes/{case}/previews", at.arbiter, ruling)
    assert preview["discarded"] == [back_to + 1, head + 1]
    assert preview["table"]["turn"] == then["turn"]
    assert preview["branch"]
    assert at.table["version"] == head + 1, "a preview changes nothing"
    assert at.done(f"/disputes/{case}/rulings", at.arbiter, ruling)["status"] == "ruled"
    assert at.table["version"] == head + 1, "a ruling is applied when it is final"
    at.accepted(case)

    ended = at.case(case)
    assert (ended["status"], ended["ending"]["applied"], ended["ending"]["why"]) == (
        "final",
        True,
        "all_accepted",
    )
    now = at.table
    same = ("seats", "turn", "phase", "active", "revealed", "discard_pile", "waiting_for")
    assert {name: now[name] for name in same} == {name: then[name] for name in same}
    assert now["paused_by"] == []
    assert at.party.play()
    agreed_on(at, second_verifier, (back_to + 1, head + 1))


def agreed_on(at: Court, second_verifier: SecondVerifier, discarded: tuple[int, int]) -> None:
    """What counts, by the verifier, the audit, the list, the statistics and the replay."""
    lines = at.ask("GET", "/record", at.arbiter).body.splitlines(keepends=True)
    report = verify_lines(lines)
    assert report.findings == ()
    assert (report.status, report.discarded) == ("finished", (discarded,))
    assert audit_lines(lines).ok
    second = second_verifier.report(lines)
    assert (second["ok"], second["head"], second["discarded"]) == (True, report.head, [[*discarded]])
    final = at.table
    assert report.scores == tuple(final["result"]["scores"])
    assert report.winners == tuple(final["result"]["winners"])
    timeline = read_timeline(*read_record(iter(lines)), ALL)
    figures = compute_statistics(timeline)
    assert tuple(seat.score for seat in figures.seats) == report.scores
    assert timeline.at(timeline.last).state.result is not None
    assert [step.version for step in timeline.steps if not step.counts] == [
        *range(discarded[0], discarded[1] + 1)
    ]
    assert (at.party.game, report.entries) in project(at.api.store)
    row = listed(at.api)[at.party.game]
    assert (tuple(row["scores"]), tuple(row["winners"])) == (report.scores, report.winners)
    assert validation_report(at.api.store, at.party.game, 1)["ok"]


@pytest.mark.parametrize(
    ("ruling", "reason"),
    [
        ({"kind": "annulled"}, "annulled"),
        ({"kind": "awarded", "winners": [2]}, "awarded"),
        ({"kind": "replaced", "winners": [0, 1], "scores": [5, 5, 2]}, "replaced"),
    ],
    ids=lambda value: value["kind"] if isinstance(value, dict) else "",
)
def test_a_ruling_ends_a_running_game(api: InProcess, ruling: dict[str, Any], reason: str) -> None:
    """The secret is opened, and the record says how it ended."""
    at = court(api)
    at.party.play(30)
    case = at.opened()
    at.done(f"/disputes/{case}/claim", at.arbiter)
    body = {**ruling, "scope": SCOPE, "reason": WHY}
    assert at.done(f"/disputes/{case}/previews", at.arbiter, body)["discarded"] is None
    at.done(f"/disputes/{case}/rulings", at.arbiter, body)
    at.accepted(case)
    final = at.table
    assert (final["status"], final["result"]["reason"]) == ("finished", reason)
    assert final["result"]["winners"] == ruling.get("winners", [])
    report = verify_lines(at.ask("GET", "/record", at.arbiter).body.splitlines(keepends=True))
    assert report.findings == ()
    assert (report.status, report.reason, list(report.winners)) == (
        "finished",
        reason,
        ruling.get("winners", []),
    )


def test_a_dismissed_case_lets_the_game_go_on_as_it_stands(api: InProcess) -> None:
    """The ruling is in the game's log all the same."""
    at = court(api)
    at.party.play(12)
    before = at.table
    case = at.opened()
    at.done(f"/disputes/{case}/claim", at.arbiter)
    at.done(f"/disputes/{case}/rulings", at.arbiter, {"kind": "dismissed", "scope": SCOPE, "reason": WHY})
    at.accepted(case)
    after = at.table
    assert (after["seats"], after["paused_by"]) == (before["seats"], [])
    events = at.ask("GET", f"/events?after={before['version']}", at.arbiter).json["events"]
    assert [each["entry"]["type"] for each in events] == ["game_paused", "ruling_made"]
    assert at.party.play()


def test_a_withdrawn_case_lets_the_game_go_on(api: InProcess) -> None:
    """And so does one that nobody claimed in time."""
    at = court(api)
    at.party.play(5)
    case = at.opened()
    assert at.table["paused_by"] == [case]
    at.done(f"/disputes/{case}/withdrawal", at.party.tokens[1])
    assert at.table["paused_by"] == []
    at.party.play(3)


def test_on_appeal_another_arbiters_ruling_is_applied_at_once(api: InProcess) -> None:
    """The first ruling never was: the game had waited for the end of the case."""
    at = court(api)
    at.party.play(20)
    back_to = at.newest_stop()
    at.party.play(10)
    case = at.opened(pause=False)
    at.done(f"/disputes/{case}/claim", at.arbiter)
    body = {"kind": "rewound", "scope": SCOPE, "reason": WHY, "to_version": back_to, "seen_confirmed": True}
    at.done(f"/disputes/{case}/rulings", at.arbiter, body)
    assert at.table["paused_by"] == [case], "a ruling to go back holds the game up until it is final"
    at.done(f"/disputes/{case}/appeal", at.party.tokens[2], {"text": "She has looked at another offer."})
    same = at.ask("POST", f"/disputes/{case}/claim", at.arbiter)
    assert (same.status, same.json["code"]) == (403, "same_arbiter")
    at.done(f"/disputes/{case}/claim", at.other)
    ruled = at.done(
        f"/disputes/{case}/rulings",
        at.other,
        {"kind": "dismissed", "scope": SCOPE, "reason": "It was agreed."},
    )
    assert ruled["status"] == "final"
    assert at.table["paused_by"] == []
    assert at.party.play()


def test_a_ruling_that_the_log_contradicts_is_refused_before_it_is_given(api: InProcess) -> None:
    """Nothing is written; the answer says what stands against it."""
    at = court(api)
    at.party.play(20)
    case = at.opened()
    at.done(f"/disputes/{case}/claim", at.arbiter)
    head = at.table["version"]
    base = {"scope": SCOPE, "reason": WHY}
    for ruling, code in (
        ({"kind": "rewound", "to_version": 1}, "contradicts_log"),
        ({"kind": "rewound", "to_version": head + 5}, "contradicts_log"),
        ({"kind": "rewound"}, "contradicts_log"),
        ({"kind": "awarded", "winners": [7]}, "contradicts_log"),
        ({"kind": "awarded", "winners": []}, "contradicts_log"),
        ({"kind": "replaced", "winners": [0], "scores": [1, 2]}, "contradicts_log"),
        ({"kind": "dismissed", "scope": ""}, "ruling_without_scope"),
        ({"kind": "dismissed", "reason": " "}, "ruling_without_reason"),
    ):
        for way in ("previews", "rulings"):
            refused = at.ask("POST", f"/disputes/{case}/{way}", at.arbiter, {**base, **ruling})
            assert (refused.status, refused.json["code"]) == (422, code), ruling
    assert at.case(case)["status"] == "claimed"
    assert at.table["version"] == head


def test_going_back_over_cards_that_were_seen_needs_a_confirmation(api: InProcess) -> None:
    """The refusal says where they lay and how many, never which."""
    at = court(api)
    at.party.play(10)
    back_to = at.newest_stop()
    at.party.play(25)
    case = at.opened()
    at.done(f"/disputes/{case}/claim", at.arbiter)
    body = {"kind": "rewound", "scope": SCOPE, "reason": WHY, "to_version": back_to}
    refused = at.ask("POST", f"/disputes/{case}/rulings", at.arbiter, body)
    assert (refused.status, refused.json["code"]) == (422, "seen_unconfirmed")
    assert {each["what"] for each in refused.json["seen"]} <= {"draw", "hand", "offers"}
    confirmed = at.done(f"/disputes/{case}/rulings", at.arbiter, {**body, "seen_confirmed": True})
    assert confirmed["status"] == "ruled"


def test_a_ruling_about_a_finished_game_leaves_its_log_alone(api: InProcess) -> None:
    """It stands in the log of the game's cases, and there can be one that goes back no more."""
    at = court(api)
    assert at.party.play()
    before = at.table
    case = at.opened(version=before["version"] - 4, pause=True)
    at.done(f"/disputes/{case}/claim", at.arbiter)
    body = {"scope": "the result", "reason": WHY}
    refused = at.ask(
        "POST", f"/disputes/{case}/rulings", at.arbiter, {**body, "kind": "rewound", "to_version": 30}
    )
    assert (refused.status, refused.json["code"]) == (422, "contradicts_log")
    at.done(f"/disputes/{case}/rulings", at.arbiter, {**body, "kind": "annulled"})
    at.accepted(case)
    assert at.case(case)["status"] == "final"
    after = at.table
    same = ("version", "hash", "result")
    assert {name: after[name] for name in same} == {name: before[name] for name in same}
    ruled = {"kind": "annulled", "winners": [], "scores": []}
    assert at.ask("GET", "/disputes", at.arbiter).json["ruled"] == ruled
    project(api.store)
    assert listed(api)[at.party.game]["ruled"] == ruled
