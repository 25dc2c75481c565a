"""What a card can be worth, so that trades can be compared at all."""

from collections.abc import Mapping
from types import MappingProxyType

from events.domain_events import Card
from events.rules.catalogues.catalogue import Catalogue


def card_values(catalogue: Catalogue) -> Mapping[Card, float]:
    """The most coins a card of each kind can bring, as part of the best field: coins by beans of its best step.

    It is a yardstick and no more: what a card is worth to a player hangs on the fields. Cards without a beanometer of
    their own count as the best of their variety, those of a variety without one as nothing.
    """
    values: dict[Card, float] = {}
    for bean in catalogue.beans:
        rates = [int(coins) / beans for coins, beans in bean.beanometer.items() if beans]
        values[bean.variety] = max([values.get(bean.variety, 0.0), *rates])
    return MappingProxyType({bean.card: values[bean.variety] for bean in catalogue.beans} | values)
