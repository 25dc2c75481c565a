"""A case from its opening to its end: each step, and what it changes."""

import msgspec

from events.disputes import commands as c
from events.disputes.facts import Result, SeenSince
from events.disputes.state import why_final
from tests.events.disputes.given import (
    ADA,
    ANN,
    BEN,
    BOB,
    CREATOR,
    DAY,
    DISMISSAL,
    FACTS,
    FINISHED,
    LIMITS,
    OPENING,
    START,
    court,
)


def test_a_case_names_the_entry_that_it_disputes() -> None:
    """By version and chain hash, with who opened it, and until when somebody has to claim it."""
    (case,) = court("open").cases

    assert (case.number, case.status, case.version, case.hash) == (1, "open", 17, f"{17:064x}")
    assert (case.opener, case.reason, case.text) == (ANN, "not_agreed", OPENING.text)
    assert (case.opened, case.until) == (START, START + LIMITS.claim)


def test_a_case_pauses_a_running_game_where_that_is_asked_for() -> None:
    """A finished game has nothing to pause."""
    for facts, paused in ((FACTS, True), (FINISHED, False)):
        given = court(facts=facts)
        given.do(c.OpenDispute("clock", "The server hung.", 17, pause=True), BEN)
        assert given.cases[0].pause is paused


def test_the_key_that_set_the_game_up_opens_cases_too() -> None:
    """An integrator."""
    given = court()
    assert given.do(OPENING, CREATOR) == ["dispute_opened"]


def test_cases_of_a_game_are_numbered_in_order() -> None:
    """Each is about a version of its own."""
    given = court("open")
    given.do(c.OpenDispute("clock", "The server hung.", 18), BEN)
    assert [case.number for case in given.cases] == [1, 2]


def test_parties_and_the_arbiter_add_evidence() -> None:
    """While nobody has ruled, and again when it is appealed."""
    given = court("open", "claim")
    for person in (ANN, BEN, ADA):
        assert given.do(c.AddEvidence("Look at this.", (16, 17)), person) == ["evidence_added"]
    assert given.cases[0].evidence == 3
    assert court("open", "claim", "rule", "appeal").do(c.AddEvidence("And this."), BEN) == ["evidence_added"]


def test_whoever_opened_it_withdraws_it() -> None:
    """Then the same version may be disputed again."""
    given = court("open", "withdraw")
    assert given.status == "withdrawn"
    given.do(OPENING, BEN)
    assert given.cases[1].status == "open"


def test_an_arbiter_claims_it_and_has_to_rule_in_time() -> None:
    """A claim has a deadline of its own."""
    given = court("open", "claim")
    (case,) = given.cases
    assert (case.status, case.arbiter, case.until) == ("claimed", ADA, START + LIMITS.ruling)


def test_a_claim_is_left_to_another_arbiter() -> None:
    """The case is open again, with the whole time to claim it."""
    given = court("open", "claim")
    given.at += DAY
    assert given.do(c.ReleaseClaim(), ADA) == ["claim_released"]
    assert (given.status, given.cases[0].arbiter, given.cases[0].until) == (
        "open",
        None,
        given.at + LIMITS.claim,
    )


def test_a_ruling_names_arbiter_scope_and_reason() -> None:
    """It waits for an appeal."""
    given = court("open", "claim", "rule")
    (case,) = given.cases
    assert case.ruling is not None
    assert (case.ruling.by, case.ruling.scope, case.ruling.reason) == (ADA, DISMISSAL.scope, DISMISSAL.reason)
    assert (case.status, case.until) == ("ruled", START + LIMITS.appeal)


def test_a_ruling_that_all_parties_accept_is_final_at_once() -> None:
    """The people at the table, and whoever opened the case; bots are asked nothing."""
    given = court("open", "claim", "rule")
    given.do(c.Accept(), ANN)
    assert why_final(given.cases[0], FACTS, given.at) is None
    given.do(c.Accept(), BEN)
    assert why_final(given.cases[0], FACTS, given.at) == "all_accepted"
    assert given.final() == ["ruling_final"]
    assert (given.status, given.cases[0].until) == ("final", None)


def test_the_key_that_opened_a_case_is_a_party() -> None:
    """Its acceptance is waited for; where it opened none, it is not."""
    given = court()
    given.do(OPENING, CREATOR)
    given.do(c.Claim(), ADA)
    given.do(DISMISSAL, ADA)
    for person in (ANN, BEN):
        given.do(c.Accept(), person)
    assert why_final(given.cases[0], FACTS, given.at) is None
    given.do(c.Accept(), CREATOR)
    assert why_final(given.cases[0], FACTS, given.at) == "all_accepted"


def test_accepting_twice_changes_nothing() -> None:
    """The same wish again brings nothing about."""
    given = court("open", "claim", "rule")
    assert given.do(c.Accept(), ANN) == ["ruling_accepted"]
    assert given.do(c.Accept(), ANN) == []


def test_a_ruling_is_final_when_the_time_for_an_appeal_is_over() -> None:
    """Not a moment before."""
    given = court("open", "claim", "rule")
    given.at = START + LIMITS.appeal - 1
    assert why_final(given.cases[0], FACTS, given.at) is None
    given.at += 1
    assert given.final() == ["ruling_final"]
    ending = given.cases[0].ending
    assert ending is not None
    assert (ending.why, ending.applied, ending.game_version) == ("no_appeal", True, 41)


def test_the_ruling_on_an_appeal_is_final_at_once() -> None:
    """By another arbiter."""
    given = court("open", "claim", "rule", "appeal", "claim again", "rule again")
    assert [ruling.by for ruling in given.cases[0].rulings] == [ADA, BOB]
    assert why_final(given.cases[0], FACTS, given.at) == "appeal_ruled"
    assert given.final() == ["ruling_final"]


def test_a_claim_lapses_without_a_ruling() -> None:
    """The case is open for others, also on appeal."""
    for steps, status in (
        (("open", "claim"), "open"),
        (
            ("open", "claim", "rule", "appeal", "claim again"),
            "appealed",
        ),
    ):
        given = court(*steps)
        given.at = START + LIMITS.ruling - 1
        assert given.do(c.PassDeadline()) == []
        given.at += 1
        assert given.do(c.PassDeadline()) == ["claim_lapsed"]
        assert (given.status, given.cases[0].arbiter) == (status, None)
        assert given.cases[0].until == given.at + LIMITS.claim


def test_a_case_that_nobody_claims_lapses() -> None:
    """And is over."""
    given = court("open")
    given.at = START + LIMITS.claim
    assert given.do(c.PassDeadline()) == ["dispute_lapsed"]
    assert (given.status, given.cases[0].is_over) == ("lapsed", True)


def test_a_ruling_stands_when_nobody_claims_the_appeal() -> None:
    """The first one is final then."""
    given = court("open", "claim", "rule", "appeal")
    given.at = START + LIMITS.claim
    assert given.do(c.PassDeadline()) == []
    assert why_final(given.cases[0], FACTS, given.at) == "appeal_unclaimed"
    assert given.final() == ["ruling_final"]


def test_a_ruling_to_go_back_remembers_what_was_seen() -> None:
    """And that the arbiter knew it."""
    given = court("open", "claim")
    seen = (SeenSince("hand", 1, 1),)
    given.facts = msgspec.structs.replace(FACTS, seen=seen)
    given.do(c.GiveRuling("rewound", "turn 7", "It was never accepted.", 16, seen_confirmed=True), ADA)
    ruling = given.cases[0].ruling
    assert ruling is not None
    assert (ruling.to_version, ruling.seen, ruling.seen_confirmed) == (16, seen, True)


def test_the_result_of_a_finished_game_is_that_of_the_last_final_ruling() -> None:
    """So the same one cannot be given twice."""
    given = court("open", "claim", facts=FINISHED)
    award = c.GiveRuling("awarded", "the game", "Ben and Rob played together.", winners=(0,))
    given.do(award, ADA)
    given.at += LIMITS.appeal
    given.final()
    given.do(c.OpenDispute("other", "Again.", 18), ANN)
    given.do(c.Claim(), BOB, case=2)
    assert given.code(award, BOB, case=2) == "contradicts_log"
    assert given.cases[0].ruling is not None
    assert given.cases[0].ruling.result == Result((0,))
