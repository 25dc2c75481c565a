"""What is refused, with which code, and that nothing has changed then."""

import msgspec
import pytest

from events.disputes import commands as c
from events.disputes.facts import Person, Result, SeenSince, VersionFacts
from events.disputes.state import POSSIBLE
from tests.events.disputes.given import (
    ADA,
    ANN,
    BEN,
    BOB,
    BOT,
    CREATOR,
    DISMISSAL,
    FACTS,
    FINISHED,
    HEAD,
    LIMITS,
    OPENING,
    START,
    STRANGER,
    Court,
    codes,
    court,
)

STEPS = {
    "open": ("open",),
    "claimed": ("open", "claim"),
    "ruled": ("open", "claim", "rule"),
    "appealed": ("open", "claim", "rule", "appeal"),
    "appeal_claimed": ("open", "claim", "rule", "appeal", "claim again"),
    "withdrawn": ("open", "withdraw"),
}
"""Steps to a status."""
WISHES: dict[str, tuple[c.Command, Person]] = {
    "evidence": (c.AddEvidence("Look."), ANN),
    "withdrawal": (c.Withdraw(), ANN),
    "claim": (c.Claim(), BOB),
    "release": (c.ReleaseClaim(), ADA),
    "ruling": (DISMISSAL, ADA),
    "acceptance": (c.Accept(), ANN),
    "appeal": (c.Appeal("No."), ANN),
}
"""What can be wished for, and by whom."""


def with_facts(given: Court, **facts: object) -> Court:
    """The same cases, with other facts about the game."""
    given.facts = msgspec.structs.replace(given.facts, **facts)
    return given


@pytest.mark.parametrize("version", [0, HEAD + 1, 10**15])
def test_a_version_that_does_not_exist_is_not_disputed(version: int) -> None:
    """Nor one that is yet to come."""
    assert court().code(c.OpenDispute("other", "?", version), ANN) == "no_such_version"


def test_only_the_table_opens_cases() -> None:
    """People at their seats and the creator's key; neither bots, nor arbiters, nor strangers."""
    assert codes(court(), OPENING, (BOT, ADA, STRANGER)) == {"not_at_table"}


def test_a_moment_is_disputed_once() -> None:
    """Whoever it is by, and whatever became of the case, unless it was withdrawn."""
    given = court("open")
    code, members = given.refuses(c.OpenDispute("clock", "The same moment.", 17), BEN)
    assert (code, members) == ("already_disputed", {"dispute": 1})
    given.at = START + LIMITS.claim
    given.do(c.PassDeadline())
    assert given.code(OPENING, BEN) == "already_disputed"


def test_a_finished_game_is_disputed_for_a_while_only() -> None:
    """Up to the limit, and never once it is archived."""
    given = court(facts=FINISHED)
    given.at = START + LIMITS.dispute
    assert given.code(OPENING, ANN) == "too_late"
    assert with_facts(court(facts=FINISHED), archived=True).code(OPENING, ANN) == "too_late"
    given.at -= 1
    assert given.do(OPENING, ANN) == ["dispute_opened"]


def test_a_party_has_three_open_cases_at_most() -> None:
    """One that has ended makes room; others have their own three."""
    given = court()
    for version in (10, 11, 12):
        given.do(c.OpenDispute("other", "?", version), ANN)
    assert given.code(OPENING, ANN) == "too_many_disputes"
    assert given.do(OPENING, BEN) == ["dispute_opened"]
    given.do(c.Withdraw(), ANN, case=2)
    assert given.do(c.OpenDispute("other", "?", 13), ANN) == ["dispute_opened"]


@pytest.mark.parametrize("number", [0, -1, 2])
def test_there_is_no_such_case(number: int) -> None:
    """Cases are counted from 1."""
    assert court("open").code(c.Claim(), ADA, number) == "no_such_dispute"


@pytest.mark.parametrize("status", STEPS)
@pytest.mark.parametrize("what", WISHES)
def test_what_cannot_be_done_in_a_status_is_refused_with_what_can(status: str, what: str) -> None:
    """Every step of the case in every status."""
    if what in POSSIBLE[status]:
        return
    command, person = WISHES[what]
    code, members = court(*STEPS[status]).refuses(command, person)
    assert code == "wrong_case_status"
    assert members == {"case_status": status, "possible": list(POSSIBLE[status])}


def test_who_may_rule() -> None:
    """Arbiters, but neither who set the game up nor who opened the case; and only who has claimed it."""
    given = court("open", "claim")
    assert codes(given, DISMISSAL, (ANN, BEN, BOT, STRANGER)) == {"not_the_arbiter"}
    assert given.code(DISMISSAL, BOB) == "not_the_arbiter"
    assert given.code(c.ReleaseClaim(), BOB) == "not_the_arbiter"
    assert given.code(DISMISSAL, CREATOR) == "own_game"


def test_nobody_claims_a_case_in_their_own_game_or_of_their_own() -> None:
    """Whatever scopes their key has."""
    assert court("open").code(c.Claim(), CREATOR) == "own_game"
    given = with_facts(court(), creator=ADA.who)
    given.do(OPENING, ADA)
    assert with_facts(given, creator="").code(c.Claim(), ADA) == "own_game"


def test_an_appeal_is_for_another_arbiter() -> None:
    """Not for the one who ruled."""
    assert court("open", "claim", "rule", "appeal").code(c.Claim(), ADA) == "same_arbiter"


def test_strangers_are_no_parties() -> None:
    """Nor are arbiters, bots, or the creator where they opened nothing."""
    given = court("open", "claim", "rule")
    people = (BOT, ADA, STRANGER, CREATOR)
    assert codes(given, c.Accept(), people) | codes(given, c.Appeal("No."), people) == {"not_a_party"}
    assert codes(court("open"), c.AddEvidence("Look."), people) == {"not_a_party"}


def test_only_the_opener_withdraws() -> None:
    """Another party does not."""
    assert codes(court("open"), c.Withdraw(), (BEN, ADA)) == {"not_the_opener"}


def test_who_has_accepted_does_not_appeal() -> None:
    """The others may."""
    given = court("open", "claim", "rule")
    given.do(c.Accept(), ANN)
    assert given.code(c.Appeal("I changed my mind."), ANN) == "already_accepted"
    assert given.do(c.Appeal("I did not."), BEN) == ["appeal_lodged"]


def test_evidence_is_about_versions_that_there_are() -> None:
    """Of the game as it stands."""
    given = court("open")
    assert given.code(c.AddEvidence("Look.", (3, HEAD + 1)), ANN) == "no_such_version"
    assert given.do(c.AddEvidence("Look.", (3, HEAD)), ANN) == ["evidence_added"]


@pytest.mark.parametrize("status", ["open", "claimed", "ruled", "appealed", "appeal_claimed"])
def test_nothing_is_done_when_its_time_is_over(status: str) -> None:
    """Until the log says what became of it."""
    given = court(*STEPS[status])
    given.at = START + LIMITS.claim + LIMITS.ruling
    for what in POSSIBLE[status]:
        command, person = WISHES[what]
        if what in {"release", "ruling"}:
            person = given.cases[0].arbiter or person
        assert given.code(command, person) == "too_late"


def test_a_ruling_without_scope_or_reason_is_refused() -> None:
    """Blanks say nothing."""
    given = court("open", "claim")
    for blank in ("", " \n"):
        assert given.code(c.GiveRuling("dismissed", blank, "because"), ADA) == "ruling_without_scope"
        assert given.code(c.GiveRuling("dismissed", "all of it", blank), ADA) == "ruling_without_reason"


RESULT = Result((0,), (9, 8, 7))
CONTRADICTIONS = {
    "back to nowhere": c.GiveRuling("rewound", "s", "r"),
    "back to before the first version": c.GiveRuling("rewound", "s", "r", 0),
    "back to the head": c.GiveRuling("rewound", "s", "r", HEAD),
    "back to what is yet to come": c.GiveRuling("rewound", "s", "r", HEAD + 1),
    "back to where nobody could act": c.GiveRuling("rewound", "s", "r", 5),
    "back and a winner": c.GiveRuling("rewound", "s", "r", 16, winners=(1,)),
    "dismissed and back": c.GiveRuling("dismissed", "s", "r", 16),
    "dismissed and a winner": c.GiveRuling("dismissed", "s", "r", winners=(1,)),
    "annulled with scores": c.GiveRuling("annulled", "s", "r", scores=(1, 2, 3)),
    "awarded to nobody": c.GiveRuling("awarded", "s", "r"),
    "awarded to a seat that is not there": c.GiveRuling("awarded", "s", "r", winners=(3,)),
    "awarded to one seat twice": c.GiveRuling("awarded", "s", "r", winners=(1, 1)),
    "awarded with scores": c.GiveRuling("awarded", "s", "r", winners=(1,), scores=(1, 2, 3)),
    "awarded to who has won": c.GiveRuling("awarded", "s", "r", winners=(0,)),
    "replaced by nothing": c.GiveRuling("replaced", "s", "r"),
    "replaced without scores": c.GiveRuling("replaced", "s", "r", winners=(1,)),
    "replaced with too few scores": c.GiveRuling("replaced", "s", "r", winners=(1,), scores=(1, 2)),
    "replaced by the same": c.GiveRuling("replaced", "s", "r", winners=(0,), scores=(9, 8, 7)),
}


@pytest.mark.parametrize("what", CONTRADICTIONS)
def test_a_ruling_that_contradicts_the_log_is_refused(what: str) -> None:
    """Whatever else of it is in order."""
    given = with_facts(court("open", "claim"), result=RESULT)
    assert given.code(CONTRADICTIONS[what], ADA) == "contradicts_log"


def test_what_does_not_count_any_more_is_not_gone_back_to() -> None:
    """It lies in a stretch that an earlier ruling has discarded."""
    moments = tuple(
        VersionFacts(each.version, each.hash, counts=each.version != 16) for each in FACTS.moments
    )
    given = with_facts(court("open", "claim"), moments=moments)
    assert given.code(c.GiveRuling("rewound", "s", "r", 16), ADA) == "contradicts_log"


def test_a_finished_game_is_not_put_back() -> None:
    """Its result can be replaced."""
    given = with_facts(court("open", "claim", facts=FINISHED), result=RESULT)
    assert given.code(c.GiveRuling("rewound", "s", "r", 16), ADA) == "contradicts_log"
    replaced = c.GiveRuling("replaced", "s", "r", winners=(1,), scores=(8, 9, 7))
    assert given.do(replaced, ADA) == ["ruling_given"]


@pytest.mark.parametrize("kind", ["annulled", "awarded", "replaced"])
def test_a_game_that_has_not_begun_has_no_result_to_change(kind: str) -> None:
    """Its seats are still being taken: a result from then would outlive the game that is played afterwards."""
    given = court("open", "claim", facts=msgspec.structs.replace(FACTS, status="open"))
    winners = () if kind == "annulled" else (0,)
    scores = (1, 0, 0) if kind == "replaced" else ()
    ruling = c.GiveRuling(kind, "the game", "Nobody plays.", winners=winners, scores=scores)
    assert given.code(ruling, ADA) == "contradicts_log"
    given.do(DISMISSAL, ADA)


def test_a_game_is_annulled_once() -> None:
    """One without a result cannot lose it again."""
    given = with_facts(court("open", "claim", facts=FINISHED), result=Result())
    assert given.code(c.GiveRuling("annulled", "s", "r"), ADA) == "contradicts_log"


def test_going_back_behind_cards_that_were_seen_is_confirmed() -> None:
    """The refusal lists them."""
    given = with_facts(court("open", "claim"), seen=(SeenSince("hand", 1, 1), SeenSince("draw", 1)))
    code, members = given.refuses(c.GiveRuling("rewound", "s", "r", 16), ADA)
    assert code == "seen_unconfirmed"
    assert members["seen"] == [{"what": "hand", "cards": 1, "seat": 1}, {"what": "draw", "cards": 1}]


def test_a_ruling_is_applied_once() -> None:
    """Neither made final again, nor followed by another one."""
    given = court("open", "claim", "rule", "appeal", "claim again", "rule again")
    given.final()
    assert given.code(DISMISSAL, BOB) == "already_applied"
    assert given.code(c.MakeFinal(applied=True, game_version=42, game_hash=""), BOB) == "already_applied"


def test_nothing_becomes_final_before_its_time() -> None:
    """Nor without a ruling."""
    for status in ("open", "claimed", "ruled", "appealed", "appeal_claimed", "withdrawn"):
        final = c.MakeFinal(applied=True, game_version=42, game_hash="")
        assert court(*STEPS[status]).code(final, ADA) == "wrong_case_status"
