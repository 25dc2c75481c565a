"""Times as RFC 3339 writes them."""

import re
from datetime import UTC, datetime, timedelta
from typing import Final

_TIME: Final = re.compile(
    r"(?P<minute>[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}):(?P<second>[0-5][0-9]|60)(?P<fraction>\.[0-9]+)?"
    r"(?P<offset>[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])"
)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTE: Final = timedelta(minutes=1)


def parse_time(text: str) -> int:
    """Return milliseconds since the epoch for a time with its offset (RFC 3339, section 5.6).

    Letters may be lower case. A leap second ends a month in UTC and counts as the second after it.

    Raises:
        ValueError: it is not such a time.

    >>> parse_time("2026-11-21t09:30:00.25+01:00") == parse_time("2026-11-21T08:30:00.250Z")
    True
    >>> parse_time("2016-12-31T23:59:60Z") == parse_time("2017-01-01T00:00:00Z")
    True
    """
    found = _TIME.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r} is not a time of RFC 3339")
    minute = datetime.fromisoformat(found["minute"].upper() + found["offset"].upper())
    try:
        utc = minute.astimezone(UTC)
        if found["second"] == "60" and (utc + _MINUTE).strftime("%d%H%M") != "010000":
            raise ValueError(f"{text[:40]!r} has a leap second within a month")
    except OverflowError as error:
        raise ValueError(f"{text[:40]!r} lies outside the calendar") from error
    whole = (utc - _EPOCH) // timedelta(milliseconds=1)
    return whole + 1000 * int(found["second"]) + int(f"{found['fraction'] or '.'}000"[1:4])
