"""Forms filled at random always match, and what comes out is accepted."""

import random

import pytest

from events import commands as c
from events.bots.filling import SMALL_TALK, fill_form
from events.rules.decide import decide
from events.rules.definition.forms import AcceptForm, OfferForm, Payment, SayForm, matches, speakable
from events.rules.legal import legal_commands
from tests.events.bots.games import GREEDY_ONLY, RANDOM_ONLY, Seating
from tests.events.bots.situations import moments


@pytest.mark.parametrize("seating", RANDOM_ONLY[:3] + GREEDY_ONLY[:1], ids=lambda each: str(each[1]))
def test_a_filled_form_matches_and_is_accepted(seating: Seating) -> None:
    """Every form that comes up in a game can be filled, and the rules take the command."""
    chance = random.Random(seating[1])
    kinds = set()
    for table, _ in moments(seating, every=2):
        for seat in range(table.rules.players):
            for form in legal_commands(table.rules, table.state, seat):
                if isinstance(form, c.Command):
                    continue
                command = fill_form(form, chance)
                kinds.add(type(form))
                assert matches(form, command)
                assert decide(table.rules, table.state, seat, command)
    assert len(kinds) >= 3


def test_an_offer_is_never_empty() -> None:
    """Where there is nothing to give, something is asked for."""
    form = OfferForm(to=(1,), hand=(), revealed=(), want={"blue": 20}, want_revealed=())
    offers = [fill_form(form, random.Random(seed)) for seed in range(100)]
    assert all(matches(form, offer) for offer in offers)


def test_payments_are_exact() -> None:
    """Of each wanted variety exactly as many are paid as the offer wants, from wherever they lie."""
    form = AcceptForm(3, (7,), (Payment("blue", 2, (1, 4), (8,)), Payment("red", 1, (2, 3))))
    ways = {fill_form(form, random.Random(seed)) for seed in range(200)}
    assert all(matches(form, way) for way in ways)
    assert len(ways) == 6


def test_bots_talk_harmlessly() -> None:
    """Everything that a bot says may be said at the table."""
    assert all(speakable(text) for text in SMALL_TALK)
    assert matches(SayForm(), fill_form(SayForm(), random.Random(1)))
