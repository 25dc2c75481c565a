"""Filling in forms at random, so that what comes out always matches the form."""

import random

from events import commands as c
from events.domain_events import Card
from events.rules.definition.forms import AcceptForm, AskTakeBackForm, CounterForm, Form, OfferForm, SayForm

SMALL_TALK = (
    "Beans, anybody?",
    "I have seen better soil.",
    "My fields are full.",
    "Nobody wants these, it seems.",
    "What a harvest!",
)
"""All that a bot ever says."""
_GIVEN = (0, 1, 1, 1, 2)
_WANTED = (0, 1, 1, 1, 2)
_PROMISES = 0.15


def fill_form(form: Form, chance: random.Random) -> c.Command:
    """A command that matches the form."""
    match form:
        case OfferForm():
            hand, revealed, want, want_revealed = _trade(form, chance)
            to = chance.choice(form.to)
            return c.Offer(to, hand, revealed, want, want_revealed, *_promises(form, chance))
        case CounterForm():
            return c.Counter(chance.choice(form.offer), *_trade(form, chance), *_promises(form, chance))
        case AcceptForm():
            return _acceptance(form, chance)
        case SayForm():
            return c.Say(chance.choice(SMALL_TALK))
        case AskTakeBackForm():
            return c.AskTakeBack(chance.choice(form.to_version or (1,)), seen_confirmed=True)


def _trade(
    form: OfferForm | CounterForm, chance: random.Random
) -> tuple[tuple[int, ...], tuple[int, ...], dict[Card, int], tuple[int, ...]]:
    """Cards given from hand and revealed, varieties wanted, revealed cards wanted: never nothing at all."""
    hand = _some(form.hand, chance.choice(_GIVEN), chance)
    revealed = _some(form.revealed, chance.choice(_GIVEN), chance)
    want_revealed = _some(form.want_revealed, chance.choice(_WANTED), chance)
    want: dict[Card, int] = {}
    for _ in range(chance.choice(_WANTED)):
        card = chance.choice(tuple(form.want))
        want[card] = min(want.get(card, 0) + 1, form.want[card])
    if not (hand or revealed or want or want_revealed):
        want = {chance.choice(tuple(form.want)): 1}
    return hand, revealed, want, want_revealed


def _promises(form: OfferForm | CounterForm, chance: random.Random) -> tuple[bool, bool]:
    """Whether the offer comes with a binding promise of either side; mostly not."""
    if not form.promises:
        return False, False
    return chance.random() < _PROMISES, chance.random() < _PROMISES


def _some(numbers: tuple[int, ...], most: int, chance: random.Random) -> tuple[int, ...]:
    return tuple(sorted(chance.sample(numbers, min(most, len(numbers)))))


def _acceptance(form: AcceptForm, chance: random.Random) -> c.Accept:
    hand: list[int] = []
    revealed = list(form.revealed)
    for payment in form.payments:
        ways = [(hand, number) for number in payment.hand if number not in hand]
        ways += [(revealed, number) for number in payment.revealed if number not in revealed]
        for pile, number in chance.sample(ways, payment.count):
            pile.append(number)
    return c.Accept(form.offer, tuple(sorted(hand)), tuple(sorted(revealed)))
