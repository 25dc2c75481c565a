"""The page about each rule system says what the engine plays: its tables are held against catalogue and phases."""

import re
from pathlib import Path

import pytest

from events import commands as c
from events.rules.catalogues.catalogue import Catalogue, shipped_catalogue
from events.rules.definition.rule_system import Phase, Rule, RuleSystem
from events.rules.phases.trading import OPEN_OFFERS
from events.rules.systems.registry import BY_KEY, system_named
from tests.support.tables import rules_of

FOLDER = Path(__file__).parents[3] / "docs" / "rules"
CLASSIC = system_named("classic")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")

every_system = pytest.mark.parametrize("system", BY_KEY.values(), ids=lambda system: system.key)


def page(system: RuleSystem) -> str:
    """The page about a system."""
    return (FOLDER / f"{system.key}.md").read_text("utf-8")


def section(system: RuleSystem, name: str) -> str:
    """The part of the page between two marks."""
    found = re.search(rf"<!-- {name} -->\n(.*)\n<!-- /{name} -->", page(system), re.DOTALL)
    assert found, f"the page has no part marked {name}"
    return found[1]


def beanometers(catalogue: Catalogue) -> str:
    """What every field pays, as a table."""
    lines = [
        "| variety | cards | 1 coin | 2 coins | 3 coins | 4 coins | figures from |",
        "|---|---:|---:|---:|---:|---:|---|",
    ]
    for bean in catalogue.beans:
        steps = [str(bean.beanometer.get(coins, "-")) for coins in "1234"]
        cells = (f"`{bean.card}` {bean.names['en']}", str(bean.copies), *steps, bean.provenance)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def phases(system: RuleSystem) -> str:
    """Who may send which command in which phase, as a table."""
    names = [f"`{phase.name}`" for phase in system.phases]
    lines = [f"| command | {' | '.join(names)} |", "|---" * (1 + len(names)) + "|"]
    kinds = dict.fromkeys(kind for phase in system.phases for kind in phase.rules) | dict.fromkeys(
        system.any_time
    )
    for kind in kinds:
        cells = [_who(_rule(system, phase, kind)) for phase in system.phases]
        lines.append(
            f"| `{kind.__struct_config__.tag}` |" + "".join(f" {cell} |" if cell else " |" for cell in cells)
        )
    return "\n".join(lines)


def _rule(system: RuleSystem, phase: Phase, kind: type[c.Command]) -> Rule | None:
    open_now = kind is c.Say or not phase.only_talk
    return phase.rules.get(kind) or (system.any_time.get(kind) if open_now else None)


def _who(rule: Rule | None) -> str:
    if rule is None:
        return ""
    return "active" if rule.active_only else "all"


def players(system: RuleSystem) -> str:
    """The numbers of the game for each number of players, as a table."""
    lines = [
        "| players | without | cards | hands | fields | third field | revealed | drawn | the pile runs out |",
        "|---:|---|---:|---|---:|---:|---:|---:|---|",
    ]
    for count in system.players:
        rules = rules_of(system.key, count)
        setup = rules.setup
        hands = list(dict.fromkeys(setup.hand_size(place) for place in range(count)))
        cells = (
            count,
            ", ".join(f"`{card}`" for card in setup.removed),
            len(rules.deck),
            ", ".join(map(str, hands)),
            setup.fields,
            "-" if setup.third_field_price is None else setup.third_field_price,
            setup.reveal,
            setup.draw,
            {1: "once", 2: "twice", 3: "three times"}[setup.exhaustions],
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join(lines)


@every_system
def test_the_page_shows_what_fields_pay(system: RuleSystem) -> None:
    """The table of beanometers is that of the catalogue."""
    assert section(system, "beanometers") == beanometers(shipped_catalogue(system.catalogue))


@every_system
def test_the_page_shows_what_each_phase_allows(system: RuleSystem) -> None:
    """The table of phases and commands is that of the rule system."""
    assert section(system, "phases") == phases(system)


@pytest.mark.parametrize("key", ["extended", "bean-duel", "ladybohn-expansion"])
def test_the_page_shows_the_numbers(key: str) -> None:
    """The table of the numbers of players is that of the set-ups."""
    assert section(BY_KEY[key], "players") == players(BY_KEY[key])


@every_system
def test_the_page_names_every_phase_in_its_diagram(system: RuleSystem) -> None:
    """Whatever phase a turn can be in can be found in the drawing."""
    drawn = page(system).split("stateDiagram")[1].split("```")[0]
    arrows = re.findall(r"(\w+|\[\*\]) --> (\w+|\[\*\])", drawn)
    assert {name for arrow in arrows for name in arrow} == {"[*]", *(phase.name for phase in system.phases)}


@every_system
def test_the_page_lists_every_option_with_its_default(system: RuleSystem) -> None:
    """Options and their defaults stand in a table."""
    for name, option in system.options.items():
        default = str(option.default).lower() if isinstance(option.default, bool) else option.default
        assert re.search(rf"^\| `{name}` \|.*\| `?{default}`? \|", page(system), re.MULTILINE), name


def test_the_page_of_classic_says_its_numbers() -> None:
    """Hand, fields, cards revealed and drawn, price, exhaustions."""
    setup = CLASSIC.setup(3)
    assert setup.third_field_price is not None
    for sentence in (
        f"has {NUMBERS[setup.fields]} fields and is dealt {NUMBERS[setup.hand_size(0)]} cards",
        f"{NUMBERS[setup.reveal].capitalize()} cards from the draw pile are laid face up",
        f"draws {NUMBERS[setup.draw]} cards",
        f"for {NUMBERS[setup.third_field_price]} coins",
        "exhausted for the third time",
        f"at most {NUMBERS[OPEN_OFFERS]} offers",
    ):
        assert sentence in page(CLASSIC)
    assert setup.exhaustions == 3
