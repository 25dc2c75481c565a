"""A bot in forty lines: plants what it grows already, takes gifts that fit, harvests only when it must."""

import sys
from contextlib import suppress

from events.commands import Accept, Command, Draw, EndTrading, Harvest, Plant, PlantAside, Reveal
from replay.client import Fieldbook, RefusedByTheRules, Turn


def worth(turn: Turn, command: Command) -> int:
    """How much the bot likes a command; nothing below 1 is sent."""
    mine, table = turn.table.seats[turn.me], turn.table
    match command:
        case Plant(field=field):
            return on_field(mine.fields, field, mine.hand.cards[0].card)
        case PlantAside(card=number, field=field):
            return on_field(mine.fields, field, next(c.card for c in mine.aside if c.number == number))
        case Accept(offer=number):  # ready to send, so it asks for nothing
            offer = next(each for each in table.offers if each.offer == number)
            given = {card.card for card in table.revealed if card.number in offer.revealed}
            fits = given.union(offer.hand_cards) <= {field[0] for field in mine.fields if field}
            return 90 if fits else 0
        case Reveal() | EndTrading() | Draw():
            return 30
        case Harvest(field=field):
            return len(mine.fields[field])
    return 0


def on_field(fields: tuple[tuple[str, ...], ...], field: int, card: str) -> int:
    """On beans of its kind a card is worth most, on an empty field less."""
    return 100 if card in fields[field] else 50


seat = Fieldbook(sys.argv[1]).take_seat(game=sys.argv[2], name="Forty Lines")
for turn in seat.turns():
    best = max(turn.legal.ready, key=lambda command: worth(turn, command), default=None)
    if best is not None and worth(turn, best) > 0 and (turn.legal.awaited or isinstance(best, Accept)):
        with suppress(RefusedByTheRules):  # somebody was faster; the next turn shows the table as it is now
            seat.send(best)
