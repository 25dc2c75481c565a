"""What cards are called in the languages of the booklets: as their catalogue says, and what it leaves out.

The names of a published catalogue are pinned with it, so those that came later stand in a file of their own.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from events.domain_events import Card
from events.rules.catalogues.catalogue import BonusCard, Catalogue

LANGUAGES = ("en", "de", "fr", "it")
"""Every card of a shipped catalogue has a name in each of them."""
Names = dict[str, str]
"""Language to name."""


def card_names(catalogue: Catalogue) -> dict[Card, Names]:
    """The names of each bean and bonus card, as far as they are known, in catalogue order.

    A bonus card is called after the varieties of its sequence.
    """
    added = _read().get(catalogue.name, {})
    names = {
        bean.card: {
            **{language: cards[bean.card] for language, cards in added.items() if bean.card in cards},
            **bean.names,
        }
        for bean in catalogue.beans
    }
    varieties = {bean.variety: names[bean.card] for bean in reversed(catalogue.beans)}
    return names | {each.card: _bonus_names(each, varieties) for each in catalogue.bonus}


def _bonus_names(bonus: BonusCard, varieties: Mapping[str, Names]) -> Names:
    return {
        language: f"{word}: {', '.join(varieties[variety][language] for variety in bonus.sequence)}"
        for language, word in _read()["bonus"].items()
        if all(language in varieties[variety] for variety in bonus.sequence)
    }


@cache
def _read() -> dict[str, Any]:
    """What `names.toml` says: the words for a bonus card by language, and of a catalogue language to card to name."""
    path = resources.files(__package__) / "names.toml"
    return tomllib.loads(path.read_text("utf-8"))
