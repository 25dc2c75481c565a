"""Forms: how `legal_commands` describes the commands that are too many to list.

A form names what may fill each field. A command that matches a form is accepted; one that matches neither a
form nor a listed command is refused. `matches` is that comparison, for clients and tests.
"""

import re
from typing import ClassVar

import msgspec

from events import commands as c
from events.domain_events import Card

TEXT_LENGTH = 500
"""Table talk is at most this many characters."""
_SPEAKABLE = re.compile(rf"(?!\s*$)[^\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]{{1,{TEXT_LENGTH}}}")


class Payment(msgspec.Struct, frozen=True):
    """How one thing wanted can be paid: exactly `count` cards out of `hand` and `revealed` together."""

    card: Card
    count: int
    hand: tuple[int, ...]
    revealed: tuple[int, ...] = ()


class OfferForm(msgspec.Struct, frozen=True, tag_field="type", tag="offer", omit_defaults=True):
    """Fill in an offer.

    `to` is one of these seats (null: open to all); the lists hold the card numbers that may be named, each once;
    `want` the most of each variety that can be asked for, at least one. The offer must give or want something.
    With `promises` it may also carry the promises `spare` and `want_spared`, which alone are no offer.
    """

    command: ClassVar[type[c.Command]] = c.Offer

    to: tuple[int | None, ...]
    hand: tuple[int, ...]
    revealed: tuple[int, ...]
    want: dict[Card, int]
    want_revealed: tuple[int, ...]
    promises: bool = False


class CounterForm(msgspec.Struct, frozen=True, tag_field="type", tag="counter", omit_defaults=True):
    """Fill in a counter-offer to one of the offers `offer`; the rest as in an offer."""

    command: ClassVar[type[c.Command]] = c.Counter

    offer: tuple[int, ...]
    hand: tuple[int, ...]
    revealed: tuple[int, ...]
    want: dict[Card, int]
    want_revealed: tuple[int, ...]
    promises: bool = False


class AcceptForm(msgspec.Struct, frozen=True, tag_field="type", tag="accept"):
    """Fill in the cards that pay for this offer: the revealed cards of `revealed`, and each payment's count.

    No card pays twice. Payments may have cards in common where a card and its variety are wanted; the narrower
    one stands first, so who fills them in this order, each from the cards left, always comes to an end.
    """

    command: ClassVar[type[c.Command]] = c.Accept

    offer: int
    revealed: tuple[int, ...]
    payments: tuple[Payment, ...]


class SayForm(msgspec.Struct, frozen=True, tag_field="type", tag="say"):
    """Fill in `text`: 1 to `longest` characters, not only spaces, no line breaks or control characters."""

    command: ClassVar[type[c.Command]] = c.Say

    longest: int = TEXT_LENGTH


class AskTakeBackForm(msgspec.Struct, frozen=True, tag_field="type", tag="ask_take_back", omit_defaults=True):
    """Fill in the version to go back to, one of `to_version`, newest first; without them one that the log allows.

    Hidden cards were seen since each of them but those of `nothing_seen`: so `seen_confirmed` must be true.
    """

    command: ClassVar[type[c.Command]] = c.AskTakeBack

    to_version: tuple[int, ...] | None = None
    nothing_seen: tuple[int, ...] = ()


Form = OfferForm | CounterForm | AcceptForm | SayForm | AskTakeBackForm


def matches(form: Form, command: c.Command) -> bool:
    """Whether the command fills the form."""
    match form, command:
        case OfferForm(), c.Offer():
            return command.to in form.to and _is_trade(form, command)
        case CounterForm(), c.Counter():
            return command.offer in form.offer and _is_trade(form, command)
        case AcceptForm(), c.Accept():
            return command.offer == form.offer and _pays(form, command)
        case SayForm(), c.Say():
            return speakable(command.text)
        case AskTakeBackForm(), c.AskTakeBack():
            return _goes_back(form, command)
        case _:
            return False


def speakable(text: str) -> bool:
    """Whether a text is fit for table talk."""
    return _SPEAKABLE.fullmatch(text) is not None


def distinct(numbers: tuple[int, ...], allowed: tuple[int, ...]) -> bool:
    """Whether all numbers are allowed and none is named twice."""
    return len(set(numbers)) == len(numbers) and set(numbers) <= set(allowed)


def _goes_back(form: AskTakeBackForm, command: c.AskTakeBack) -> bool:
    if form.to_version is None:
        return command.to_version > 0
    confirmed = command.seen_confirmed or command.to_version in form.nothing_seen
    return confirmed and command.to_version in form.to_version


def _is_trade(form: OfferForm | CounterForm, command: c.Offer | c.Counter) -> bool:
    return (
        distinct(command.hand, form.hand)
        and distinct(command.revealed, form.revealed)
        and distinct(command.want_revealed, form.want_revealed)
        and all(1 <= count <= form.want.get(card, 0) for card, count in command.want.items())
        and bool(command.hand or command.revealed or command.want or command.want_revealed)
        and (form.promises or not (command.spare or command.want_spared))
    )


def _pays(form: AcceptForm, command: c.Accept) -> bool:
    """Whether the cards named can be dealt out to the payments, the narrower ones first, with none left."""
    hand, revealed = set(command.hand), set(command.revealed)
    if len(hand) != len(command.hand) or len(revealed) != len(command.revealed):
        return False
    if not revealed.issuperset(form.revealed):
        return False
    revealed.difference_update(form.revealed)
    for payment in form.payments:
        fitting = [(hand, number) for number in hand.intersection(payment.hand)]
        fitting += [(revealed, number) for number in revealed.intersection(payment.revealed)]
        if len(fitting) < payment.count:
            return False
        for pile, number in fitting[: payment.count]:
            pile.remove(number)
    return not hand and not revealed
