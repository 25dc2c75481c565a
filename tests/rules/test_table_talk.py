"""Table talk is a command and is recorded: disputes are about what was said."""

from itertools import product

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.support.given import given

PHASES = ("plant", "reveal", "trade", "plant_aside", "draw")


@pytest.mark.parametrize(("phase", "seat"), [*product(PHASES, (0, 1, 2))])
def test_everybody_may_talk_at_any_time(phase: str, seat: int) -> None:
    """Bohnanza (104), other actions: promises may be made, and bind nobody; talking changes nothing."""
    table = given(phase=phase)
    after = table.when(c.Say("two red for your soy?"), by=seat).then(e.Talked(seat, "two red for your soy?"))
    assert after.state == table.state


@pytest.mark.parametrize("text", ["x", "x" * 500, "\N{SEEDLING}" * 500, " leading", "Cogné, s'il te plaît"])
def test_any_readable_text_may_be_said(text: str) -> None:
    """Rules of the house: 1 to 500 characters of any script."""
    given().when(c.Say(text)).then(e.Talked(0, text))


@pytest.mark.parametrize(
    "text",
    ["", " ", "   ", "\u00a0\u2003", "x" * 501, "two\nlines", "\t", "a\x00b", "\x1b[2J", "\x7f", "\x85", "\ud800",
     "two\u2028lines", "two\u2029lines"],
    ids=ascii,
)  # fmt: skip
def test_what_cannot_be_shown_cannot_be_said(text: str) -> None:
    """Rules of the house: nothing empty, too long, with line breaks or control characters."""
    given().when(c.Say(text)).then_refused(errors.BadText)
