"""Every rule system says where its booklets have what its refusals are about, and its page lists these sections."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest

from events.rules import decide, errors
from events.rules.definition import rule_system
from events.rules.definition.rule_system import RuleSystem
from events.rules.errors import RuleViolation
from events.rules.errors.printed_rules import HOUSE_RULE, Topic
from events.rules.systems.registry import BY_KEY, system_named

PAGES = Path(__file__).parents[3] / "docs" / "rules"
COMMON = (decide.play, rule_system.rules_for)
"""What decides for every system, besides what the system itself names."""

every_system = pytest.mark.parametrize("system", BY_KEY.values(), ids=lambda system: system.key)


# --- what a system can refuse ------------------------------------------------------------------------------


def stated(value: object) -> Iterator[FunctionType | Topic]:
    """The functions that a system is made of, and the topics that it names itself; its sections do not count."""
    if isinstance(value, FunctionType | Topic):
        yield value
    for part in _parts(value):
        yield from stated(part)


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, tuple):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value) if field.name != "sections"]
    return ()


def called(function: Callable[..., object]) -> Iterator[object]:
    """Every global that a function names, also as an attribute of a module: more than it calls, never less."""
    codes = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [each for each in code.co_consts if isinstance(each, CodeType)]
        for name in code.co_names:
            found = function.__globals__.get(name)
            if isinstance(found, ModuleType):
                yield from (getattr(found, each) for each in code.co_names if hasattr(found, each))
            else:
                yield found


@cache
def topics(key: str) -> frozenset[Topic]:
    """The topics of all refusals that the code of a system names, in whatever functions it gets to."""
    found: set[Topic] = set()
    waiting: list[object] = [*COMMON, *stated(system_named(key))]
    seen: set[FunctionType] = set()
    while waiting:
        each = waiting.pop()
        each = getattr(each, "__wrapped__", each)  # what is cached is a function all the same
        if isinstance(each, Topic):
            found.add(each)
        elif isinstance(each, type) and issubclass(each, RuleViolation) and each.topic is not None:
            found.add(each.topic)
        elif isinstance(each, FunctionType) and each not in seen:
            seen.add(each)
            waiting += called(each)
        elif isinstance(each, property):
            waiting.append(each.fget)
        elif isinstance(each, type) and each.__module__.startswith("events.rules."):
            waiting += vars(each).values()
    return frozenset(found)


@every_system
def test_a_system_has_a_section_for_every_topic_of_its_refusals_and_for_no_other(system: RuleSystem) -> None:
    """Whatever is refused, `section_of` finds where the players can read it."""
    assert system.sections.keys() == topics(system.key)


def test_every_topic_is_one_of_some_refusal() -> None:
    """No topic stands there for nothing."""
    used = {violation.topic for violation in RuleViolation.__subclasses__()}
    assert {*Topic} == used - {None}


def test_a_house_rule_says_so_in_every_system() -> None:
    """What no booklet says does not pretend to be printed."""
    for system in BY_KEY.values():
        assert system.section_of(errors.NotInThisGame("")) == HOUSE_RULE


@pytest.mark.parametrize(
    ("key", "section"),
    [
        ("classic", "Bohnanza (104 cards), Vendre des haricots - Récolte"),
        ("extended", "Bohnanza (154 cards), Récoltes et ventes de haricots"),
        ("bean-duel", "Bohnanza (154 cards), Récoltes et ventes de haricots"),
        ("ladybohn", "Ladybohn, Récolte et vente de haricots"),
        ("ladybohn-expansion", "Lady Bohn (expansion), The Harvest"),
        ("the-duel", "Bohnanza: The Duel, Règle de protection"),
    ],
)
def test_the_same_refusal_sends_the_players_of_each_system_to_their_own_booklet(
    key: str, section: str
) -> None:
    """A single bean is protected in every one of them, and each says so in another place."""
    assert str(system_named(key).section_of(errors.BeanProtected(""))) == section


# --- the pages ---------------------------------------------------------------------------------------------


def table_of_sections(system: RuleSystem) -> str:
    """Where each topic stands, as a table."""
    lines = ["| about | booklet | section |", "|---|---|---|"]
    for topic in Topic:
        if topic in system.sections:
            section = system.sections[topic]
            lines.append(f"| {topic.value} | {section.booklet} | *{section.title}* |")
    return "\n".join(lines)


@every_system
def test_the_page_lists_the_sections_that_refusals_name(system: RuleSystem) -> None:
    """So whoever is refused finds the rule, and whoever reads the page finds the booklet's words for it."""
    page = (PAGES / f"{system.key}.md").read_text("utf-8")
    found = re.search(r"<!-- sections -->\n(.*)\n<!-- /sections -->", page, re.DOTALL)
    assert found, "the page has no part marked sections"
    assert found[1] == table_of_sections(system)
