"""A client of the HTTP interface: typed, and safe to leave alone with a bad network.

It needs the standard library, msgspec and our events, and no other part of the service. Whatever it sends carries an
Idempotency-Key, so a request that got no answer is sent again until it has one, and counts once. The chain of what
it reads is checked on the way.

    from replay.client import Fieldbook

    seat = Fieldbook("http://localhost:8000").take_seat(game, "Ann")
    for turn in seat.turns():
        seat.send(choose(turn))
"""

from replay.client.annotations import GameAnnotations, StandingAnnotation, WrittenAnnotation
from replay.client.answers import (
    Delivery,
    Done,
    Entry,
    Event,
    GameSummary,
    NewGame,
    NewSeat,
    NewWebhook,
    Result,
    SeatView,
    System,
    TableView,
    TakenSeat,
    Verdict,
    Webhook,
)
from replay.client.branches import Branch
from replay.client.fieldbook import Fieldbook
from replay.client.following import ChainBroken
from replay.client.legal import LegalCommands
from replay.client.problems import (
    NotFound,
    NotPermitted,
    Problem,
    RefusedByTheRules,
    Stale,
    Unreachable,
)
from replay.client.seat import PlayerSeat, Turn

__all__ = [
    "Branch",
    "ChainBroken",
    "Delivery",
    "Done",
    "Entry",
    "Event",
    "Fieldbook",
    "GameAnnotations",
    "GameSummary",
    "LegalCommands",
    "NewGame",
    "NewSeat",
    "NewWebhook",
    "NotFound",
    "NotPermitted",
    "PlayerSeat",
    "Problem",
    "RefusedByTheRules",
    "Result",
    "SeatView",
    "Stale",
    "StandingAnnotation",
    "System",
    "TableView",
    "TakenSeat",
    "Turn",
    "Unreachable",
    "Verdict",
    "Webhook",
    "WrittenAnnotation",
]
