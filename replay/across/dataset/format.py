"""The format of a dataset: its version, and its tables."""

from typing import Final

from replay.across.dataset.columns import Table
from replay.across.dataset.tables.commands import CommandRow, command_rows
from replay.across.dataset.tables.events import EventRow, event_rows
from replay.across.dataset.tables.games import GameRow, game_rows
from replay.across.dataset.tables.harvests import HarvestRow, harvest_rows
from replay.across.dataset.tables.offers import OfferRow, offer_rows
from replay.across.dataset.tables.seats import SeatRow, seat_rows
from replay.across.dataset.tables.times import TimeRow, time_rows
from replay.across.dataset.tables.trades import TradeRow, trade_rows

FORMAT: Final = 1
"""Version of the format. A column that is added at the end leaves it; any other change makes a new one."""
TABLES: Final = (
    Table("games", GameRow, game_rows),
    Table("seats", SeatRow, seat_rows),
    Table("events", EventRow, event_rows),
    Table("commands", CommandRow, command_rows),
    Table("offers", OfferRow, offer_rows),
    Table("trades", TradeRow, trade_rows),
    Table("harvests", HarvestRow, harvest_rows),
    Table("times", TimeRow, time_rows),
)
"""Every table."""
