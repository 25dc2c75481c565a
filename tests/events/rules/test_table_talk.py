"""Table talk is a command and is recorded: disputes are about what was said."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from tests.events.rules.games import Giving, all_games, standard_games, trading


@all_games
def test_everybody_may_talk_at_any_time(given: Giving) -> None:
    """Bohnanza (104), other actions: whatever is said in any phase, by anybody, changes nothing."""
    for phase in given.phases:
        for seat in given.seats:
            table = given(phase=phase)
            after = table.when(c.Say("two red for your soy?"), by=seat)
            assert after.then(e.Talked(seat, "two red for your soy?")).state == table.state


@standard_games
def test_promises_may_be_made_and_bind_nobody(given: Giving) -> None:
    """Bohnanza (104), other actions: who promised a bean may keep it; an offer carries no binding promise."""
    promised = (
        trading(given)
        .when(c.Offer(0, hand=(2,), want_revealed=(1,)), by=1)
        .then_among_others()
        .when(c.Say("Give me your soy bean now, and I will never sell my field of blue ones."))
        .then_among_others()
    )
    promised.when(c.Decline(1)).then(e.OfferDeclined(1, 0, closed=True))
    promised.when(c.Withdraw(1), by=1).then(e.OfferWithdrawn(1, 1))
    trading(given).when(c.Offer(1, hand=(1,), spare=True)).then_refused(errors.NotInThisGame)
    trading(given).when(c.Offer(1, hand=(1,), want_spared=True)).then_refused(errors.NotInThisGame)


@pytest.mark.parametrize("text", ["x", "x" * 500, "\N{SEEDLING}" * 500, " leading", "Cogné, s'il te plaît"])
@all_games
def test_any_readable_text_may_be_said(given: Giving, text: str) -> None:
    """Rules of the house: 1 to 500 characters of any script."""
    given().when(c.Say(text)).then(e.Talked(0, text))


@pytest.mark.parametrize(
    "text",
    ["", " ", "   ", "\u00a0\u2003", "x" * 501, "two\nlines", "\t", "a\x00b", "\x1b[2J", "\x7f", "\x85", "\ud800",
     "two\u2028lines", "two\u2029lines"],
    ids=ascii,
)  # fmt: skip
@all_games
def test_what_cannot_be_shown_cannot_be_said(given: Giving, text: str) -> None:
    """Rules of the house: nothing empty, too long, with line breaks or control characters."""
    given().when(c.Say(text)).then_refused(errors.BadText)
