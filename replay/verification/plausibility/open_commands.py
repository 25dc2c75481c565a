"""Whether events say what their command said, as far as both lie open: where the rules cannot be asked again.

That is so in every record but one of scope `all`.
"""

from types import MappingProxyType
from typing import Any, Final

from events import commands as c
from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.phases.planting import PLANTINGS
from events.rules.table.state import GameState
from replay.records.report import Discrepancy
from replay.verification.plausibility.standard import is_harvested, is_played_out

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
        c.Plant: {e.MissMoved: _MISS, e.FieldBarred: _FIELD},
        c.PlantAside: {e.MissMoved: _MISS},
        c.Harvest: {e.FieldRotated: (("rotate", "field"),)},
        c.AskTakeBack: {e.GameRewound: _same("to_version")},
        c.ExpireTime: {e.OfferDeclined: _same("seat", "offer"), e.TakeBackDeclined: _same("seat")},
        c.Resign: {e.SeatTakenOver: (), e.EndAccepted: ()},
        c.OfferEnd: {e.GameEnded: (("kind", "reason"),)},
        c.CloseGame: {e.GameEnded: _same("reason")},
        c.RuleGame: {
            e.GameRewound: _same("to_version", "case"),
            e.GameEnded: (("kind", "reason"), *_same("winners", "scores")),
        },
    }
)
"""The same of the events that follow it."""

_IN_ANY_ORDER: Final = frozenset({"hand", "revealed", "want_revealed", "seats"})
"""Members of commands that name cards or seats in any order."""
_RECOUNTED: Final = frozenset({"annulled", "awarded"})
"""Kinds of rulings that name no scores: the event has those of the table."""

_SOLD: Final = (e.FieldHarvested, e.FieldPaidFromPiles, e.BonusClaimed)
"""Events that commands bring about, and the end of a game too."""
_ENDING: Final = (*_SOLD, e.FieldRotated, e.LevyEarned, e.CoinsLevied, e.CoinsShown, e.GameEnded)
"""Events that can follow a final one."""


def check_phase(rules: Rules, state: GameState, command: c.Command | None) -> None:
    """Refuse a command that belongs to other phases than the one that began last: the beginning of one is missing.

    Raises:
        Discrepancy: of the check `commands`.
    """
    phases = {phase.name for phase in rules.system.phases if type(command) in phase.rules}
    is_over = state.phase == "plant" and state.planted == PLANTINGS
    if phases and (is_over or state.phase not in phases):
        raise Discrepancy(
            "commands",
            f"{type(command).__name__} does not belong to the phase {state.phase!r}, which began last"
            + (f" and is over after {PLANTINGS} plantings" if is_over else ""),
        )


class OpenCommands:
    """Holds the events of a record against the commands that they belong to."""

    def __init__(self) -> None:
        """Begin before the first entry."""
        self._command: c.Command | None = None
        self._is_first = False
        self._offers: dict[int, e.OfferMade] = {}
        """The last offer made under each number; going back counts them again."""
        self._promised: list[tuple[int, int]] = []
        """The seats of the promises that the last trade still has to bring about: who spares whom."""
        self._is_ending = False
        """Whether something final has happened, so that the game ends with this command."""

    def follow(
        self,
        rules: Rules,
        actor: int,
        command: c.Command | None,
        event: e.DomainEvent,
        state: GameState,
    ) -> None:
        """Refuse a phase that the game has not, and an event that its command contradicts.

        Such a one is not the actor's own, not of this command, or says something else than it.

        Args:
            rules: those of the game.
            actor: a seat, or a negative number for the dealer and the host.
            command: as the viewer has it; what is private to somebody is left out. None where none begins here.
            event: the event of the same entry.
            state: the table before it.

        Raises:
            Discrepancy: of the checks `fold` and `commands`.
        """
        if isinstance(event, e.PhaseBegan) and event.phase not in rules.phases:
            raise Discrepancy("fold", f"this game has no phase {event.phase[:40]!r}")
        if command is not None:
            self._command, self._is_first = command, True
        if self._command is None:
            return
        withdraws = isinstance(event, e.ReadinessWithdrawn)  # whatever a ready seat does begins with it
        possible = (_FIRST if self._is_first else _LATER).get(type(self._command), {})
        if self._is_first and not withdraws and type(event) not in possible:
            raise Discrepancy(
                "commands",
                f"{type(event).__name__} is not what {type(self._command).__name__} brings about",
            )
        self._check_final(rules, state, command, event)
        self._check_promises(command, event)
        if withdraws:
            _check_said(actor, self._command, event, ())
            return
        if isinstance(event, e.OfferMade):
            self._check_answered(state, event)
        if isinstance(event, e.MissMoved) and event.owed != isinstance(self._command, c.MoveMiss):
            raise Discrepancy(
                "fold", "a miss moves by an owed move where its player asks for that, and only there"
            )
        self._is_first = False
        members = possible.get(type(event))
        if members is not None:
            _check_said(actor, self._command, event, members)

    def _check_answered(self, state: GameState, event: e.OfferMade) -> None:
        """Check that an offer that answers a closed one goes from its addressee to its maker."""
        self._offers[event.offer] = event
        is_open = any(offer.number == event.counters for offer in state.offers)
        answered = None if event.counters is None else self._offers.get(event.counters)
        if event.counters is None or is_open:
            return
        if answered is None or (answered.seat, answered.to) != (event.to, event.seat):
            raise Discrepancy("fold", f"offer {event.offer} does not answer offer {event.counters}")

    def _check_promises(self, command: c.Command | None, event: e.DomainEvent) -> None:
        """Check that a trade brings about the promises that its offer names, and nothing else does."""
        if isinstance(event, e.LevyPromised):
            if (event.seat, event.to) not in self._promised:
                raise Discrepancy("fold", f"no offer promised that seat {event.seat} spares seat {event.to}")
            self._promised.remove((event.seat, event.to))
        elif command is not None and self._promised:
            raise Discrepancy("fold", "a promise that the last trade's offer names is missing")
        if isinstance(event, e.TradeMade) and (offer := self._offers.get(event.offer)) is not None:
            other = event.partner if offer.seat == event.active else event.active
            self._promised = [(offer.seat, other)] * offer.spare + [(other, offer.seat)] * offer.want_spared

    def _check_final(
        self, rules: Rules, state: GameState, command: c.Command | None, event: e.DomainEvent
    ) -> None:
        """Check that only events that end the game are final, and that nothing else follows them."""
        is_final = getattr(event, "final", False)
        is_own = self._is_first and isinstance(self._command, c.Harvest | c.ClaimBonus | c.Levy)
        if is_final and not is_played_out(rules, state):
            raise Discrepancy("fold", "the last harvest is still to come")
        if self._is_ending and (command is not None or not isinstance(event, _ENDING)):
            raise Discrepancy("fold", f"{type(event).__name__} happened where the game has to end")
        if isinstance(event, _SOLD) and is_final == is_own:
            raise Discrepancy("fold", "a harvest or claim is final where the game ends, and only there")
        if isinstance(event, e.CoinsLevied):
            can_be = not is_own and (self._is_ending or is_harvested(state))
            if self._is_ending if not is_final else not can_be:
                raise Discrepancy("fold", "a levy is final where the game ends, and only there")
        self._is_ending = is_final or (self._is_ending and not isinstance(event, e.GameEnded))


def _check_said(actor: int, command: c.Command, event: e.DomainEvent, members: _Members) -> None:
    if isinstance(event, e.TradeMade):
        doer = event.active if actor == event.active else event.partner
        members = _OF_ACTIVE if actor == event.active else members
    else:
        doer = getattr(event, "seat", actor)
    if actor >= 0 and doer != actor:
        raise Discrepancy("commands", f"seat {actor} gave the command, and seat {doer} did it")
    for said, done in members:
        if said == "scores" and isinstance(command, c.RuleGame) and command.kind in _RECOUNTED:
            continue
        shown, value = _listed(getattr(event, done)), _listed(getattr(command, said))
        is_hidden = done in type(event).private and any(each in (e.UNKNOWN_NUMBER, "") for each in shown)
        if said in _IN_ANY_ORDER:
            shown, value = sorted(shown), sorted(value)
        if not is_hidden and value != shown:
            raise Discrepancy("commands", f"the command's {said} is another one than the event's {done}")


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, tuple) else [value]
