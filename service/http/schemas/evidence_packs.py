"""What is asked for, and what a pack is as JSON."""

from typing import Final

from service.http.schemas.members import Pattern, Query, Text
from service.http.schemas.shapes import OBJECT, Schema, describe_answer, list_of, or_null


class EvidencePackQuery(Query):
    """Which pack of the case; without it the newest."""

    sha256 = Text(
        "The hash of one of the packs of the case; without it the newest.",
        Pattern(r"^[0-9a-f]{64}$", error="64 hex digits, in small letters."),
        default=None,
    )


ANSWERS: Final[dict[str, Schema]] = {
    # What an arbiter reads before ruling, as canonical JSON; the SHA-256 of its bytes stands in the dispute log.
    # `time`, in a game with a clock: the deadlines before the disputed version, and what expired or was given back.
    "EvidencePackAnswer": describe_answer(
        {"time": OBJECT},
        format=str,
        game=str,
        system=str,
        system_version=int,
        dispute=OBJECT,
        dispute_log=int,
        head=OBJECT,
        disputed=or_null(OBJECT),
        proof=or_null(OBJECT),
        verdict=OBJECT,
        **dict.fromkeys(
            (
                "around",
                "arrivals",
                "time_used",
                "time_used_overall",
                "perspectives",
                "ways_back",
                "annotations",
                "rulings",
            ),
            list_of(OBJECT),
        ),
    ),
}
