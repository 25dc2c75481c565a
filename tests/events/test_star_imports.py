"""A star takes no name away that somebody has from Python."""

import builtins
import collections
import dataclasses
import enum
import functools
import itertools
import random
import typing
from importlib import import_module
from types import ModuleType

import pytest

USUAL = (builtins, collections, dataclasses, enum, functools, itertools, random, typing)


@pytest.mark.parametrize("package", ["events.commands", "events.domain_events", "events.rules.errors"])
def test_a_star_brings_no_name_of_pythons_own_nor_a_module(package: str) -> None:
    """`collections.Counter` stays what it is; and what a star brings is ours."""
    brought: dict[str, object] = {}
    exec(f"from {package} import *", brought)  # noqa: S102 - the only place for a star in a function
    del brought["__builtins__"]

    usual = {name for module in USUAL for name in getattr(module, "__all__", dir(module))}
    assert brought
    assert not brought.keys() & usual
    assert not [name for name, each in brought.items() if isinstance(each, ModuleType)]


def test_what_a_star_leaves_out_is_there_by_its_name() -> None:
    """The command is called so on the wire."""
    counter = import_module("events.commands").Counter
    assert counter.__struct_config__.tag == "counter"
