"""Figures of many games added up: what is held does not grow with their number, and every game is told or named."""

from collections import Counter, defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from replay.across.intervals import wilson
from replay.across.left import Left, count_left
from replay.across.overview.game_figures import GameFigures
from replay.across.overview.trade_totals import TradeTotals
from replay.across.overview.wait_figures import STRETCHES, WaitFigures

FORMAT: Final = 1
"""Version of the document's format."""
_OTHERS: Final = "longer"


class Overview:
    """Adds games up, one after the other; `document` tells what came out."""

    def __init__(self) -> None:
        """Begin without games."""
        self._games = Counter[tuple[str, int, str]]()
        self._turns: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
        self._minutes: dict[tuple[str, int], Counter[int]] = defaultdict(Counter)
        self._places = Counter[tuple[str, int, int]]()
        self._place_wins = Counter[tuple[str, int, int]]()
        self._kinds: dict[tuple[str, str, str], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
        self._fair: dict[tuple[str, str, str], Fraction] = defaultdict(Fraction)
        self._trades = TradeTotals()
        self._offers: dict[str, list[int]] = defaultdict(lambda: [0, 0])
        self._waits: dict[tuple[str, str], WaitFigures] = {}
        self._pauses, self._rulings, self._other = Counter[str](), Counter[str](), Counter[str]()
        self._left: list[Left] = []

    def leave(self, left: Left) -> None:
        """Note a game that was left out."""
        self._left.append(left)

    def add(self, game: GameFigures) -> None:
        """Add a game."""
        table = game.system, game.players
        self._games[*table, game.reason] += 1
        if game.turns:
            self._turns[table][game.turns] += 1
        if game.minutes is not None:
            self._minutes[table][round(game.minutes)] += 1
        for seat in game.seats:
            self._places[*table, seat.place] += 1
            self._place_wins[*table, seat.place] += seat.won
        self._add_kinds(game)
        self._trades.add(game.system, game.trades)
        self._offers[game.system][0] += game.offers
        self._offers[game.system][1] += game.accepted
        for waited, figures in game.waits.items():
            self._waits.setdefault(waited, WaitFigures()).join(figures)
        self._pauses.update(game.pauses)
        self._rulings.update(game.rulings)
        self._other["went_back"] += game.rewindings > 0
        self._other["rewindings"] += game.rewindings
        self._other["expired"] += game.expired
        self._other["seats_left"] += sum(seat.left for seat in game.seats)

    def _add_kinds(self, game: GameFigures) -> None:
        """Count how bots and others do, where both sat at one table."""
        kinds = {seat.kind for seat in game.seats}
        if "bot" not in kinds or len(kinds) == 1:
            return
        fair = Fraction(sum(seat.won for seat in game.seats), len(game.seats))
        for seat in game.seats:
            self._fair[game.system, seat.kind, seat.bot] += fair
            counted = self._kinds[game.system, seat.kind, seat.bot]
            scored = seat.score is not None
            for place, more in enumerate((1, int(seat.won), int(scored), seat.score or 0)):
                counted[place] += more

    def document(self, of_store: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The figures, ready for JSON; shares with the interval in which they lie with 95 % certainty.

        Args:
            of_store: what a store says besides, such as its cases and audits; None where there are records alone.
        """
        return {
            "overview": FORMAT,
            "games": self._games.total(),
            "left": count_left(self._left),
            "left_games": [
                {"name": each.name, "reason": each.reason.value, "detail": each.detail} for each in self._left
            ],
            "endings": [
                {"system": system, "players": players, "reason": reason, "games": count}
                for (system, players, reason), count in sorted(self._games.items())
            ],
            "lengths": [self._length(*table) for table in sorted({key[:2] for key in self._games})],
            "places": [self._place(*place) for place in sorted(self._places)],
            "kinds": [self._kind(*kind) for kind in sorted(self._kinds)],
            "offers": [
                {"system": system, "offers": offers, **_share("accepted", accepted, offers)}
                for system, (offers, accepted) in sorted(self._offers.items())
                if offers
            ],
            **self._trades.document(),
            "waits": [self._wait(*waited) for waited in sorted(self._waits)],
            "disputes": {
                "pauses": dict(sorted(self._pauses.items())),
                "rulings": dict(sorted(self._rulings.items())),
                **{name: self._other[name] for name in ("went_back", "rewindings", "expired", "seats_left")},
            },
            "store": None if of_store is None else dict(of_store),
        }

    def _length(self, system: str, players: int) -> dict[str, Any]:
        turns, minutes = self._turns[system, players], self._minutes[system, players]
        return {
            "system": system,
            "players": players,
            "games": sum(count for key, count in self._games.items() if key[:2] == (system, players)),
            "began": turns.total(),
            "dated": minutes.total(),
            "turns": _spread(turns),
            "minutes": _spread(minutes),
        }

    def _place(self, system: str, players: int, place: int) -> dict[str, Any]:
        key = system, players, place
        share = _share("wins", self._place_wins[key], self._places[key])
        all_of_table = [(system, players, each) for each in range(players)]
        wins = sum(self._place_wins[each] for each in all_of_table)
        fair = round(wins / sum(self._places[each] for each in all_of_table), 6)
        who = {"system": system, "players": players, "place": place, "seats": self._places[key]}
        return {**who, **share, "fair": fair}

    def _kind(self, system: str, kind: str, bot: str) -> dict[str, Any]:
        seats, wins, scored, score = self._kinds[system, kind, bot]
        mean = round(score / scored, 6) if scored else None
        who = {"system": system, "kind": kind, "bot": bot, "seats": seats}
        fair = round(float(self._fair[system, kind, bot] / seats), 6)
        return {**who, **_share("wins", wins, seats), "fair": fair, "mean_score": mean}

    def _wait(self, kind: str, phase: str) -> dict[str, Any]:
        figures = self._waits[kind, phase]
        classes = zip([*map(str, STRETCHES), _OTHERS], figures.by_length, strict=True)
        who = {"kind": kind, "phase": phase, "waits": figures.waits, "expired": figures.expired}
        return {**who, "seconds": round(figures.seconds, 3), "within_seconds": dict(classes)}


def _share(name: str, count: int, of: int) -> dict[str, Any]:
    low, high = wilson(count, of)
    share = round(count / of, 6) if of else None
    return {name: count, "share": share, "low": round(low, 6), "high": round(high, 6)}


def _spread(counted: Counter[int]) -> dict[str, int] | None:
    return {"least": min(counted), "median": _median(counted), "most": max(counted)} if counted else None


def _median(counted: Counter[int]) -> int:
    """The lower one of the middle values."""
    left = (counted.total() + 1) // 2
    for value in sorted(counted):
        left -= counted[value]
        if left <= 0:
            return value
    return 0
