"""Each person has a share of what the cases of a game have room for; one leaves the others theirs."""

import msgspec

from events.disputes import commands as c
from events.disputes.errors import TooMuchEvidence
from events.disputes.evolve import fold
from events.disputes.facts import (
    KEPT_FOR_APPEALS,
    KEPT_FOR_ARBITERS,
    LARGEST_OF_PARTIES,
    LARGEST_OF_PARTY,
    MOST_CASES,
    MOST_CLAIMS,
    MOST_EVIDENCE,
    MOST_OF_PARTY,
    Person,
    seat_name,
)
from tests.events.disputes.given import ADA, ANN, BEN, BOB, DISMISSAL, FACTS, OPENING, Court, court

TEXT = "x" * 4_000
LONG = c.AddEvidence(TEXT)
SHORT = c.AddEvidence("Look.")
LARGE = 4_040
"""Bytes of such a piece of evidence at most."""


def fill(given: Court, people: list[Person], first: int = 1) -> int:
    """Have people say in cases of their own what they may; returns how many of them found room for all of it."""
    number, whole = first - 1, 0
    for person in people:
        said = 0
        while said + LARGE <= LARGEST_OF_PARTY:
            try:
                if said % (MOST_EVIDENCE * LARGE) == 0:
                    given.do(c.OpenDispute("other", TEXT, 1 + number), person)
                    number += 1
                else:
                    given.do(LONG, person, number)
            except TooMuchEvidence:
                return whole
            said += LARGE
        whole += 1
    return whole


def test_a_party_has_so_many_cases_and_leaves_the_others_theirs() -> None:
    """Opening and withdrawing for ever fills no store, and takes nobody the right to open one."""
    given = court()
    for number in range(1, MOST_OF_PARTY + 1):
        given.do(OPENING, ANN)
        given.do(c.Withdraw(), ANN, case=number)
    assert given.code(OPENING, ANN) == "too_many_disputes"
    assert given.do(OPENING, BEN) == ["dispute_opened"]


def test_a_game_has_a_limited_number_of_cases() -> None:
    """However many parties there are."""
    people = [Person(seat_name(seat)) for seat in range(MOST_CASES // MOST_OF_PARTY)]
    given = Court(msgspec.structs.replace(FACTS, persons=tuple(range(len(people) + 1))))
    for number in range(MOST_CASES):
        given.do(OPENING, people[number % len(people)])
        given.do(c.Withdraw(), people[number % len(people)], case=number + 1)
    assert given.code(OPENING, Person(seat_name(len(people)))) == "too_many_disputes"


def test_a_party_says_so_many_bytes_in_a_game_and_leaves_the_others_theirs() -> None:
    """In all its cases together; what is left can be used, to the byte, and appeals have room of their own."""
    given = court()
    assert fill(given, [ANN]) == 1
    assert given.code(LONG, ANN) == "too_much_evidence"
    given.do(c.Withdraw(), ANN, 3)
    assert given.code(c.OpenDispute("other", TEXT, 30), ANN) == "too_much_evidence"
    left = LARGEST_OF_PARTY - sum(size for case in given.cases for _, size in case.said)
    short = c.AddEvidence("x" * (left - len('{"type":"evidence_added","text":""}')))
    assert given.code(msgspec.structs.replace(short, text=short.text + "x"), ANN) == "too_much_evidence"
    assert given.do(short, ANN) == ["evidence_added"]
    assert given.do(LONG, BEN) == ["evidence_added"]

    for number in (1, 2):
        given.do(c.Claim(), ADA, number)
        given.do(DISMISSAL, ADA, number)
    assert given.code(c.Appeal("x" * KEPT_FOR_APPEALS), ANN) == "too_much_evidence"
    assert given.do(c.Appeal(TEXT), ANN) == ["appeal_lodged"]
    assert given.do(c.Appeal("x"), ANN, 2) == ["appeal_lodged"]


def test_short_pieces_of_one_party_leave_the_others_theirs() -> None:
    """And the arbiters, also another one after an appeal: each has a share of a case; its opening is not of it."""
    given = court("open")
    for person in (ANN, BEN):
        for _ in range(MOST_EVIDENCE):
            given.do(SHORT, person)
        assert given.code(SHORT, person) == "too_much_evidence"
    assert given.do(c.OpenDispute("other", "And this.", 18), ANN) == ["dispute_opened"]
    assert given.do(SHORT, ANN, 2) == ["evidence_added"]
    for arbiter in (ADA, BOB):
        given.do(c.Claim(), arbiter)
        assert given.do(SHORT, arbiter) == ["evidence_added"]
        given.do(DISMISSAL, arbiter)
        if arbiter == ADA:
            given.do(c.Appeal("No."), BEN)
    assert given.status == "ruled"


def test_all_parties_leave_room_for_arbiters() -> None:
    """They add evidence when no party can any more, and rule when there is no room for anything else."""
    people = [Person(seat_name(seat)) for seat in range(7)]
    given = Court(msgspec.structs.replace(FACTS, persons=tuple(range(len(people)))))
    assert fill(given, people) == LARGEST_OF_PARTIES // LARGEST_OF_PARTY
    assert given.code(LONG, people[-1]) == "too_much_evidence"
    given.do(c.Claim(), ADA, 2)
    added = 0
    while added < min(KEPT_FOR_ARBITERS // LARGE - 1, MOST_EVIDENCE):
        given.do(LONG, ADA, 2)
        added += 1
    assert given.do(DISMISSAL, ADA, 2) == ["ruling_given"]


def test_an_arbiter_claims_a_case_so_often_and_leaves_it_to_others() -> None:
    """Claiming and releasing for ever fills no store, and has no case wait for ever."""
    given = court("open")
    for _ in range(MOST_CLAIMS):
        given.do(c.Claim(), ADA)
        given.do(c.ReleaseClaim(), ADA)
    assert given.code(c.Claim(), ADA) == "too_many_claims"
    assert given.do(c.Claim(), BOB) == ["dispute_claimed"]


def test_what_was_said_is_counted_by_the_log_alone() -> None:
    """Whoever folds the same log comes to the same shares."""
    given = court("open", "claim")
    given.do(LONG, ADA)
    given.do(c.AddEvidence("y", (3, 4)), BEN)
    assert fold(given.happened) == given.cases
    assert [who for who, _ in given.cases[0].said] == [ANN.who, ADA.who, BEN.who]
    assert given.cases[0].said[2][1] == len('{"type":"evidence_added","text":"y","versions":[3,4]}')
