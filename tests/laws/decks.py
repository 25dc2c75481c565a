"""Decks made up for the laws: without a card twice, so that one can follow each; or with rare moments made common."""

from itertools import pairwise

import msgspec

from events.rules.catalogues.catalogue import BonusCard, Catalogue, check_catalogue, shipped_catalogue
from tests.laws.secrecy import NAME, WITH_SEXES
from tests.support.tables import all_different, families_of_different, rules_of

EASY_DUELS = [(bonus, blue) for bonus in (6, 7, 15) for blue in (20, 19, 17)]
"""Bonus cards in an easy deck of `the-duel`, and its blue beans."""


def easy_deck(bonus: int, blue: int) -> Catalogue:
    """`the-duel` with so many bonus cards, each for one or two cards of a field, and so many blue beans."""
    shipped = shipped_catalogue("the-duel")
    single = [(variety,) for variety in shipped.rising]
    sequences = [*single, *pairwise(shipped.rising)][:bonus]
    beans = tuple(
        msgspec.structs.replace(bean, copies=blue) if bean.card == "blue" else bean for bean in shipped.beans
    )
    deck = msgspec.structs.replace(
        shipped,
        total=104 - 20 + blue,
        beans=beans,
        bonus_total=bonus,
        bonus=tuple(
            BonusCard(card=f"easy{place}", sequence=tuple(sequence), cents=10, provenance="house")
            for place, sequence in enumerate(sequences)
        ),
    )
    check_catalogue(deck, "easy deck")
    return deck


def make_up_deck() -> Catalogue:
    """`ladybohn-expansion` with blue and soy beans of both sexes and half a deck of make-up beans."""
    copies = {"blue_male": 20, "blue_female": 15, "soy_male": 15, "soy_female": 10, "make_up_female": 60}
    beans = tuple(
        msgspec.structs.replace(bean, copies=copies[bean.card])
        for bean in shipped_catalogue("ladybohn-expansion").beans
        if bean.card in copies
    )
    return Catalogue(name="make-up", title="Much make-up", total=120, source="made up", beans=beans)


RARE = {
    "ladybohn": (families_of_different(families=3, size=28),),
    "the-duel": tuple(easy_deck(bonus, blue) for bonus, blue in EASY_DUELS),
    "ladybohn-expansion": (make_up_deck(),),
}
"""By system: decks that make its rare moments common."""
UNLIKE = {"ladybohn": (WITH_SEXES,)}
"""By system: further decks without a card twice, for what is hidden in that system only."""


def made_up_decks(system: str, players: int) -> tuple[Catalogue, ...]:
    """All decks made up for a table of this system; the first has no card twice."""
    unlike = all_different(rules_of(system, players).catalogue.total)
    return (unlike, *UNLIKE.get(system, ()), *RARE.get(system, ()))


def no_card_is_twice_in(deck: Catalogue) -> bool:
    """Whether a card's name in the bytes that leave is that very card."""
    return all(NAME.fullmatch(bean.card) for bean in deck.beans)
