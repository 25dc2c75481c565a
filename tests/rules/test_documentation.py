"""The page about `classic` says what the engine plays: its tables are held against catalogue and phases."""

import re
from pathlib import Path

from events.rules.catalogue import Catalogue, shipped_catalogue
from events.rules.phases.trading import OPEN_OFFERS
from events.rules.rule_system import Rule, RuleSystem
from events.rules.systems import system_named

PAGE = (Path(__file__).parents[2] / "docs" / "rules" / "classic.md").read_text("utf-8")
CLASSIC = system_named("classic")
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


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


def phases(system: RuleSystem) -> str:
    """Who may send which command in which phase, as a table."""
    names = [f"`{phase.name}`" for phase in system.phases]
    lines = [f"| command | {' | '.join(names)} |", "|---" * (1 + len(names)) + "|"]
    kinds = dict.fromkeys(kind for phase in system.phases for kind in phase.rules) | dict.fromkeys(
        system.any_time
    )
    for kind in kinds:
        cells = [_who(phase.rules.get(kind) or system.any_time.get(kind)) for phase in system.phases]
        lines.append(
            f"| `{kind.__struct_config__.tag}` |" + "".join(f" {cell} |" if cell else " |" for cell in cells)
        )
    return "\n".join(lines)


def _who(rule: Rule | None) -> str:
    if rule is None:
        return ""
    return "active" if rule.active_only else "all"


def test_the_page_shows_what_fields_pay() -> None:
    """The table of beanometers is that of the catalogue."""
    assert section("beanometers") == beanometers(shipped_catalogue(CLASSIC.catalogue))


def test_the_page_shows_what_each_phase_allows() -> None:
    """The table of phases and commands is that of the rule system."""
    assert section("phases") == phases(CLASSIC)


def test_the_page_names_every_phase_in_its_diagram() -> None:
    """Whatever phase a turn can be in can be found in the drawing."""
    drawn = PAGE[PAGE.index("stateDiagram") : PAGE.index("### Phase 1")]
    arrows = re.findall(r"(\w+|\[\*\]) --> (\w+|\[\*\])", drawn)
    assert {name for arrow in arrows for name in arrow} == {"[*]", *(phase.name for phase in CLASSIC.phases)}


def test_the_page_says_the_systems_numbers_and_options() -> None:
    """Hand, fields, cards revealed and drawn, price, exhaustions, options and their values."""
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
        assert sentence in PAGE
    assert setup.exhaustions == 3
    for name, option in CLASSIC.options.items():
        assert re.search(rf"^\| `{name}` \|.*\| `?{option.default}`? \|", PAGE, re.MULTILINE)
