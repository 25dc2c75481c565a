"""What the rooms add to the tables that go by events: each module that a room has is found by its place.

A rule system that has something of its own has a folder in `events/rules/systems/`, its room, and modules of the
same name where others speak of it. So nobody has to keep a list of them.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType

SYSTEMS = "events.rules.systems"


def modules_in(package: str) -> Iterator[ModuleType]:
    """The modules and packages in a package, by name."""
    for found in iter_modules(import_module(package).__path__, f"{package}."):
        yield import_module(found.name)


def modules_of_rooms(name: str) -> Iterator[ModuleType]:
    """The module of this name in each room that has one."""
    for found in iter_modules(import_module(SYSTEMS).__path__, f"{SYSTEMS}."):
        if found.ispkg and find_spec(f"{found.name}.{name}") is not None:
            yield import_module(f"{found.name}.{name}")
