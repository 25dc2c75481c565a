"""The table `offers`."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final, NamedTuple

from events import domain_events as e
from events.domain_events import Card, DomainEvent
from replay.across.dataset.columns import MOMENT, At, Counts, GameId, Month, System, Turn, Version
from replay.across.dataset.told_game import ToldGame
from replay.across.played_game import Step

_LAPSED: Final = "lapsed"
_OUTCOMES: Final[Mapping[type[DomainEvent], str]] = MappingProxyType(
    {
        e.TradeMade: "accepted",
        e.OfferDeclined: "declined",
        e.OfferWithdrawn: "withdrawn",
        e.GiftOffered: "declined",  # pushing a gift refuses the offer on the table
        e.GameRewound: "rewound",
    }
)
"""What an offer has become that an event of this type closed; with any other one it has lapsed."""


class OfferRow(NamedTuple):
    """One offer, and what became of it."""

    game: GameId
    system: System
    month: Month
    version: Version
    at: At
    turn: Turn
    offer: Annotated[
        int, "The offer's number. Where a game went back a number may come again: `version` tells them apart."
    ]
    seat: Annotated[int, "The seat that made it."]
    to: Annotated[int | None, "The seat that it is addressed to; null if it is open to all."]
    counters: Annotated[int | None, "The number of the offer that it answers; null if it answers none."]
    given: Annotated[tuple[str, ...], "The cards offered: from the hand, and then revealed ones."]
    from_hand: Annotated[int, "How many of these are from the hand; in `ladybohn` only their family is told."]
    wanted: Annotated[
        tuple[str, ...],
        "What is asked for: varieties, as often as there are to be cards, and then revealed cards.",
    ]
    wanted_revealed: Annotated[int, "How many of these are revealed cards."]
    is_gift: Annotated[bool, "Whether nothing is asked for it: no card, and no promise."]
    declined: Annotated[int, "How many seats declined it."]
    outcome: Annotated[
        str,
        "What became of it: `accepted`, `declined` by all who could accept it, `withdrawn`, `lapsed`, or"
        " `rewound`: the game went back to where it was not there.",
    ]
    closed: Annotated[int, "The version of the entry by which it was closed."]
    closed_at: Annotated[int | None, MOMENT, "When it was closed."]
    accepted_by: Annotated[int | None, "The seat that accepted it; null if none did."]
    counts: Counts


@dataclass(slots=True)
class _Offer:
    """An offer while the game goes on."""

    made: Step
    event: e.OfferMade
    declined: int = 0
    closed: Step | None = None
    accepted_by: int | None = None

    def close(self, step: Step) -> None:
        """Note the entry by which it is on the table no more, and who accepted it or declined it by that."""
        self.closed = step
        match step.event:
            case e.TradeMade(offer=offer, active=active, partner=partner) if offer == self.event.offer:
                self.accepted_by = partner if active == self.event.seat else active
            case e.GiftOffered():
                self.declined += 1


def offer_rows(told: ToldGame) -> Iterator[OfferRow]:
    """The rows of a game, in the order in which the offers were made."""
    offers: list[_Offer] = []
    there: dict[int, _Offer] = {}
    for step in told.steps:
        event = step.event
        if isinstance(event, e.OfferMade):
            there[event.offer] = _Offer(step, event)
            offers.append(there[event.offer])
        elif isinstance(event, e.OfferDeclined) and event.offer in there:
            there[event.offer].declined += 1
        if isinstance(event, e.GameRewound):
            there = _rewound(there, offers, event.to_version, step)
        elif step.before.offers is not step.after.offers:
            numbers = {offer.number for offer in step.after.offers}
            for number in [number for number in there if number not in numbers]:
                there.pop(number).close(step)
    last = told.steps[-1]
    for offer in offers:
        yield _row(told, offer, offer.closed or last)


def _rewound(
    there: dict[int, _Offer], offers: list[_Offer], to_version: int, step: Step
) -> dict[int, _Offer]:
    """The offers on the table once the game went back: others are closed, and those of old are there again."""
    declined = {offer.number: len(offer.declined) for offer in step.after.offers}
    # Of several with one number the last made before that version is the one: those before it were discarded earlier.
    back = {
        each.event.offer: each
        for each in offers
        if each.made.version <= to_version and each.event.offer in declined
    }
    for number, offer in there.items():
        if back.get(number) is not offer:
            offer.close(step)
    for number, offer in back.items():
        offer.closed = offer.accepted_by = None
        offer.declined = declined[number]
    return back


def _row(told: ToldGame, offer: _Offer, closed: Step) -> OfferRow:
    event, made = offer.event, offer.made
    revealed = dict(made.before.revealed)
    asked = [card for card, count in event.want.items() for _ in range(count)]
    return OfferRow(
        *told.place,
        version=made.version,
        at=told.moment(made.at),
        turn=made.after.turn,
        offer=event.offer,
        seat=event.seat,
        to=event.to,
        counters=event.counters,
        given=(*event.hand_cards, *_cards(revealed, event.revealed)),
        from_hand=len(event.hand_cards),
        wanted=(*asked, *_cards(revealed, event.want_revealed)),
        wanted_revealed=len(event.want_revealed),
        is_gift=not (event.want or event.want_revealed or event.want_spared),
        declined=offer.declined,
        outcome=_outcome(offer, closed),
        closed=closed.version,
        closed_at=told.moment(closed.at),
        accepted_by=offer.accepted_by,
        counts=made.counts,
    )


def _outcome(offer: _Offer, closed: Step) -> str:
    event = closed.event
    if isinstance(event, e.TradeMade) and event.offer != offer.event.offer:
        return _LAPSED
    return _OUTCOMES.get(type(event), _LAPSED)


def _cards(revealed: Mapping[int, Card], numbers: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(revealed[number] for number in numbers)
