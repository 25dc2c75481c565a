"""All rule systems, by key."""

from collections.abc import Mapping

from events.rules.definition.rule_system import RuleSystem
from events.rules.errors import UnknownSystem
from events.rules.systems.bean_duel.system import BEAN_DUEL
from events.rules.systems.classic import CLASSIC
from events.rules.systems.extended import EXTENDED
from events.rules.systems.ladybohn.system import LADYBOHN
from events.rules.systems.ladybohn_expansion.system import LADYBOHN_EXPANSION
from events.rules.systems.the_duel.system import THE_DUEL

ALL: tuple[RuleSystem, ...] = (CLASSIC, EXTENDED, BEAN_DUEL, LADYBOHN, LADYBOHN_EXPANSION, THE_DUEL)
"""Every version of every system that is still playable or verifiable, newest version of each last."""

BY_KEY: Mapping[str, RuleSystem] = {system.key: system for system in ALL}
"""The newest version of each system."""


def system_named(key: str, version: int | None = None) -> RuleSystem:
    """The rule system of this key, in the newest or in a pinned version.

    Raises:
        UnknownSystem: there is none.
    """
    for system in reversed(ALL):
        if system.key == key and version in (None, system.version):
            return system
    shown = f"{key!r} in version {version}" if version is not None else f"{key!r}"
    raise UnknownSystem(f"There is no rule system {shown}; there are: {', '.join(BY_KEY)}.")
