"""What binding promises are worth: to spare somebody, or to be spared, with the next levy of `ladybohn-expansion`."""

from events.bots.situation import Situation
from events.rules.systems.ladybohn_expansion.make_up import FOR_A_LEVY, MOST_PAYERS

LEVIES_SOON = {3: 0.3, 4: 0.6}
"""How likely a levy comes out of so many make-up beans that grow."""


def saved_by_promise(situation: Situation, owner: int, spared: int) -> float:
    """How many coins it probably saves a seat that the owner's next levy spares it."""
    payers = _payers(situation, owner)
    return _levies_soon(situation, owner) * min(1.0, MOST_PAYERS / len(payers)) if spared in payers else 0.0


def cost_of_promise(situation: Situation, owner: int, spared: int) -> float:
    """How many coins it probably costs the owner: none where somebody else pays instead."""
    payers = _payers(situation, owner)
    return _levies_soon(situation, owner) if spared in payers and len(payers) <= MOST_PAYERS else 0.0


def may_levy(situation: Situation, owner: int) -> bool:
    """Whether a levy of this seat has to be reckoned with."""
    return _levies_soon(situation, owner) > 0


def _levies_soon(situation: Situation, owner: int) -> float:
    """How likely the seat levies coins before long."""
    if not situation.rules.setup.promises_bind:
        return 0.0
    if owner in situation.view["levies"]:
        return 1.0
    most = max(_make_up_beans(situation, owner))
    return 1.0 if most >= FOR_A_LEVY else LEVIES_SOON.get(most, 0.0)


def _payers(situation: Situation, owner: int) -> set[int]:
    """Whom the owner's next levy could take from now."""
    spared = {each["to"] for each in situation.view["promises"] if each["seat"] == owner}
    return {
        seat["seat"]
        for seat in situation.view["seats"]
        if seat["seat"] not in {owner, *spared}
        and seat["coins"]
        and not any(_make_up_beans(situation, seat["seat"]))
    }


def _make_up_beans(situation: Situation, seat: int) -> list[int]:
    """How many make-up beans grow on each field of a seat."""
    make_up = {bean.variety for bean in situation.rules.beans.values() if bean.sold == "make_up"}
    fields = situation.view["seats"][seat]["fields"]
    return [len(field) if field and field[-1] in make_up else 0 for field in fields]
