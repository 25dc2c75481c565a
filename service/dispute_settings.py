"""How long things may be done about a dispute.

FIELDBOOK_DISPUTE_SECONDS   after the end of a game: open a case (14 days)
FIELDBOOK_CLAIM_SECONDS     from opening, appealing or a released claim: claim it (7 days)
FIELDBOOK_RULING_SECONDS    from a claim: give the ruling (7 days)
FIELDBOOK_APPEAL_SECONDS    from a ruling: appeal (1 day)
"""

from collections.abc import Mapping
from typing import Final

from events.disputes.facts import Limits
from service.configuration import whole_number

MOST_SECONDS: Final = 10 * 366 * 24 * 60 * 60
"""Ten years."""


def dispute_limits(environment: Mapping[str, str] | None = None) -> Limits:
    """The limits in environment variables; empty ones count as absent.

    Raises:
        BadSetting: a value is no number of seconds; the sentence names the variable.
    """
    found = {
        name: 1000 * whole_number(f"FIELDBOOK_{name.upper()}_SECONDS", environment, 1, MOST_SECONDS)
        for name in ("dispute", "claim", "ruling", "appeal")
    }
    return Limits(**found)
