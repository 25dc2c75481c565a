"""What a game comes to in figures: coins, harvests, trades, offers and time, as a viewer may know them."""

from replay.timeline.statistics.figures import CoinsAt, GameStatistics, SeatStatistics, TradesWith
from replay.timeline.statistics.tally import Tally, compute_statistics

__all__ = ["CoinsAt", "GameStatistics", "SeatStatistics", "Tally", "TradesWith", "compute_statistics"]
