"""Whether events say what their command said, as far as both lie open: where the rules cannot be asked again.

That is so in every record but one of scope `all`.
"""

from types import MappingProxyType
from typing import Any, Final

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rules
from replay.records.report import Discrepancy

_Members = tuple[tuple[str, str], ...]
_Brings = MappingProxyType[type[c.Command], dict[type[e.DomainEvent], _Members | None]]


def _same(*names: str) -> _Members:
    return tuple((name, name) for name in names)


_OFFER: Final = _same("offer")
_FIELD: Final = _same("field")
_NUMBER: Final = (("card", "number"),)
_MISS: Final = _same("field", "miss", "places")
_MADE: Final = _same("hand", "revealed", "want", "want_revealed", "spare", "want_spared")
_COUNTERED: Final = (("offer", "counters"), *_MADE)
_OF_ACTIVE: Final = (*_OFFER, ("hand", "active_hand"), ("revealed", "active_revealed"))
_OF_PARTNER: Final = (*_OFFER, ("hand", "partner_hand"))
_FIRST: Final[_Brings] = MappingProxyType(
    {
        c.CreateGame: {e.GameCreated: _same(*c.CreateGame.__struct_fields__)},
        c.TakeSeat: {e.SeatTaken: _same(*c.TakeSeat.__struct_fields__)},
        c.Shuffle: {e.PileShuffled: _same("pile")},
        c.ChooseStartingSeat: {e.StartingSeatChosen: _same("seat")},
        c.RevealSecret: {e.SecretRevealed: _same("secret")},
        c.Plant: {e.BeanPlanted: _FIELD},
        c.PlantAside: {e.AsidePlanted: _NUMBER + _FIELD},
        c.PlantRevealed: {e.RevealedPlanted: _NUMBER + _FIELD},
        c.Harvest: {e.FieldHarvested: _FIELD, e.FieldPaidFromPiles: _FIELD},
        c.BuyField: {e.ThirdFieldBought: (), e.CoinsShown: ()},
        c.Reveal: {e.CardsRevealed: (), e.DealerCalled: ()},
        c.Draw: {
            e.CardsDrawn: (),
            e.DealerCalled: (),
            **dict.fromkeys(
                (
                    e.PhaseBegan,
                    e.TurnBegan,
                    e.MissMovesLapsed,
                    e.CoinsLevied,
                    e.FieldHarvested,
                    e.FieldPaidFromPiles,
                    e.CoinsShown,
                    e.GameEnded,
                )
            ),
        },
        c.Discard: {e.HandCardDiscarded: _NUMBER},
        c.DiscardRevealed: {e.RevealedDiscarded: _NUMBER},
        c.Offer: {e.OfferMade: (*_same("to"), *_MADE)},
        c.Counter: {e.OfferMade: _COUNTERED, e.OfferDeclined: _OFFER},
        c.Accept: {e.TradeMade: _OF_PARTNER},
        c.Decline: {e.OfferDeclined: _OFFER},
        c.Withdraw: {e.OfferWithdrawn: _OFFER},
        c.Ready: {e.ReadinessDeclared: ()},
        c.EndTrading: {e.TradingEnded: (), e.OfferLapsed: ()},
        c.Say: {e.Talked: _same("text")},
        c.OfferGift: {e.GiftOffered: _same("variety")},
        c.CounterGift: {e.GiftOffered: _same("variety")},
        c.AcceptGift: {e.GiftAccepted: ()},
        c.GiveRevealed: {e.GiftGiven: (("card", "revealed"),)},
        c.GiveFromHand: {e.GiftGiven: (("card", "hand"),)},
        c.ClaimBonus: {e.BonusClaimed: _same("bonus", "owner", "field")},
        c.DiscardBonus: {e.BonusDiscarded: _same("bonus")},
        c.KeepBonus: {e.BonusKept: ()},
        c.SwapHand: {e.HandSwapped: _same("fan")},
        c.ChooseFan: {e.RevealedPutOnFan: _same("fan")},
        c.Levy: {e.CoinsLevied: (("seats", "payers"),)},
        c.MoveMiss: {e.MissMoved: _MISS},
        c.PauseGame: {e.GamePaused: _same("case", "reason")},
        c.ResumeGame: {e.GameResumed: _same("case")},
        c.RuleGame: {e.RulingMade: _same("case", "kind", "arbiter", "scope", "reason")},
        c.AskTakeBack: {e.TakeBackAsked: _same("to_version", "seen_confirmed")},
        c.AgreeTakeBack: {e.TakeBackAgreed: ()},
        c.DeclineTakeBack: {e.TakeBackDeclined: ()},
        c.ExpireTime: {e.TimeExpired: _same("seat", "deadline", "offer")},
        c.CreditTime: {e.TimeCredited: _same("since", "until", "reason")},
        c.Resign: {e.SeatResigned: ()},
        c.ComeBack: {e.SeatReturned: ()},
        c.OfferEnd: {e.EndOffered: _same("kind")},
        c.AcceptEnd: {e.EndAccepted: ()},
        c.DeclineEnd: {e.EndDeclined: ()},
        c.CloseGame: {e.GameClosed: _same("reason")},
    }
)
"""What the first event of a command can be, and which member of the command stands in which of the event's.

None in place of members: it happens to others, as the final harvest does where a draw finds nothing.
"""
_LATER: Final[_Brings] = MappingProxyType(
    {
        c.Counter: {e.OfferMade: _COUNTERED},
        c.Plant: {e.MissMoved: _MISS},
        c.PlantAside: {e.MissMoved: _MISS},
        c.Harvest: {e.FieldRotated: (("rotate", "field"),)},
        c.AskTakeBack: {e.GameRewound: _same("to_version")},
        c.ExpireTime: {e.OfferDeclined: _same("seat", "offer"), e.TakeBackDeclined: _same("seat")},
        c.Resign: {e.SeatTakenOver: (), e.EndAccepted: ()},
        c.OfferEnd: {e.GameEnded: (("kind", "reason"),)},
        c.CloseGame: {e.GameEnded: _same("reason")},
        c.RuleGame: {e.GameRewound: _same("to_version"), e.GameEnded: _same("winners")},
    }
)
"""The same of the events that follow it."""


class OpenCommands:
    """Holds the events of a record against the commands that they belong to."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self._command: c.Command | None = None
        self._is_first = False

    def follow(self, rules: Rules, actor: int, command: c.Command | None, event: e.DomainEvent) -> None:
        """Refuse a phase that the game has not, and an event that its command contradicts.

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
            self._command, self._is_first = command, True
        if self._command is None:
            return
        if isinstance(event, e.ReadinessWithdrawn):  # whatever a ready seat does begins with it
            _check_said(actor, self._command, event, ())
            return
        possible = (_FIRST if self._is_first else _LATER).get(type(self._command), {})
        if self._is_first and type(event) not in possible:
            raise Discrepancy(
                "commands",
                f"{type(event).__name__} is not what {type(self._command).__name__} brings about",
            )
        self._is_first = False
        members = possible.get(type(event))
        if members is not None:
            _check_said(actor, self._command, event, members)


def _check_said(actor: int, command: c.Command, event: e.DomainEvent, members: _Members) -> None:
    if isinstance(event, e.TradeMade):
        doer = event.active if actor == event.active else event.partner
        members = _OF_ACTIVE if actor == event.active else members
    else:
        doer = getattr(event, "seat", actor)
    if actor >= 0 and doer != actor:
        raise Discrepancy("commands", f"seat {actor} gave the command, and seat {doer} did it")
    for said, done in members:
        shown = _listed(getattr(event, done))
        hidden = done in type(event).private and not {e.UNKNOWN_NUMBER, ""}.isdisjoint(shown)
        if not hidden and _listed(getattr(command, said)) != shown:
            raise Discrepancy("commands", f"the command's {said} is another one than the event's {done}")


def _listed(value: Any) -> list[Any]:
    """What is named; several are named in any order."""
    return sorted(value) if isinstance(value, tuple) else [value]
