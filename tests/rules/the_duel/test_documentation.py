"""The page about `the-duel` says what the engine plays: its tables are held against catalogue and phases."""

import re
from pathlib import Path

from events import commands as c
from events.rules.catalogue import Catalogue, shipped_catalogue
from events.rules.rule_system import Phase, Rule, RuleSystem
from events.rules.systems import system_named

PAGE = (Path(__file__).parents[3] / "docs" / "rules" / "the-duel.md").read_text("utf-8")
DUEL = system_named("the-duel")


def section(name: str) -> str:
    """The part of the page between two marks."""
    found = re.search(rf"<!-- {name} -->\n(.*)\n<!-- /{name} -->", PAGE, re.DOTALL)
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


def bonus_cards(catalogue: Catalogue) -> str:
    """The bonus deck, as a table."""
    lines = ["| bonus card | cents | sequence, top card last | from |", "|---|---:|---|---|"]
    for bonus in catalogue.bonus:
        sequence = ", ".join(f"`{card}`" for card in bonus.sequence)
        lines.append(f"| `{bonus.card}` | {bonus.cents} | {sequence} | {bonus.provenance} |")
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


def test_the_page_shows_what_fields_pay() -> None:
    """The table of beanometers is that of the catalogue, from the lowest variety to the highest."""
    catalogue = shipped_catalogue(DUEL.catalogue)
    assert section("beanometers") == beanometers(catalogue)
    assert catalogue.rising == tuple(bean.card for bean in catalogue.beans)


def test_the_page_shows_the_bonus_deck() -> None:
    """Every sequence and its cents."""
    assert section("bonus") == bonus_cards(shipped_catalogue(DUEL.catalogue))


def test_the_page_shows_what_each_phase_allows() -> None:
    """The table of phases and commands is that of the rule system."""
    assert section("phases") == phases(DUEL)


def test_the_page_names_every_phase_in_its_diagram() -> None:
    """Whatever phase a turn can be in can be found in the drawing."""
    drawn = PAGE.split("stateDiagram")[1].split("```")[0]
    arrows = re.findall(r"(\w+|\[\*\]) --> (\w+|\[\*\])", drawn)
    assert {name for arrow in arrows for name in arrow} == {"[*]", *(phase.name for phase in DUEL.phases)}


def test_the_page_lists_every_option_with_its_default() -> None:
    """Options and their defaults stand in a table."""
    for name, option in DUEL.options.items():
        assert re.search(rf"^\| `{name}` \|.*\| `?{option.default}`? \|", PAGE, re.MULTILINE)
