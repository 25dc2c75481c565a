"""What a game comes to in figures: coins, harvests, trades, offers and time, as a viewer may know them."""

from replay.statistics.figures import CoinsAt, GameStatistics, SeatStatistics, TradesWith
from replay.statistics.tally import Tally, statistics_of

__all__ = ["CoinsAt", "GameStatistics", "SeatStatistics", "Tally", "TradesWith", "statistics_of"]
