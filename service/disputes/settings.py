"""How long things may be done about a dispute.

FIELDBOOK_DISPUTE_SECONDS   after the end of a game: open a case (14 days)
FIELDBOOK_CLAIM_SECONDS     from opening, appealing or a released claim: claim it (7 days)
FIELDBOOK_RULING_SECONDS    from a claim: give the ruling (7 days)
FIELDBOOK_APPEAL_SECONDS    from a ruling: appeal (1 day)
"""

from collections.abc import Mapping

from events.disputes.facts import Limits
from service.platform.configuration import APPEAL_SECONDS, CLAIM_SECONDS, DISPUTE_SECONDS, RULING_SECONDS


def dispute_limits(environment: Mapping[str, str] | None = None) -> Limits:
    """The limits in environment variables; empty ones count as absent.

    Raises:
        BadSetting: a value is no number of seconds; the sentence names the variable.
    """
    return Limits(
        dispute=1000 * DISPUTE_SECONDS.value(environment),
        claim=1000 * CLAIM_SECONDS.value(environment),
        ruling=1000 * RULING_SECONDS.value(environment),
        appeal=1000 * APPEAL_SECONDS.value(environment),
    )
