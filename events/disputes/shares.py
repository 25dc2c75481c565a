"""What each person may use of the room that the cases of a game have, so that there is some for all others."""

from events.disputes.errors import TooManyClaims, TooManyDisputes, TooManyPauses, TooMuchEvidence
from events.disputes.events import CaseEvent
from events.disputes.facts import (
    KEPT_FOR_APPEALS,
    KEPT_FOR_ARBITERS,
    LARGEST_OF_PARTIES,
    LARGEST_OF_PARTY,
    MOST_CASES,
    MOST_CLAIMS,
    MOST_EVIDENCE,
    MOST_OF_PARTY,
    MOST_OPEN,
    MOST_PAUSES,
)
from events.disputes.state import Case, Cases


def check_opening(cases: Cases, who: str, *, pause: bool) -> None:
    """Refuse a case beyond those that somebody may open in a game, or have it wait for.

    Raises:
        TooManyDisputes, TooManyPauses
    """
    own = [case for case in cases if case.opener.who == who]
    if sum(not case.is_over for case in own) >= MOST_OPEN:
        raise TooManyDisputes(
            f"A party has at most {MOST_OPEN} open cases in a game: wait for one to end, or withdraw one."
        )
    if len(own) >= MOST_OF_PARTY or len(cases) >= MOST_CASES:
        raise TooManyDisputes(
            f"A party opens at most {MOST_OF_PARTY} cases in a game, and a game has at most {MOST_CASES}, withdrawn"
            " ones included: add evidence to one that is there."
        )
    if pause and sum(case.pause for case in own) >= MOST_PAUSES:
        raise TooManyPauses(
            f"You have had this game wait for {MOST_PAUSES} cases, as often as a party may: open it without 'pause'."
        )


def check_evidence(case: Case, who: str) -> None:
    """Refuse a piece of evidence of somebody who has added as many to a case as one may; all others go on.

    Raises:
        TooMuchEvidence
    """
    if case.witnesses.count(who) >= MOST_EVIDENCE:
        raise TooMuchEvidence(
            f"You have added {MOST_EVIDENCE} pieces of evidence to this case, as many as one person may: the others"
            " and the arbiter can still add theirs."
        )


def check_room(cases: Cases, who: str, event: CaseEvent, *, is_arbiter: bool = False) -> None:
    """Refuse what somebody would say beyond the bytes that they may say in a game, or that all may.

    Raises:
        TooMuchEvidence
    """
    size, own, said = event.size, _count_said(cases, who), _count_said(cases)
    if own + size > LARGEST_OF_PARTY:
        raise TooMuchEvidence(
            f"In the cases of a game one says at most {LARGEST_OF_PARTY} bytes; this takes {size}, and you have"
            f" {max(0, LARGEST_OF_PARTY - own)} left. Say it shorter, or name the versions that show it."
        )
    if said + size > LARGEST_OF_PARTIES + (KEPT_FOR_ARBITERS if is_arbiter else 0):
        raise TooMuchEvidence(
            f"In the cases of this game {said} bytes were said, which is all that there is room for;"
            " an arbiter can rule on it."
        )


def check_appeal(cases: Cases, who: str, event: CaseEvent) -> None:
    """Refuse an appeal that is longer than what is left of what somebody may say, with what is kept for appeals.

    Raises:
        TooMuchEvidence
    """
    left = LARGEST_OF_PARTY + KEPT_FOR_APPEALS - _count_said(cases, who)
    if event.size > left:
        raise TooMuchEvidence(
            f"This appeal takes {event.size} bytes, and you have {max(0, left)} left in the cases of this game:"
            " appeal in fewer words."
        )


def check_claims(case: Case, who: str) -> None:
    """Refuse a claim of an arbiter who has claimed a case often enough.

    Raises:
        TooManyClaims
    """
    if case.claims.count(who) >= MOST_CLAIMS:
        raise TooManyClaims(
            f"You have claimed this case {MOST_CLAIMS} times, as often as one arbiter may: leave it to another."
        )


def _count_said(cases: Cases, who: str | None = None) -> int:
    return sum(size for case in cases for speaker, size in case.said if who in {None, speaker})
