"""Hypothesis drives a game's cases with steps that are legal and steps that are not, beside a small model.

The model knows the issue's words only: a table of who may do what in which status. What the two disagree about, a
refusal that changes something, a log that folds to something else: all that would be found here.
"""

from dataclasses import dataclass, field
from typing import Final

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from events.disputes import commands as c
from events.disputes.decide import case_number, decide
from events.disputes.entries import next_entries, read_entries
from events.disputes.errors import DisputeRefused
from events.disputes.events import CaseEventRecord
from events.disputes.evolve import fold
from events.disputes.facts import SERVICE, Person, SeenSince
from events.disputes.state import Cases
from tests.events.disputes.given import (
    ADA,
    ANN,
    ARBITERS,
    BEN,
    BOB,
    BOT,
    CREATOR,
    FACTS,
    LIMITS,
    START,
    STRANGER,
)
from tests.support.depth import depth

PEOPLE: Final = (ANN, BEN, BOT, CREATOR, ADA, BOB, STRANGER)
TABLE: Final = {ANN.who, BEN.who, CREATOR.who}
SEATED: Final = {ANN.who, BEN.who}
VERSIONS: Final = (0, 1, 7, 8, 9, 10, 11, 40, 41)
SEEN: Final = (SeenSince("hand", 1, 1),)
IN_THE_STATUS: Final = {
    "open": {"evidence", "withdraw", "claim"},
    "claimed": {"evidence", "withdraw", "release", "rule"},
    "ruled": {"accept", "appeal"},
    "appealed": {"evidence", "claim"},
    "appeal_claimed": {"evidence", "release", "rule"},
}
SECONDS_FOR: Final = {
    "open": LIMITS.claim,
    "claimed": LIMITS.ruling,
    "ruled": LIMITS.appeal,
    "appealed": LIMITS.claim,
    "appeal_claimed": LIMITS.ruling,
}
SETTINGS: Final = settings(
    max_examples=depth(25, 300),
    stateful_step_count=50,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


@dataclass
class Model:
    """A case as the model sees it."""

    version: int
    opener: str
    status: str
    until: int
    arbiter: str = ""
    ruled: list[str] = field(default_factory=list)
    accepted: set[str] = field(default_factory=set)
    pause_until: int | None = None
    """When the game goes on at the latest; None where it does not wait for the case, or not any more."""
    wished: set[str] = field(default_factory=set)
    paused: bool = False
    """Whether the game has ever waited for it."""

    @property
    def holds_play(self) -> bool:
        """Whether the game waits for it, and it was not ruled on."""
        return self.pause_until is not None and self.status in {"open", "claimed"}

    def enter(self, status: str, at: int) -> None:
        """Go to another status, which has its own time."""
        self.status = status
        self.until = at + SECONDS_FOR.get(status, 0)

    def is_late(self, at: int) -> bool:
        """Whether its time is over."""
        return self.status in SECONDS_FOR and at >= self.until

    def is_ripe(self, at: int) -> bool:
        """Whether the ruling stands for good."""
        if self.status == "appealed":
            return self.is_late(at)
        everybody = {self.opener} | SEATED
        return self.status == "ruled" and (
            len(self.ruled) == 2 or self.accepted >= everybody or self.is_late(at)
        )


class CaseMachine(RuleBasedStateMachine):
    """People who try everything."""

    def __init__(self) -> None:
        """Begin without a case."""
        super().__init__()
        self.at = START
        self.cases: Cases = ()
        self.models: list[Model] = []
        self.happened: list[CaseEventRecord] = []
        self.facts = FACTS

    def tries(self, command: c.Command, by: Person, case: int, expected: str | None) -> bool:
        """Take a step, and hold the answer against what the model expects; returns whether something happened."""
        step = c.CaseCommand(case, command, by, self.at, by.who in ARBITERS)
        before = self.cases
        if expected is not None:
            with pytest.raises(DisputeRefused) as refused:
                decide(self.cases, step, self.facts, LIMITS)
            assert (refused.value.code, self.cases) == (expected, before)
            return False
        events = decide(self.cases, step, self.facts, LIMITS)
        number = case_number(self.cases, step)
        new = [CaseEventRecord(number, self.at, by, event) for event in events]
        self.happened += new
        self.cases = fold(new, self.cases)
        return bool(new)

    def allowed(self, what: str, case: int) -> str | None:
        """Why the model refuses something for the status and the time of a case."""
        model = self.models[case - 1]
        possible = IN_THE_STATUS.get(model.status, set()) | ({"go on"} if model.holds_play else set())
        if what not in possible:
            return "wrong_case_status"
        return "too_late" if model.is_late(self.at) else None

    def arbiter(self, who: Person, case: int) -> str | None:
        """Why the model refuses somebody as an arbiter."""
        if who.who not in ARBITERS:
            return "not_the_arbiter"
        return "own_game" if who.who in {CREATOR.who, self.models[case - 1].opener} else None

    @rule(by=st.sampled_from(PEOPLE), version=st.sampled_from(VERSIONS), pause=st.booleans())
    def open(self, by: Person, version: int, *, pause: bool) -> None:
        """Somebody disputes a version."""
        mine = [each for each in self.models if each.opener == by.who and each.status in SECONDS_FOR]
        expected = None
        if by.who not in TABLE:
            expected = "not_at_table"
        elif not 1 <= version <= 40:
            expected = "no_such_version"
        elif any(each.version == version and each.status != "withdrawn" for each in self.models):
            expected = "already_disputed"
        elif len(mine) >= 3:
            expected = "too_many_disputes"
        elif pause and sum(each.paused and each.opener == by.who for each in self.models) >= 2:
            expected = "too_many_pauses"
        if self.tries(c.OpenDispute("other", "?", version, pause), by, 0, expected):
            until = self.at + LIMITS.pause if pause else None
            opened = Model(version, by.who, "open", self.at + LIMITS.claim, pause_until=until, paused=pause)
            self.models.append(opened)

    @rule(
        by=st.sampled_from(PEOPLE), case=st.integers(0, 9), what=st.sampled_from(["claim", "accept", "rule"])
    )
    def a_case_that_is_not_there(self, by: Person, case: int, what: str) -> None:
        """Somebody names a number that no case has."""
        if not 1 <= case <= len(self.models):
            commands: dict[str, c.Command] = {
                "claim": c.Claim(),
                "accept": c.Accept(),
                "rule": c.GiveRuling("dismissed", "s", "r"),
            }
            self.tries(commands[what], by, case, "no_such_dispute")

    @precondition(lambda self: self.models)
    @rule(by=st.sampled_from(PEOPLE), data=st.data())
    def add_evidence(self, by: Person, data: st.DataObject) -> None:
        """Somebody adds evidence."""
        case = data.draw(st.integers(1, len(self.models)))
        version = data.draw(st.sampled_from(VERSIONS))
        model = self.models[case - 1]
        expected = self.allowed("evidence", case)
        if by.who not in {*SEATED, model.opener, model.arbiter}:
            expected = "not_a_party"
        elif expected is None and not 1 <= version <= 40:
            expected = "no_such_version"
        elif expected is None and self.cases[case - 1].evidence >= 40:
            expected = "too_much_evidence"
        self.tries(c.AddEvidence("look", (version,)), by, case, expected)

    @precondition(lambda self: self.models)
    @rule(by=st.sampled_from(PEOPLE), data=st.data())
    def withdraw(self, by: Person, data: st.DataObject) -> None:
        """Somebody takes a case back."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        expected = "not_the_opener" if by.who != model.opener else self.allowed("withdraw", case)
        if self.tries(c.Withdraw(), by, case, expected):
            model.status, model.arbiter = "withdrawn", ""

    @precondition(lambda self: self.models)
    @rule(by=st.sampled_from(PEOPLE), data=st.data())
    def ask_to_go_on(self, by: Person, data: st.DataObject) -> None:
        """Somebody asks that the game goes on."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        expected = self.allowed("go on", case)
        if by.who not in {*SEATED, model.opener}:
            expected = "not_a_party"
        known = by.who in model.wished
        assert self.tries(c.AskToGoOn(), by, case, expected) is (expected is None and not known)
        if expected is None:
            model.wished.add(by.who)
            if by.who == model.opener or model.wished >= SEATED - {model.opener}:
                model.pause_until = None

    @precondition(lambda self: self.models)
    @rule(by=st.sampled_from(PEOPLE), data=st.data())
    def claim(self, by: Person, data: st.DataObject) -> None:
        """Somebody takes a case on."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        expected = self.arbiter(by, case) or self.allowed("claim", case)
        if expected is None and by.who in model.ruled:
            expected = "same_arbiter"
        if self.tries(c.Claim(), by, case, expected):
            model.enter("claimed" if model.status == "open" else "appeal_claimed", self.at)
            model.arbiter = by.who

    @precondition(lambda self: self.models)
    @rule(by=st.sampled_from(PEOPLE), data=st.data())
    def release(self, by: Person, data: st.DataObject) -> None:
        """Somebody leaves a case to others."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        expected = self.arbiter(by, case) or self.allowed("release", case)
        if expected is None and by.who != model.arbiter:
            expected = "not_the_arbiter"
        if self.tries(c.ReleaseClaim(), by, case, expected):
            model.enter("open" if model.status == "claimed" else "appealed", self.at)
            model.arbiter = ""

    @precondition(lambda self: self.models)
    @rule(
        by=st.sampled_from(PEOPLE),
        data=st.data(),
        scope=st.sampled_from(["", "s", "s"]),
        reason=st.sampled_from(["", "r", "r"]),
        version=st.sampled_from([None, 3, 9, 40]),
        confirmed=st.booleans(),
    )
    def give_ruling(
        self,
        by: Person,
        data: st.DataObject,
        *,
        scope: str,
        reason: str,
        version: int | None,
        confirmed: bool,
    ) -> None:
        """Somebody rules."""
        case = data.draw(st.integers(1, len(self.models)))
        kind = data.draw(st.sampled_from(["dismissed", "annulled", "rewound", "awarded", "replaced"]))
        model = self.models[case - 1]
        expected = self.arbiter(by, case)
        if expected is None:
            expected = "already_applied" if model.status == "final" else self.allowed("rule", case)
        if expected is None and by.who != model.arbiter:
            expected = "not_the_arbiter"
        if expected is None:
            expected = self._content(kind, scope, reason, version, confirmed=confirmed)
        winners = (1,) if kind in {"awarded", "replaced"} else ()
        scores = (3, 4, 3) if kind == "replaced" else ()
        self.facts = msgspec.structs.replace(FACTS, seen=SEEN if kind == "rewound" else ())
        ruling = c.GiveRuling(kind, scope, reason, version, winners, scores, confirmed)
        if self.tries(ruling, by, case, expected):
            model.enter("ruled", self.at)
            model.arbiter, model.accepted = "", set()
            model.ruled.append(by.who)
            model.until = self.at if len(model.ruled) == 2 else model.until

    def _content(
        self, kind: str, scope: str, reason: str, version: int | None, *, confirmed: bool
    ) -> str | None:
        if not scope:
            return "ruling_without_scope"
        if not reason:
            return "ruling_without_reason"
        if version != (9 if kind == "rewound" else None):
            return "contradicts_log"
        return "seen_unconfirmed" if kind == "rewound" and not confirmed else None

    @precondition(lambda self: self.models)
    @rule(by=st.sampled_from(PEOPLE), data=st.data())
    def accept(self, by: Person, data: st.DataObject) -> None:
        """Somebody agrees with the ruling."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        expected = self.allowed("accept", case)
        if by.who not in {*SEATED, model.opener}:
            expected = "not_a_party"
        if self.tries(c.Accept(), by, case, expected):
            assert by.who not in model.accepted
            model.accepted.add(by.who)

    @precondition(lambda self: self.models)
    @rule(by=st.sampled_from(PEOPLE), data=st.data())
    def appeal(self, by: Person, data: st.DataObject) -> None:
        """Somebody wants another arbiter's ruling."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        expected = self.allowed("appeal", case)
        if by.who not in {*SEATED, model.opener}:
            expected = "not_a_party"
        elif expected is None and by.who in model.accepted:
            expected = "already_accepted"
        if self.tries(c.Appeal("no"), by, case, expected):
            model.enter("appealed", self.at)

    @rule(days=st.integers(0, 8))
    def wait(self, days: int) -> None:
        """Time passes."""
        self.at += days * LIMITS.appeal

    @precondition(lambda self: self.models)
    @rule(data=st.data())
    def pass_deadline(self, data: st.DataObject) -> None:
        """The service looks whose time is over."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        if model.holds_play and model.pause_until is not None and self.at >= model.pause_until:
            assert self.tries(c.PassDeadline(), SERVICE, case, None)
            model.pause_until = None
        lapses = model.is_late(self.at) and model.status in {"open", "claimed", "appeal_claimed"}
        assert self.tries(c.PassDeadline(), SERVICE, case, None) is lapses
        if lapses:
            after = {"open": "lapsed", "claimed": "open", "appeal_claimed": "appealed"}[model.status]
            model.enter(after, self.at)
            model.arbiter = ""

    @precondition(lambda self: self.models)
    @rule(data=st.data())
    def make_final(self, data: st.DataObject) -> None:
        """The service applies a ruling."""
        case = data.draw(st.integers(1, len(self.models)))
        model = self.models[case - 1]
        expected = None if model.is_ripe(self.at) else "wrong_case_status"
        if model.status == "final":
            expected = "already_applied"
        if self.tries(c.MakeFinal(applied=True, game_version=41, game_hash=""), SERVICE, case, expected):
            model.status = "final"

    @invariant()
    def they_agree(self) -> None:
        """Status, deadline and arbiter of every case are what the model says."""
        for case, model in zip(self.cases, self.models, strict=True):
            until = model.until if model.status in SECONDS_FOR else None
            assert (case.status, case.until) == (model.status, until)
            assert (case.arbiter.who if case.arbiter else "") == model.arbiter
            assert case.holds_play is model.holds_play

    def teardown(self) -> None:
        """The log, written and read back, folds to the same cases."""
        lines = [(each.line, each.hash) for each in next_entries("g", None, self.happened)]
        assert fold(each.happened for each in read_entries("g", lines)) == self.cases


@pytest.mark.deep
def test_no_way_through_the_cases_differs_from_the_model() -> None:
    """Legal steps and illegal ones, in every order."""
    run_state_machine_as_test(CaseMachine, settings=SETTINGS)
