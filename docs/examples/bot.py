"""A bot in forty lines: plants what it grows already, takes gifts that fit, harvests only when it must."""

import sys
from contextlib import suppress

from events import commands as c
from replay.client import Fieldbook, RefusedByTheRules, Turn


def worth(turn: Turn, command: c.Command) -> int:
    """How much the bot likes a command; nothing below 1 is sent."""
    mine, table = turn.table.seats[turn.me], turn.table
    match command:
        case c.Plant(field=field):
            return on_field(mine.fields, field, mine.hand.cards[0].card)
        case c.PlantAside(card=number, field=field):
            card = next(each.card for each in mine.aside if each.number == number)
            return on_field(mine.fields, field, card)
        case c.Accept(offer=number):  # ready to send, so it asks for nothing
            offer = next(each for each in table.offers if each.offer == number)
            given = {card.card for card in table.revealed if card.number in offer.revealed}
            return 90 * (given.union(offer.hand_cards) <= {field[0] for field in mine.fields if field})
        case c.Reveal() | c.Ready() | c.EndTrading() | c.Draw() | c.ChooseFan() | c.Levy():
            return 30
        case c.Harvest(field=field):
            return len(mine.fields[field])
    return 0


def on_field(fields: tuple[tuple[str, ...], ...], field: int, card: str) -> int:
    """On beans of its kind a card is worth most, on an empty field less."""
    return 100 if card in fields[field] else 50


seat = Fieldbook(sys.argv[1]).take_seat(sys.argv[2], "Forty Lines", program=("forty-lines", "1"))
for turn in seat.turns():
    best = max(turn.legal.ready, key=lambda command: worth(turn, command), default=c.Say(""))
    if worth(turn, best) > 0 and (turn.legal.awaited or isinstance(best, c.Accept | c.Ready)):
        with suppress(RefusedByTheRules):  # somebody was faster; the next turn shows the table as it is now
            seat.send(best)
