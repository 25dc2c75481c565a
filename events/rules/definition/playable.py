"""Whether a rule system can be played with a catalogue: asked before a catalogue is offered to anybody."""

from collections.abc import Iterator

from events.rules.catalogues.catalogue import Catalogue
from events.rules.catalogues.faults import Fault
from events.rules.definition.rule_system import RuleSystem, rules_for
from events.rules.errors import RuleViolation


def unplayable(system: RuleSystem, catalogue: Catalogue) -> Iterator[Fault]:
    """Every reason why this system can't be played with this catalogue by each number of players it is for."""
    said = set()
    for fault in (*_strange_cards(system, catalogue), *_faults_of_tables(system, catalogue)):
        if fault not in said:
            said.add(fault)
            yield Fault(fault.place, f"{system.key} cannot be played with it: {fault.reason}")


def _strange_cards(system: RuleSystem, catalogue: Catalogue) -> Iterator[Fault]:
    """The cards that the system has no rules for."""
    from_piles = any(system.setup(players).paid_from_piles for players in system.players)
    for number, bean in enumerate(catalogue.beans):
        place = ("beans", number)
        if bean.sex not in system.sexes:
            reason = f"it has no {bean.sex} cards" if bean.sex else "each of its cards has a sex"
            yield Fault((*place, "sex"), f"{reason}, and {bean.card} is one" if bean.sex else reason)
        if bean.sold == "make_up" and not system.make_up:
            yield Fault((*place, "sold"), f"it has no make-up beans, and {bean.card} is one")
        if not from_piles and any(int(coins) > beans for coins, beans in bean.beanometer.items()):
            yield Fault(
                (*place, "beanometer"), f"a field of {bean.card} would pay more coins than it has cards"
            )


def _faults_of_tables(system: RuleSystem, catalogue: Catalogue) -> Iterator[Fault]:
    """What stands against setting up a table, for one number of players or another."""
    cards = {bean.card for bean in catalogue.beans}
    for players in system.players:
        setup = system.setup(players)
        for card in (*setup.removed, *setup.paid_from_piles):
            if card not in cards:
                yield Fault(("beans",), f"its rules name the card {card}, which is missing")
        if catalogue.bonus and not setup.bonus_hand:
            yield Fault(("bonus_total",), "it has no bonus cards")
        try:
            rules_for(system, players, {}, catalogue)
        except RuleViolation as violation:
            yield Fault(("total",), str(violation))
