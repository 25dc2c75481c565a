"""Tables of the bean duel for tests."""

from typing import Any

from tests.events.rules.games import Giving
from tests.support.given import Given
from tests.support.tables import rules_of

RULES = rules_of("bean-duel", 2)
given = Giving(RULES)
"""A table of the bean duel."""


def offered(**table: Any) -> Given:
    """A table with a red and a soy bean on offer, cards 1 and 2."""
    return given(**{"phase": "offered", "revealed": ("red", "soy"), **table})
