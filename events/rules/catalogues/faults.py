"""What can be wrong with a catalogue: every figure that makes no sense, with the place where it stands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from events.rules.catalogues.catalogue import Bean, BonusCard, Catalogue

LARGEST_DECK = 1000
"""Cards in a deck at most: records carry their catalogue, and a record is hostile input."""
MOST_CENTS = 1000

Place = tuple[str | int, ...]
"""The keys and places in lists that lead to a value, such as `("beans", 3, "copies")`."""


class Fault(NamedTuple):
    """One thing that makes no sense: where it stands, and the reason."""

    place: Place
    reason: str


def faults_of(catalogue: "Catalogue") -> Iterator[Fault]:
    """Everything in a catalogue that makes no sense, whatever it may be played with."""
    grown = Counter[str]()
    for bean in catalogue.beans:
        grown[bean.variety] += bean.copies
    yield from _faults_of_head(catalogue)
    yield from _faults_of_beans(catalogue.beans, grown)
    yield from _faults_of_bonus(catalogue, grown)


def _faults_of_head(catalogue: "Catalogue") -> Iterator[Fault]:
    for member in ("name", "title", "source"):
        if not getattr(catalogue, member).strip():
            yield Fault((member,), f"the {member} is empty")
    if not catalogue.beans:
        yield Fault(("beans",), "there are no beans")
    dealt = sum(bean.copies for bean in catalogue.beans)
    if max(dealt, catalogue.total) > LARGEST_DECK:
        yield Fault(("total",), f"a deck has at most {LARGEST_DECK} cards")
    if dealt != catalogue.total:
        yield Fault(("total",), f"the copies are {dealt}, they do not add up to {catalogue.total}")


def _faults_of_beans(beans: "Sequence[Bean]", grown: Mapping[str, int]) -> Iterator[Fault]:
    taken = set()
    for number, bean in enumerate(beans):
        if bean.card in taken:
            yield Fault(("beans", number, "card"), f"{bean.card}: a card is listed twice")
        if bean.card in grown and bean.variety != bean.card:
            yield Fault(("beans", number, "card"), f"{bean.card}: this is the name of another variety")
        taken.add(bean.card)
        for place, reason in _faults_of_bean(bean, grown[bean.variety]):
            yield Fault(("beans", number, *place), f"{bean.card}: {reason}")


def _faults_of_bean(bean: "Bean", copies: int) -> Iterator[Fault]:
    if not _is_key(bean.card):
        yield Fault(("card",), "a card's key consists of letters, digits and underscores")
    if not all(language.isascii() and language.isalpha() for language in bean.names):
        yield Fault(("names",), "a name's language is a code of ASCII letters")
    if bean.copies < 1:
        yield Fault(("copies",), "there must be at least one copy")
    if bool(bean.family) != bool(bean.sex) or bean.family == bean.card:
        member = "family" if bean.family else "sex"
        yield Fault((member,), "a card with a sex names its family, and only such a card does")
    if bean.sold == "make_up" and bean.beanometer:
        yield Fault(("beanometer",), "make-up beans have no beanometer")
    if bean.sold == "beanometer" and (bean.sex != "baby" or bean.beanometer):
        yield from (Fault(("beanometer",), reason) for reason in _faults_of_beanometer(bean, copies))


def _faults_of_beanometer(bean: "Bean", copies: int) -> Iterator[str]:
    if not bean.beanometer or any(coins not in {"1", "2", "3", "4"} for coins in bean.beanometer):
        yield "a beanometer has steps for 1 to 4 coins"
        return
    needed = [bean.beanometer[coins] for coins in sorted(bean.beanometer)]
    if needed != sorted(set(needed)) or needed[0] < 1:
        yield f"more coins need more beans: {needed}"
    if needed[-1] > copies:
        yield f"{needed[-1]} beans are needed, there are {copies}"
    if bean.sex != "female" and any(int(coins) > beans for coins, beans in bean.beanometer.items()):
        yield "a field cannot pay more coins than it has cards"


def _faults_of_bonus(catalogue: "Catalogue", copies: Mapping[str, int]) -> Iterator[Fault]:
    """What makes no sense in the order of the varieties and in the bonus cards."""
    rising = catalogue.rising
    if rising and sorted(rising) != sorted(copies):
        yield Fault(("rising",), "`rising` names each variety of the deck once")
    if catalogue.bonus_total > LARGEST_DECK:
        yield Fault(("bonus_total",), f"there are at most {LARGEST_DECK} bonus cards")
    if len(catalogue.bonus) != catalogue.bonus_total:
        found = len(catalogue.bonus)
        reason = f"the bonus cards are {found}, they do not add up to {catalogue.bonus_total}"
        yield Fault(("bonus_total",), reason)
    taken = {bean.card for bean in catalogue.beans}
    for number, bonus in enumerate(catalogue.bonus):
        if bonus.card in taken:
            yield Fault(("bonus", number, "card"), f"{bonus.card}: a bonus card has the key of another card")
        taken.add(bonus.card)
        for member, reason in _faults_of_bonus_card(bonus, rising, copies):
            yield Fault(("bonus", number, member), f"{bonus.card}: {reason}")


def _faults_of_bonus_card(
    bonus: "BonusCard", rising: tuple[str, ...], copies: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    if not _is_key(bonus.card):
        yield "card", "a card's key consists of letters, digits and underscores"
    if not 1 <= bonus.cents <= MOST_CENTS:
        yield "cents", f"a bonus card is worth 1 to {MOST_CENTS} cents besides its coin"
    if not bonus.sequence or not {*bonus.sequence} <= {*rising} & {*copies}:
        yield "sequence", "a sequence consists of varieties named in `rising`"
        return
    if any(count > copies[variety] for variety, count in Counter(bonus.sequence).items()):
        yield "sequence", "the sequence needs more cards of a variety than there are"
    places = [rising.index(variety) for variety in bonus.sequence]
    if any(higher - lower not in (0, 1) for lower, higher in pairwise(places)):
        yield "sequence", "no field can grow this sequence: each step is the same or next higher"


def _is_key(card: str) -> bool:
    return card.isascii() and card.replace("_", "").isalnum()
