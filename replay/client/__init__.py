"""A client of the HTTP interface: typed, and safe to leave alone with a bad network.

It needs the standard library, msgspec and our events, and no other part of the service. Whatever it sends carries an
Idempotency-Key, so a request that got no answer is sent again until it has one, and counts once: for `patience`
seconds, which outlast a service that starts again. Where nobody has answered yet and nobody listens, that is said at
once, and every error names the address. The chain of what it reads is checked on the way, and what it was shown of a
game is kept: a record of another game in its place is `GameSwapped`.

    from replay.client import Fieldbook

    seat = Fieldbook("http://localhost:8000").take_seat(game, "Ann")
    for turn in seat.turns():
        seat.send(choose(turn))
"""

from replay.client.annotations import GameAnnotations as GameAnnotations
from replay.client.annotations import StandingAnnotation as StandingAnnotation
from replay.client.annotations import WrittenAnnotation as WrittenAnnotation
from replay.client.answers import Delivery as Delivery
from replay.client.answers import Done as Done
from replay.client.answers import Entry as Entry
from replay.client.answers import Event as Event
from replay.client.answers import Expiries as Expiries
from replay.client.answers import GameSummary as GameSummary
from replay.client.answers import NewGame as NewGame
from replay.client.answers import NewSeat as NewSeat
from replay.client.answers import NewWebhook as NewWebhook
from replay.client.answers import Result as Result
from replay.client.answers import SeatView as SeatView
from replay.client.answers import System as System
from replay.client.answers import TableView as TableView
from replay.client.answers import TakenSeat as TakenSeat
from replay.client.answers import Verdict as Verdict
from replay.client.answers import Webhook as Webhook
from replay.client.branches import Branch as Branch
from replay.client.clocks import Clock as Clock
from replay.client.clocks import ClockSettings as ClockSettings
from replay.client.clocks import Wait as Wait
from replay.client.fieldbook import Fieldbook as Fieldbook
from replay.client.following import ChainBroken as ChainBroken
from replay.client.legal import LegalCommands as LegalCommands
from replay.client.problems import Invalid as Invalid
from replay.client.problems import NotFound as NotFound
from replay.client.problems import NotPermitted as NotPermitted
from replay.client.problems import NotTheService as NotTheService
from replay.client.problems import Problem as Problem
from replay.client.problems import RefusedByTheRules as RefusedByTheRules
from replay.client.problems import Stale as Stale
from replay.client.problems import Unreachable as Unreachable
from replay.client.receipts import GameSwapped as GameSwapped
from replay.client.seat import PlayerSeat as PlayerSeat
from replay.client.seat import Turn as Turn
