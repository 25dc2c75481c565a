"""Whether an event says what its command said, as far as both lie open: where the rules cannot be asked again.

That is so in every record but one of scope `all`. The first event of a command is the one that carries it.
"""

from types import MappingProxyType
from typing import Final

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rules
from replay.records.report import Discrepancy

_Members = tuple[tuple[str, str], ...]
_OFFER: Final = (("offer", "offer"),)
_FIELD: Final = (("field", "field"),)
_NUMBER: Final = (("card", "number"),)
_SAID: Final[MappingProxyType[type[c.Command], dict[type[e.DomainEvent], _Members]]] = MappingProxyType(
    {
        c.TakeSeat: {
            e.SeatTaken: tuple(
                (name, name)
                for name in ("seat", "name", "kind", "bot", "bot_seed", "seed", "program", "program_version")
            )
        },
        c.Shuffle: {e.PileShuffled: (("pile", "pile"),)},
        c.Plant: {e.BeanPlanted: _FIELD},
        c.PlantAside: {e.AsidePlanted: _NUMBER + _FIELD},
        c.PlantRevealed: {e.RevealedPlanted: _NUMBER + _FIELD},
        c.Harvest: {e.FieldHarvested: _FIELD, e.FieldPaidFromPiles: _FIELD},
        c.Discard: {e.HandCardDiscarded: _NUMBER},
        c.DiscardRevealed: {e.RevealedDiscarded: _NUMBER},
        c.Offer: {e.OfferMade: (("to", "to"),)},
        c.Counter: {e.OfferMade: (("offer", "counters"),), e.OfferDeclined: _OFFER},
        c.Accept: {e.TradeMade: _OFFER},
        c.Decline: {e.OfferDeclined: _OFFER},
        c.Withdraw: {e.OfferWithdrawn: _OFFER},
        c.Say: {e.Talked: (("text", "text"),)},
        c.SwapHand: {e.HandSwapped: (("fan", "fan"),)},
        c.ChooseFan: {e.RevealedPutOnFan: (("fan", "fan"),)},
        c.MoveMiss: {e.MissMoved: _FIELD},
        c.ClaimBonus: {e.BonusClaimed: (("bonus", "bonus"), ("owner", "owner"), *_FIELD)},
        c.AskTakeBack: {e.TakeBackAsked: (("to_version", "to_version"),)},
    }
)
"""What the first event of a command can be, and which member of the command stands in which of the event's."""
_ANY_TIME: Final = (e.ReadinessWithdrawn,)
"""What may come first whatever a seat does."""


def check_open(rules: Rules, actor: int, command: c.Command | None, event: e.DomainEvent) -> None:
    """Refuse a phase that the game has not, and a first event that its command contradicts.

    Such a one is not the actor's own, not of this command, or says something else than it.

    Args:
        rules: those of the game.
        actor: a seat, or a negative number for the dealer and the host.
        command: as the viewer has it; what is private to somebody is left out. None where none begins here.
        event: the event of the same entry.

    Raises:
        Discrepancy: of the checks `fold` and `commands`.
    """
    if isinstance(event, e.PhaseBegan) and event.phase not in rules.phases:
        raise Discrepancy("fold", f"this game has no phase {event.phase[:40]!r}")
    if command is not None:
        _check_said(actor, command, event)


def _check_said(actor: int, command: c.Command, event: e.DomainEvent) -> None:
    # One that is not named may begin with what happens to others: a draw of nothing with the final harvest.
    possible = _SAID.get(type(command))
    if possible is None or isinstance(event, _ANY_TIME):
        return
    if type(event) not in possible:
        raise Discrepancy(
            "commands", f"{type(event).__name__} is not what {type(command).__name__} brings about"
        )
    doer = getattr(event, "seat", actor)
    if actor >= 0 and doer != actor:
        raise Discrepancy("commands", f"seat {actor} gave the command, and seat {doer} did it")
    for said, done in possible[type(event)]:
        hidden = said in type(command).private or done in type(event).private
        if not hidden and getattr(command, said) != getattr(event, done):
            raise Discrepancy("commands", f"the command's {said} is another one than the event's {done}")
