"""Disputes over the API: who opens a case, who settles it, what everybody is told, and what is refused."""

from typing import Any

import pytest

from service.access.game_access import GamePolicy
from service.access.store import Keys
from service.http.context import presence
from service.http.context.services import EXTENSION, Services
from service.http.push import stream_limits
from tests.service.disputes.disputing import RUNNING
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_stream import EventStream
from tests.support.http_play import Answer

OPENING = {"reason": "not_agreed", "text": "I never accepted that.", "version": 110}
DISMISSAL = {"kind": "dismissed", "scope": "turn 7", "reason": "The log shows the acceptance."}
NOTHING: dict[str, Any] = {}


class Court:
    """A game, those who sit at it, and two arbiters."""

    def __init__(self, api: InProcess, stop_at: int | None = RUNNING) -> None:
        """Store the game."""
        self.api = api
        self.creator = Keys(api.store).create("the club", ("create_games", "arbitrate"), 1)
        self.ada = Keys(api.store).create("Ada", ("arbitrate",), 1)
        self.bob = Keys(api.store).create("Bob", ("arbitrate",), 1)
        key = Keys(api.store).find(self.creator)
        assert key is not None
        self.game: Stored = api.stored(stop_at=stop_at, policy=GamePolicy(creator=key.id))
        self.ann, self.ben, self.cat, _ = self.game.tokens
        self.path = f"/v1/games/{self.game.id}/disputes"

    def ask(self, step: str, token: str | None, body: Any = None, **headers: str) -> Answer:
        """A step: `open`, or what is behind the case's address; `release` takes a claim back."""
        if step == "open":
            return self.api.call("POST", self.path, body or OPENING, token=token, headers=headers)
        method, name = ("DELETE", "claim") if step == "release" else ("POST", step)
        raw = b"" if body is None else None
        return self.api.call(method, f"{self.path}/1/{name}", body, token=token, headers=headers, raw=raw)

    def done(self, step: str, token: str, body: Any = None, **headers: str) -> Any:
        """The answer to a step that is accepted."""
        answer = self.ask(step, token, body, **headers)
        assert answer.status == (201 if step == "open" else 200), answer.body
        return answer.json

    def refused(self, step: str, token: str | None, body: Any = None) -> tuple[int, str]:
        """Status and code of a step that is refused."""
        answer = self.ask(step, token, body)
        return answer.status, answer.json["code"]

    def case(self, token: str | None = None) -> Any:
        """The first case as it is shown."""
        return self.api.get(f"{self.path}/1", token or self.ann)


@pytest.fixture
def court(api: InProcess) -> Court:
    """A court about a running game."""
    return Court(api)


def test_a_case_from_its_opening_to_the_final_ruling(court: Court) -> None:
    """Every step over the API, and the case as everybody at the table sees it."""
    opened = court.done("open", court.ann, {**OPENING, "pause": True})
    assert (opened["dispute"], opened["status"], opened["number"]) == (1, "open", 1)
    court.done("evidence", court.ben, {"text": "Look at this.", "versions": [109, 110]})
    court.done("claim", court.ada)
    court.done("evidence", court.ada, {"text": "I have asked both."})
    assert court.done("rulings", court.ada, DISMISSAL)["status"] == "ruled"
    court.done("acceptance", court.cat)
    assert court.done("appeal", court.ann, {"text": "No."})["status"] == "appealed"
    assert court.done("claim", court.bob)["status"] == "appeal_claimed"
    back = {"kind": "rewound", "scope": "turn 7", "reason": "It was never accepted.", "to_version": 101}
    back |= {"seen_confirmed": True}
    last = court.done("rulings", court.bob, back)
    assert last["status"] == "final"

    case = court.case()
    assert (case["dispute"], case["status"], case["possible"]) == (1, "final", [])
    assert (case["ending"]["applied"], case["ending"]["why"]) == (True, "appeal_ruled")
    assert case["opener"] == {"who": "seat:0", "name": "Ann"}
    assert case["hash"] == court.game.recorded.log[109].hash
    assert [(each["by"]["name"], each["kind"]) for each in case["rulings"]] == [
        ("Ada", "dismissed"),
        ("Bob", "rewound"),
    ]
    assert [each["type"] for each in case["events"]] == [
        "dispute_opened",
        "evidence_added",
        "dispute_claimed",
        "evidence_added",
        "ruling_given",
        "ruling_accepted",
        "appeal_lodged",
        "dispute_claimed",
        "ruling_given",
        "ruling_final",
    ]
    assert (case["events"][-1]["number"], case["events"][-1]["hash"]) == (last["number"], last["hash"])
    listed = court.api.get(court.path, court.cat)
    assert (listed["number"], listed["hash"]) == (last["number"], last["hash"])
    assert [each["dispute"] for each in listed["disputes"]] == [1]


def test_opening_says_where_the_case_is(court: Court) -> None:
    """An address of its own; the same request again gets the same answer."""
    first = court.ask("open", court.ann, **{"Idempotency-Key": "my-case"})
    again = court.ask("open", court.ann, **{"Idempotency-Key": "my-case"})
    assert first.headers["location"] == f"{court.path}/1"
    assert (again.body, again.headers["idempotent-replayed"]) == (first.body, "true")
    answer = court.ask("open", court.ann, {**OPENING, "text": "?"}, **{"Idempotency-Key": "my-case"})
    assert (answer.status, answer.json["code"]) == (422, "idempotency_key_reused")


def test_steps_without_a_body_are_safe_to_repeat_too(court: Court) -> None:
    """Claim, release, acceptance, withdrawal."""
    court.done("open", court.ann)
    for step in ("claim", "release"):
        answers = [court.ask(step, court.ada, **{"Idempotency-Key": f"my-{step}"}) for _ in range(2)]
        assert answers[0].body == answers[1].body
        assert answers[1].headers["idempotent-replayed"] == "true"
    assert court.case()["status"] == "open"


def test_what_the_issue_refuses(court: Court) -> None:
    """A version that does not exist, a stranger, the same moment twice; a ruling without scope or reason."""
    stranger = Keys(court.api.store).create("somebody", ("create_games",), 1)
    assert court.refused("open", court.ann, {**OPENING, "version": 10**6}) == (404, "no_such_version")
    assert court.refused("open", stranger) == (403, "not_at_table")
    assert court.refused("open", court.ada) == (403, "not_at_table")
    assert court.refused("open", None) == (401, "token_required")
    court.done("open", court.ann)
    twice = court.ask("open", court.ben)
    assert (twice.status, twice.json["code"], twice.json["dispute"]) == (409, "already_disputed", 1)
    assert court.refused("rulings", court.ada, DISMISSAL) == (409, "wrong_case_status")
    assert court.refused("claim", court.creator) == (403, "own_game")
    assert court.refused("claim", court.ann) == (403, "scope_missing")
    court.done("claim", court.ada)
    for left_out, code in (("scope", "ruling_without_scope"), ("reason", "ruling_without_reason")):
        body = {name: text for name, text in DISMISSAL.items() if name != left_out}
        assert court.refused("rulings", court.ada, body) == (422, code)
        assert court.refused("rulings", court.ada, {**body, left_out: "  "}) == (422, code)
    assert court.refused("rulings", court.bob, DISMISSAL) == (403, "not_the_arbiter")
    for version in (0, 1, court.game.recorded.table.version, 10**9):
        back = {"kind": "rewound", "scope": "s", "reason": "r", "to_version": version}
        assert court.refused("rulings", court.ada, back) == (422, "contradicts_log")
    court.done("rulings", court.ada, DISMISSAL)
    assert court.refused("withdrawal", court.ann) == (409, "wrong_case_status")
    court.done("acceptance", court.ben)
    assert court.refused("appeal", court.ben, {"text": "No."}) == (409, "already_accepted")
    court.done("appeal", court.ann, {"text": "No."})
    assert court.refused("claim", court.ada) == (403, "same_arbiter")


def test_a_refusal_says_what_can_be_done(court: Court) -> None:
    """The status, and the steps that are possible in it."""
    court.done("open", court.ann)
    court.done("withdrawal", court.ann)
    answer = court.ask("claim", court.ada)
    assert (answer.json["case_status"], answer.json["possible"]) == ("withdrawn", [])
    assert court.case()["possible"] == []


@pytest.mark.parametrize("number", ["0", "2", "01", "-1", "x", "1.0", "9" * 400])
def test_a_case_that_is_not_there(court: Court, number: str) -> None:
    """Whatever stands in its place."""
    court.done("open", court.ann)
    answer = court.api.call("GET", f"{court.path}/{number}", token=court.ann)
    assert (answer.status, answer.json["code"]) == (404, "no_such_dispute")
    answer = court.api.call("POST", f"{court.path}/{number}/claim", token=court.ada, raw=b"")
    assert (answer.status, answer.json["code"]) == (404, "no_such_dispute")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {**OPENING, "reason": "because"},
        {**OPENING, "text": ""},
        {**OPENING, "text": "x" * 4001},
        {**OPENING, "version": "110"},
        {**OPENING, "version": -1},
        {**OPENING, "pause": "yes"},
        {**OPENING, "more": 1},
        [],
    ],
)
def test_an_opening_of_another_shape_is_refused(court: Court, body: Any) -> None:
    """And nothing is opened."""
    answer = court.api.call("POST", court.path, body, token=court.ann)
    assert (answer.status, answer.json["code"]) == (422, "schema_violation")
    assert court.api.get(court.path, court.ann)["disputes"] == []


@pytest.mark.parametrize("text", ["", "   ", "\n\t "])
def test_who_says_nothing_is_refused(court: Court, text: str) -> None:
    """A case, its evidence and an appeal are words that somebody can answer to."""
    assert court.refused("open", court.ann, {**OPENING, "text": text}) == (422, "schema_violation")
    court.done("open", court.ann)
    assert court.refused("evidence", court.ben, {"text": text}) == (422, "schema_violation")
    assert court.refused("appeal", court.ben, {"text": text}) == (422, "schema_violation")


@pytest.mark.parametrize("text", ["\x1b[2J", "seat 0\u202e1 taes", "\x00"])
def test_a_ruling_is_written_in_characters_that_show(court: Court, text: str) -> None:
    """It may be read in a terminal; whether it is to stand in the log of a running game makes no difference."""
    court.done("open", court.ann)
    court.done("claim", court.ada)
    for part in ("scope", "reason"):
        assert court.refused("rulings", court.ada, {**DISMISSAL, part: text}) == (422, "schema_violation")
    court.done("rulings", court.ada, {**DISMISSAL, "reason": "The log\nshows it."})


def test_until_the_end_cases_are_for_the_table_its_creator_and_arbiters(api: InProcess) -> None:
    """Afterwards for all who may see the game; a case of a finished game is opened for a while."""
    running, finished = Court(api), None
    reader = Keys(api.store).create("reader", ("read_games",), 1)
    for token in (running.ann, running.creator, running.ada):
        assert api.get(running.path, token)["disputes"] == []
    for nobody in (None, reader):
        answer = api.call("GET", running.path, token=nobody)
        assert (answer.status, answer.json["code"]) == (403, "game_not_finished")
    finished = api.stored(2)
    path = f"/v1/games/{finished.id}/disputes"
    assert api.get(path)["disputes"] == []
    late = api.call("POST", path, OPENING, token=finished.tokens[0])
    assert (late.status, late.json["code"]) == (409, "too_late")


def test_the_queue_is_for_arbiters(court: Court) -> None:
    """Filtered by game, reason, status and age; page by page."""
    api = court.api
    court.done("open", court.ann)
    court.done("open", court.ben, {**OPENING, "reason": "clock", "version": 111})
    court.done("claim", court.ada)

    def found(query: str = "") -> list[int]:
        return [each["dispute"] for each in api.get(f"/v1/disputes{query}", court.bob)["disputes"]]

    assert found() == [1, 2]
    assert (found("?status=claimed"), found("?reason=clock")) == ([1], [2])
    assert (found("?older_than=1h"), found("?older_than=0s")) == ([], [1, 2])
    assert (found(f"?game={court.game.id}&limit=1"), found("?game=another")) == ([1], [])
    page = api.get("/v1/disputes?limit=1", court.bob)
    assert found(f"?cursor={page['next']}") == [2]
    row = page["disputes"][0]
    assert (row["game"], row["opener"], row["arbiter"] is not None) == (court.game.id, "seat:0", True)
    for bad in ("cursor=x", "cursor=MTIz"):
        assert api.call("GET", f"/v1/disputes?{bad}", token=court.bob).json["code"] == "bad_cursor"
    assert api.call("GET", "/v1/disputes?older_than=long", token=court.bob).status == 422
    assert api.call("GET", "/v1/disputes", token=court.ann).status == 401


def test_a_creator_opens_cases_in_the_name_of_the_table(court: Court) -> None:
    """And is a party then; never its arbiter."""
    court.done("open", court.creator)
    assert court.case()["opener"]["name"] == "the club"
    court.done("evidence", court.creator, {"text": "The server hung.", "versions": []})
    assert court.refused("claim", court.creator) == (403, "own_game")
    assert court.refused("withdrawal", court.ann) == (403, "not_the_opener")
    court.done("withdrawal", court.creator)


def test_what_is_due_is_written_down_by_whoever_comes_next(court: Court) -> None:
    """A claim that has lapsed makes room for another arbiter."""
    court.done("open", court.ann)
    court.done("claim", court.ada)
    found: Services = court.api.app.extensions[EXTENSION]
    until = court.case()["until"]
    found.dispute_resolution.pass_deadlines(court.game.id, until)
    case = court.case()
    assert (case["status"], case["events"][-1]["type"]) == ("open", "claim_lapsed")
    assert case["events"][-1]["by"] == {"who": "fieldbook", "name": "Fieldbook"}


def test_everybody_at_the_table_hears_of_a_case(court: Court, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the stream of the game: a case that is open already, and each step; the public hears of none."""
    monkeypatch.setattr(stream_limits, "PRESENCE_SECONDS", 0.05)
    monkeypatch.setattr(presence, "LOOK_SECONDS", 0.0)
    court.done("open", court.ann)
    with EventStream(court.api, court.game.id, token=court.ben) as stream:
        told = stream.named("dispute").json
        assert (told["dispute"], told["status"], told["type"]) == (1, "open", "dispute_opened")
        court.done("claim", court.ada)
        told = stream.named("dispute").json
        assert (told["status"], told["type"], told["number"]) == ("claimed", "dispute_claimed", 2)
        assert told["until"] == court.case()["until"]
    with EventStream(court.api, court.game.id) as public:
        heard = [public.next().event for _ in range(2)]
        court.done("rulings", court.ada, DISMISSAL)
        with EventStream(court.api, court.game.id, token=court.cat) as another:
            assert another.named("dispute").json["status"] == "ruled"
            while heard[-1] != "presence":
                heard.append(public.next().event)
    assert "dispute" not in heard
