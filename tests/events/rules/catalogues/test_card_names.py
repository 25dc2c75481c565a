"""What cards are called: every card of every shipped catalogue has a name in the languages of the booklets."""

import pytest

from events.rules.catalogues.card_names import LANGUAGES, card_names
from events.rules.catalogues.catalogue import SHIPPED, Bean, Catalogue, shipped_catalogue

PINNED = {
    "bohnanza-104": "118276ad1b5fff2b19aa60a82a75589c0bbc621d674e13a497ece381adfca724",
    "bohnanza-154": "8fe68b8605a03ccd928aee91835159d88ff11f36c4bf453db265d9dc4c45c21a",
    "ladybohn": "ef55d9ac4f4002c00748baba8b074b98b6a2feb5eb6e80331d51f42d6bdefaa9",
    "ladybohn-expansion": "6db29ee652830523ff715eeda41a3b6689dfe3a647d38af7c4a1510bd5688169",
    "the-duel": "8e4fc9f00307d13eb61c2aadd90a670a84b396efbfde8d4342bfed9b7a917f25",
}
"""The hash of every published catalogue."""

every_catalogue = pytest.mark.parametrize("name", SHIPPED)


@every_catalogue
def test_every_card_has_a_name_in_every_language(name: str) -> None:
    """In English, German, French and Italian, for beans and bonus cards."""
    catalogue = shipped_catalogue(name)
    names = card_names(catalogue)
    assert [*names] == [bean.card for bean in catalogue.beans] + [bonus.card for bonus in catalogue.bonus]
    for card, called in names.items():
        assert {*called} == {*LANGUAGES}, card
        assert all(text.strip() == text and text for text in called.values()), card


@every_catalogue
def test_no_two_cards_have_the_same_name(name: str) -> None:
    """In one language a name stands for one card."""
    names = card_names(shipped_catalogue(name)).values()
    for language in LANGUAGES:
        assert len({called[language] for called in names}) == len(names), language


@every_catalogue
def test_a_catalogue_has_the_last_word_on_its_names(name: str) -> None:
    """What was added later fills gaps and changes nothing."""
    catalogue = shipped_catalogue(name)
    for bean in catalogue.beans:
        assert bean.names.items() <= card_names(catalogue)[bean.card].items()


@pytest.mark.parametrize(("name", "pinned"), PINNED.items(), ids=PINNED)
def test_names_that_came_later_leave_the_hash_alone(name: str, pinned: str) -> None:
    """Games pin a published catalogue by its hash."""
    assert shipped_catalogue(name).hash() == pinned


def test_a_bonus_card_is_called_after_its_varieties() -> None:
    """Cards have no printed names; the sequence says which one it is."""
    assert card_names(shipped_catalogue("the-duel"))["c10_122"] == {
        "en": "bonus card: garden bean, red bean, red bean",
        "de": "Bohnuskarte: Gartenbohne, Rote Bohne, Rote Bohne",
        "fr": "carte Bohnus: haricot du jardin, haricot rouge, haricot rouge",
        "it": "carta bonus: fagiolo da giardino, fagiolo rosso, fagiolo rosso",
    }


def test_a_catalogue_of_ones_own_is_called_as_it_says() -> None:
    """Nothing is added to cards that did not come with Fieldbook."""
    bean = Bean(card="pinto", copies=9, provenance="house", names={"en": "pinto"}, beanometer={"1": 2})
    catalogue = Catalogue(name="mine", title="Mine", total=9, source="me", beans=(bean,))
    assert card_names(catalogue) == {"pinto": {"en": "pinto"}}
