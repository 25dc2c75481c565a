"""What each event means for a case. Nothing here refuses anything."""

from collections.abc import Callable, Iterable
from typing import Any, Final

import msgspec

from events.disputes import events as e
from events.disputes.state import (
    APPEAL_CLAIMED,
    APPEALED,
    CLAIMED,
    FINAL,
    LAPSED,
    OPEN,
    RULED,
    WITHDRAWN,
    Case,
    Cases,
    Ending,
    Ruling,
)

Changes = dict[str, Any]


def fold(happened: Iterable[e.CaseEventRecord], cases: Cases = ()) -> Cases:
    """The cases of a game after all this."""
    for each in happened:
        cases = evolve(cases, each)
    return cases


def evolve(cases: Cases, happened: e.CaseEventRecord) -> Cases:
    """The cases of a game after one more event."""
    event = happened.event
    if isinstance(event, e.DisputeOpened):
        return (*cases, _opened(happened, event))
    place = happened.case - 1
    case = cases[place]
    changes = _CHANGES[type(event)](case, happened, event)
    changed = msgspec.structs.replace(case, changed=happened.at, **changes)
    return (*cases[:place], changed, *cases[place + 1 :])


def _opened(happened: e.CaseEventRecord, event: e.DisputeOpened) -> Case:
    return Case(
        number=happened.case,
        status=OPEN,
        reason=event.reason,
        text=event.text,
        version=event.version,
        hash=event.hash,
        pause=event.pause,
        opener=happened.by,
        opened=happened.at,
        until=event.until,
        changed=happened.at,
        pause_until=event.pause_until,
        said=((happened.by.who, event.size),),
    )


def _on_wished(case: Case, happened: e.CaseEventRecord, _event: e.PlayWished) -> Changes:
    return {"play_wished": (*case.play_wished, happened.by.who)}


def _on_resumed(_case: Case, _happened: e.CaseEventRecord, event: e.PlayResumed) -> Changes:
    return {"resumed": event.why}


def _on_evidence(case: Case, happened: e.CaseEventRecord, _event: e.EvidenceAdded) -> Changes:
    return {
        "evidence": case.evidence + 1,
        "witnesses": (*case.witnesses, happened.by.who),
        "pack_due": True,
        "said": _add_said(case, happened),
    }


def _on_pack(_case: Case, _happened: e.CaseEventRecord, event: e.EvidencePackBuilt) -> Changes:
    return {"pack": event.sha256, "pack_due": False}


def _on_withdrawn(_case: Case, _happened: e.CaseEventRecord, _event: e.DisputeWithdrawn) -> Changes:
    return {"status": WITHDRAWN, "until": None, "arbiter": None}


def _on_claimed(case: Case, happened: e.CaseEventRecord, event: e.DisputeClaimed) -> Changes:
    status = APPEAL_CLAIMED if case.status == APPEALED else CLAIMED
    claims = (*case.claims, happened.by.who)
    return {"status": status, "until": event.until, "arbiter": happened.by, "claims": claims}


def _on_unclaimed(
    case: Case, _happened: e.CaseEventRecord, event: e.ClaimReleased | e.ClaimLapsed
) -> Changes:
    status = APPEALED if case.status == APPEAL_CLAIMED else OPEN
    return {"status": status, "until": event.until, "arbiter": None}


def _on_ruled(case: Case, happened: e.CaseEventRecord, event: e.RulingGiven) -> Changes:
    ruling = Ruling(by=happened.by, at=happened.at, **msgspec.structs.asdict(event))
    return {
        "status": RULED,
        "until": event.until,
        "arbiter": None,
        "rulings": (*case.rulings, ruling),
        "accepted": (),
    }


def _on_accepted(case: Case, happened: e.CaseEventRecord, _event: e.RulingAccepted) -> Changes:
    return {"accepted": (*case.accepted, happened.by.who)}


def _on_appealed(case: Case, happened: e.CaseEventRecord, event: e.AppealLodged) -> Changes:
    return {
        "status": APPEALED,
        "until": event.until,
        "appellant": happened.by,
        "appeal": event.text,
        "pack_due": True,
        "said": _add_said(case, happened),
    }


def _add_said(case: Case, happened: e.CaseEventRecord) -> tuple[tuple[str, int], ...]:
    return (*case.said, (happened.by.who, happened.event.size))


def _on_final(_case: Case, happened: e.CaseEventRecord, event: e.RulingFinal) -> Changes:
    return {"status": FINAL, "until": None, "ending": Ending(at=happened.at, **msgspec.structs.asdict(event))}


def _on_lapsed(_case: Case, _happened: e.CaseEventRecord, _event: e.DisputeLapsed) -> Changes:
    return {"status": LAPSED, "until": None}


_CHANGES: Final[dict[type[e.CaseEvent], Callable[[Case, e.CaseEventRecord, Any], Changes]]] = {
    e.EvidenceAdded: _on_evidence,
    e.EvidencePackBuilt: _on_pack,
    e.DisputeWithdrawn: _on_withdrawn,
    e.PlayWished: _on_wished,
    e.PlayResumed: _on_resumed,
    e.DisputeClaimed: _on_claimed,
    e.ClaimReleased: _on_unclaimed,
    e.ClaimLapsed: _on_unclaimed,
    e.RulingGiven: _on_ruled,
    e.RulingAccepted: _on_accepted,
    e.AppealLodged: _on_appealed,
    e.RulingFinal: _on_final,
    e.DisputeLapsed: _on_lapsed,
}
