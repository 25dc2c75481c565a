"""What a game is pinned to, and the scope of a record, cannot be changed either."""

from typing import Any

import msgspec
import pytest

from events.chain.canonical import canonical, sha256_hex
from events.log.disclosure import ALL, PUBLIC, viewer_name
from replay.verification.verify import verify_lines
from tests.replay.verification.forging import (
    GAME,
    Line,
    altered,
    finding_in,
    parsed,
    relinked_after,
    version_of,
    written,
)


def header_with(change: Any) -> list[bytes]:
    """The record with another catalogue in its header."""
    lines = parsed(GAME.record())
    change(lines[0]["catalogue"])
    return written(lines)


def test_another_catalogue_is_found() -> None:
    """The game pins what its cards pay."""

    def change(catalogue: Line) -> None:
        catalogue["beans"][0]["beanometer"]["1"] = 3

    assert finding_in(header_with(change)) == ("pinned", 1)


def test_a_catalogue_that_makes_no_sense_is_found() -> None:
    """Its figures are checked before anything is built from them."""

    def swollen(catalogue: Line) -> None:
        catalogue["total"] = catalogue["beans"][0]["copies"] = 10**9

    def steps(catalogue: Line) -> None:
        catalogue["beans"][0]["beanometer"] = {"1": 4, "2": 3}

    assert finding_in(header_with(swollen)) == ("pinned", 0)
    assert finding_in(header_with(steps)) == ("pinned", 0)


def test_another_catalogue_pinned_anew_is_found() -> None:
    """Pinning the other catalogue as well shows at the first harvest that it changes."""

    def change(lines: list[Line]) -> None:
        catalogue = lines[0]["catalogue"]
        for bean in catalogue["beans"]:
            bean["beanometer"] = {"1": 1}
        pinned = sha256_hex(canonical(catalogue))
        lines[1]["entry"]["data"]["catalogue"] = lines[1]["entry"]["command"]["catalogue"] = pinned

    check, version = finding_in(altered(GAME.record(), change))

    assert check == "rules"
    assert version >= version_of("field_harvested")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("system", "no-such-system"),
        ("system_version", 9),
        ("engine_version", 2),
        ("players", 9),
        ("players", 10**15),
        ("options", {"bean_protection": "none"}),
        ("options", {}),
        ("game", "another"),
        ("commitment", "AB" * 32),
    ],
)
@pytest.mark.parametrize("viewer", [ALL, PUBLIC], ids=viewer_name)
def test_what_is_pinned_must_be_known(viewer: int, name: str, value: Any) -> None:
    """A game made for a system, version or option that is unknown here is not verified."""

    def change(lines: list[Line]) -> None:
        lines[1]["entry"]["data"][name] = value

    assert finding_in(relinked_after(GAME.record(viewer), change)) == ("pinned", 1)


@pytest.mark.parametrize(
    "claimed", ["public", "seat:0", "seat:1", "seat:3", "seat:4", "seat:01", "nobody", ""]
)
def test_a_record_under_another_scope_is_found(claimed: str) -> None:
    """A record shows exactly what its scope says, not more and not less."""
    for viewer in (ALL, PUBLIC, 2):
        lines = parsed(GAME.record(viewer))
        if claimed == lines[0]["scope"]:
            continue
        lines[0]["scope"] = claimed
        assert finding_in(written(lines))[0] == "scope"


def test_an_opened_card_in_a_public_record_is_found() -> None:
    """A card shown to spectators that they may not see, even with a right commitment, is against the scope."""
    lines, whole = parsed(GAME.record(PUBLIC)), parsed(GAME.record())
    dealt = version_of("hand_dealt")
    lines[dealt] = {**whole[dealt], "salts": {"data/cards/0": whole[dealt]["salts"]["data/cards/0"]}}

    assert finding_in(written(lines)) == ("scope", dealt)


def test_reports_serialise_whatever_was_found() -> None:
    """Findings about hostile texts are still plain JSON."""
    lines = parsed(GAME.record())
    lines[40]["entry"]["actor"] = "\x1b[2J\u202eseat:0"

    report = verify_lines(written(lines))

    assert "\\u001b" not in msgspec.json.encode(report).decode()
    assert "\u202e" not in report.findings[0].reason
