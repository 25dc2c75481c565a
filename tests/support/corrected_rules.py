"""A correction of the rules that never was, so that there are two versions of a rule system."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from types import MappingProxyType

import pytest

from events.rules.definition.rule_system import RuleSystem
from events.rules.systems import registry as systems
from events.rules.systems.classic import CLASSIC

DRAWS_FOUR = replace(CLASSIC, version=2, setup=lambda players: replace(CLASSIC.setup(players), draw=4))
"""Version 2 of `classic`: phase 4 draws four cards."""


@contextmanager
def registered(*versions: RuleSystem) -> Iterator[None]:
    """These are all the rule systems, for a while."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(systems, "ALL", versions)
        changed.setattr(systems, "BY_KEY", MappingProxyType({system.key: system for system in versions}))
        yield


def corrected() -> AbstractContextManager[None]:
    """Today's rules of `classic` are version 2, for a while; version 1 stays callable."""
    return registered(*systems.ALL, DRAWS_FOUR)


def without_version_one() -> AbstractContextManager[None]:
    """Version 1 of `classic` draws four cards, for a while: rules that no game may have been played by."""
    return registered(replace(DRAWS_FOUR, version=1))
