"""The table `trades`."""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from events import domain_events as e
from events.domain_events import Card
from replay.across.dataset.columns import At, Counts, GameId, Month, System, Turn, Version
from replay.across.dataset.told_game import ToldGame


class TradeRow(NamedTuple):
    """One trade, or in `the-duel` one bean that was handed over as a gift."""

    game: GameId
    system: System
    month: Month
    version: Version
    at: At
    turn: Turn
    kind: Annotated[str, "`trade`, or `gift` for what was handed over in `the-duel`."]
    offer: Annotated[int | None, "The number of the offer that was accepted; null for a gift."]
    seat: Annotated[int, "The active player; of a gift, who gave."]
    partner: Annotated[int, "The other side."]
    given: Annotated[tuple[str, ...], "The cards that went from `seat` to `partner`."]
    received: Annotated[tuple[str, ...], "The cards that came back."]
    given_revealed: Annotated[int, "How many of those given had been turned up, and were not from the hand."]
    given_value: Annotated[
        float,
        "The most coins that the cards given can bring, as parts of best fields: coins by beans of the beanometer's"
        " best step. A yardstick, and no more.",
    ]
    received_value: Annotated[float, "The same of the cards received."]
    counts: Counts


def trade_rows(told: ToldGame) -> Iterator[TradeRow]:
    """The rows of a game in their order."""
    for step in told.steps:
        offer: int | None
        received: tuple[Card, ...]
        match step.event:
            case e.TradeMade() as trade:
                kind, offer, seat, partner = "trade", trade.offer, trade.active, trade.partner
                given, received = trade.active_cards, trade.partner_cards
                revealed = len(trade.active_revealed)
            case e.GiftGiven() as gift:
                kind, offer, seat, partner = "gift", None, gift.seat, gift.to
                given, received, revealed = (gift.card,), (), len(gift.revealed)
            case _:
                continue
        yield TradeRow(
            *told.place,
            version=step.version,
            at=told.moment(step.at),
            turn=step.after.turn,
            kind=kind,
            offer=offer,
            seat=seat,
            partner=partner,
            given=given,
            received=received,
            given_revealed=revealed,
            given_value=told.worth(given),
            received_value=told.worth(received),
            counts=step.in_effect,
        )
