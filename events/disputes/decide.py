"""What a command brings about in the cases of a game, or why it may not be.

For every command it is asked, in this order: is there such a case, may this person do such a thing at all, can it be
done as the case stands, is there time, and is what was said of it in order.
"""

from collections.abc import Callable
from typing import Any, Final

from events.disputes import commands as c
from events.disputes import events as e
from events.disputes import state as s
from events.disputes.errors import (
    AlreadyAccepted,
    AlreadyApplied,
    AlreadyDisputed,
    NoSuchDispute,
    NoSuchVersion,
    NotAParty,
    NotAtTable,
    NotTheArbiter,
    NotTheOpener,
    OwnGame,
    SameArbiter,
    TooLate,
    WrongCaseStatus,
)
from events.disputes.facts import FINISHED, RUNNING, GameFacts, Limits, seat_name
from events.disputes.rulings import check_ruling
from events.disputes.shares import check_appeal, check_claims, check_evidence, check_opening, check_room
from events.disputes.state import Case, Cases

Events = tuple[e.CaseEvent, ...]


def decide(cases: Cases, step: c.CaseCommand, facts: GameFacts, limits: Limits) -> Events:
    """The events of a step; none where it changes nothing.

    Raises:
        DisputeRefused: it may not be, and nothing has happened.
    """
    if isinstance(step.command, c.OpenDispute):
        return _open(cases, step, step.command, facts, limits)
    if not 1 <= step.case <= len(cases):
        raise NoSuchDispute(f"This game has {len(cases)} cases; there is no case {step.case}.")
    case = cases[step.case - 1]
    decision: Callable[..., Events] = _DECISIONS[type(step.command)]
    return decision(_Asked(cases, case, step, facts, limits), step.command)


def case_number(cases: Cases, step: c.CaseCommand) -> int:
    """The number of the case that a step is about; that of the next one where it opens one."""
    return len(cases) + 1 if isinstance(step.command, c.OpenDispute) else step.case


class _Asked:
    """A step of a case that there is, with all that it is decided by."""

    __slots__ = ("case", "cases", "facts", "limits", "step")

    def __init__(
        self, cases: Cases, case: Case, step: c.CaseCommand, facts: GameFacts, limits: Limits
    ) -> None:
        self.cases = cases
        self.case = case
        self.step = step
        self.facts = facts
        self.limits = limits

    @property
    def who(self) -> str:
        return self.step.by.who

    @property
    def is_party(self) -> bool:
        return self.who in s.parties(self.case, self.facts)

    @property
    def holds_it(self) -> bool:
        """Whether they are the arbiter who has claimed the case."""
        return self.case.arbiter is not None and self.case.arbiter.who == self.who

    def party(self) -> None:
        if not self.is_party:
            raise NotAParty("This is for the parties: whoever opened the case, and the people at the table.")

    def arbiter(self) -> None:
        if not self.step.arbitrates:
            raise NotTheArbiter("This is for arbiters: keys with the scope 'arbitrate'.")
        if self.who in {self.facts.creator, self.case.opener.who}:
            raise OwnGame("You set this game up, or opened the case: another arbiter has to settle it.")

    def can(self, what: str) -> None:
        """Refuse what cannot be done as the case stands, or for which the time is over."""
        status, possible = self.case.status, self.case.possible
        if what not in possible:
            rest = f"what can be done: {', '.join(possible)}" if possible else "nothing more can be done"
            raise WrongCaseStatus(
                f"Case {self.case.number} is {status}; {rest}.", case_status=status, possible=list(possible)
            )
        if self.case.is_late(self.step.at):
            raise TooLate(f"The time for this was over at {self.case.until} (milliseconds since the epoch).")


def _open(
    cases: Cases, step: c.CaseCommand, wanted: c.OpenDispute, facts: GameFacts, limits: Limits
) -> Events:
    who = step.by.who
    if who not in facts.at_the_table:
        raise NotAtTable("Cases are opened by the people at the table, and by the key that set the game up.")
    moment = facts.at(wanted.version)
    if moment is None:
        raise NoSuchVersion(f"The game is at version {facts.version}; it has no version {wanted.version}.")
    ended = facts.ended if facts.status == FINISHED else None
    if facts.archived or (ended is not None and step.at >= ended + limits.dispute):
        raise TooLate("The time to dispute anything in this game is over.")
    for case in cases:
        if case.version == wanted.version and case.status != s.WITHDRAWN:
            raise AlreadyDisputed(
                f"Version {wanted.version} is disputed in case {case.number}: add your evidence there.",
                dispute=case.number,
            )
    pause = wanted.pause and facts.status == RUNNING
    check_opening(cases, who, pause=pause)
    opened = e.DisputeOpened(
        reason=wanted.reason,
        text=wanted.text,
        version=wanted.version,
        hash=moment.hash,
        pause=pause,
        until=step.at + limits.claim,
        pause_until=step.at + limits.pause if pause else None,
    )
    check_room(cases, who, opened)
    return (opened,)


def _evidence(asked: _Asked, wanted: c.AddEvidence) -> Events:
    if not asked.is_party and not asked.holds_it:
        raise NotAParty("Evidence is added by the parties, and by the arbiter who has claimed the case.")
    asked.can(s.EVIDENCE)
    for version in wanted.versions:
        if not 1 <= version <= asked.facts.version:
            raise NoSuchVersion(f"The game is at version {asked.facts.version}; it has no version {version}.")
    check_evidence(asked.case, asked.who)
    added = e.EvidenceAdded(text=wanted.text, versions=wanted.versions)
    check_room(asked.cases, asked.who, added, is_arbiter=not asked.is_party)
    return (added,)


def _withdraw(asked: _Asked, _wanted: c.Withdraw) -> Events:
    if asked.who != asked.case.opener.who:
        raise NotTheOpener("Only whoever opened a case withdraws it.")
    asked.can(s.WITHDRAWAL)
    return (e.DisputeWithdrawn(),)


def _go_on(asked: _Asked, _wanted: c.AskToGoOn) -> Events:
    asked.party()
    asked.can(s.RESUMPTION)
    if asked.who in asked.case.play_wished:
        return ()
    opener = asked.case.opener.who
    others = {seat_name(seat) for seat in asked.facts.persons} - {opener}
    is_agreed = asked.who == opener or others <= {*asked.case.play_wished, asked.who}
    return (e.PlayWished(), *((e.PlayResumed(s.AGREED),) if is_agreed else ()))


def _claim(asked: _Asked, _wanted: c.Claim) -> Events:
    asked.arbiter()
    asked.can(s.CLAIM)
    if any(ruling.by.who == asked.who for ruling in asked.case.rulings):
        raise SameArbiter("You have ruled in this case: an appeal is for another arbiter.")
    check_claims(asked.case, asked.who)
    return (e.DisputeClaimed(until=asked.step.at + asked.limits.ruling),)


def _release(asked: _Asked, _wanted: c.ReleaseClaim) -> Events:
    asked.arbiter()
    asked.can(s.RELEASE)
    _check_holds(asked)
    return (e.ClaimReleased(until=asked.step.at + asked.limits.claim),)


def _rule(asked: _Asked, wanted: c.GiveRuling) -> Events:
    asked.arbiter()
    if asked.case.status == s.FINAL:
        raise AlreadyApplied("The ruling in this case is final, and was applied; there is no second one.")
    asked.can(s.RULING)
    _check_holds(asked)
    check_ruling(wanted, asked.facts, s.standing_result(asked.cases, asked.facts))
    # The ruling on an appeal is the last one: there is no time to wait for.
    time = 0 if asked.case.rulings else asked.limits.appeal
    given = e.RulingGiven(
        kind=wanted.kind,
        scope=wanted.scope,
        reason=wanted.reason,
        until=asked.step.at + time,
        to_version=wanted.to_version,
        winners=wanted.winners,
        scores=wanted.scores,
        seen=asked.facts.seen if wanted.kind == s.REWOUND else (),
        seen_confirmed=wanted.seen_confirmed,
    )
    return (given,)


def _check_holds(asked: _Asked) -> None:
    if not asked.holds_it:
        raise NotTheArbiter("Another arbiter has claimed this case.")


def _accept(asked: _Asked, _wanted: c.Accept) -> Events:
    asked.party()
    asked.can(s.ACCEPTANCE)
    return () if asked.who in asked.case.accepted else (e.RulingAccepted(),)


def _appeal(asked: _Asked, wanted: c.Appeal) -> Events:
    asked.party()
    asked.can(s.APPEAL)
    if asked.who in asked.case.accepted:
        raise AlreadyAccepted("You have accepted this ruling.")
    lodged = e.AppealLodged(text=wanted.text, until=asked.step.at + asked.limits.claim)
    check_appeal(asked.cases, asked.who, lodged)
    return (lodged,)


def _pass_deadline(asked: _Asked, _wanted: c.PassDeadline) -> Events:
    if asked.case.is_pause_over(asked.step.at):
        return (e.PlayResumed(s.TIME_OVER),)
    if not asked.case.is_late(asked.step.at):
        return ()
    if asked.case.status == s.OPEN:
        return (e.DisputeLapsed(),)
    if asked.case.status in {s.CLAIMED, s.APPEAL_CLAIMED}:
        return (e.ClaimLapsed(until=asked.step.at + asked.limits.claim),)
    # A ruling becomes final by what is done about it in the game, in the same step.
    return ()


def _make_final(asked: _Asked, wanted: c.MakeFinal) -> Events:
    if asked.case.status == s.FINAL:
        raise AlreadyApplied("The ruling in this case is final, and was applied.")
    why = s.why_final(asked.case, asked.facts, asked.step.at)
    if why is None:
        status = asked.case.status
        raise WrongCaseStatus(
            f"Case {asked.case.number} is {status}; there is no ruling in it that stands for good.",
            case_status=status,
            possible=list(s.POSSIBLE[status]),
        )
    final = e.RulingFinal(
        applied=wanted.applied, why=why, game_version=wanted.game_version, game_hash=wanted.game_hash
    )
    return (final,)


_DECISIONS: Final[dict[type[Any], Callable[[_Asked, Any], Events]]] = {
    c.AddEvidence: _evidence,
    c.Withdraw: _withdraw,
    c.AskToGoOn: _go_on,
    c.Claim: _claim,
    c.ReleaseClaim: _release,
    c.GiveRuling: _rule,
    c.Accept: _accept,
    c.Appeal: _appeal,
    c.PassDeadline: _pass_deadline,
    c.MakeFinal: _make_final,
}
