"""The screen: every two players who met often enough, by every measure, the most striking first."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from replay.across.left import AGAINST_RECORD
from replay.across.screening.comparing.excess import Excess
from replay.across.screening.comparing.measures import GIFTS, MEASURES, TRADES
from replay.across.screening.comparing.meetings import Meetings, meetings_in
from replay.across.screening.comparing.permutation import DRAWS, Tested, permute
from replay.across.screening.figures.game import GIFT, TRADE, LeftOut, Moment, Rollouts, ScreenedGame
from replay.across.screening.figures.spool import Spool
from replay.across.screening.figures.value import VALUE_FUNCTION

Names = tuple[str, str]
"""Two players in the order of their names."""
RATE: Final = 0.05
"""The published rate: in about so many screens of honest players any pair stands out."""
LEAST_RATE: Final = 1 / (DRAWS + 1)
"""The smallest p-value that so many draws can give: by a lower rate nobody could stand out."""
DIGITS: Final = 4
"""Digits of a coin that are given."""
TOGETHER: Final = 5
"""Two players are compared with others when they had so many games together."""
MOST_SHOWN: Final = 5
"""Moments that are shown of a pair."""
_ORDER: Final = {measure: place for place, measure in enumerate(MEASURES)}
_TELLING: Final = {GIFTS: GIFT, TRADES: TRADE}
"""The kind of moment that a measure is made of."""
_IN_A_GAME: Final = 2
"""At most so many of them out of one game."""
_ENOUGH: Final = MOST_SHOWN * (1 + _IN_A_GAME)
"""Moments of a kind that are kept: each that is shown can keep back so many others of its game."""
_MOST_COLLECTED: Final = 200
"""So many moments of a pair are collected before those that cannot be shown are forgotten."""


class Found(msgspec.Struct, frozen=True):
    """What a measure says of two players."""

    measure: str
    coins: float
    """Coins in a game above what the same games show with the names on any seats."""
    interval: tuple[float, float]
    """Where they lie with 95 % certainty, by this measure alone: not corrected for many pairs and measures."""
    p: float
    """How likely the pair has as much when the names are on any seats."""
    corrected: float
    """How likely any pair then stands out as much by any measure."""


class Seen(msgspec.Struct, frozen=True):
    """A moment to look at."""

    game: str
    source: str
    moment: Moment
    names: tuple[str, str]
    """Who gave more, and who had more of it."""
    ended: int = 0
    """When the game ended (`ScreenedGame.ended`)."""
    rollouts: Rollouts | None = None
    """What playing on from there says.

    None where that was not asked for, where it is no accepted offer, and in a game of `Screen.not_played_on`.
    """


class Pair(msgspec.Struct, frozen=True):
    """Two players."""

    names: Names
    games: int
    """How many they had together."""
    stands_out: bool
    """Whether the corrected p-value of any measure is at or below the rate."""
    found: tuple[Found, ...]
    moments: tuple[Seen, ...]
    """The moments of their games together by which most was done."""

    @property
    def least(self) -> float:
        """The smallest corrected p-value."""
        return min((each.corrected for each in self.found), default=1.0)


class Screen(msgspec.Struct, frozen=True):
    """The result for many games."""

    value_function: str
    rate: float
    seed: str
    together: int
    games: int
    tests: int
    draws: int
    """No p-value is smaller than one of so many and one more."""
    pairs: tuple[Pair, ...]
    """Those who met often enough, the most striking first."""
    seldom: int
    """How many pairs met less often."""
    left_out: tuple[LeftOut, ...] = ()
    rollouts: int = 0
    """How often bots played on from each moment of those that stand out; 0 where that was not asked for."""
    not_played_on: tuple[LeftOut, ...] = ()
    """The games from whose moments bots were to play on, and that could not be read once more."""

    @property
    def standing_out(self) -> tuple[Pair, ...]:
        """The pairs with a corrected p-value at or below the rate."""
        return tuple(each for each in self.pairs if each.stands_out)

    @property
    def in_question(self) -> tuple[LeftOut, ...]:
        """The records that cannot be read, do not verify or contradict another one."""
        return tuple(each for each in (*self.left_out, *self.not_played_on) if each.reason in AGAINST_RECORD)

    @property
    def why_nothing_compared(self) -> str:
        """Why no pair could stand out, whatever was played; empty where there are pairs that could."""
        if self.tests:
            return ""
        if not self.games:
            return "every game was left out"
        if not self.pairs:
            return f"no two players had {self.together} games together"
        return "whoever met so often has played with nobody else"


def compare(
    games: Iterable[ScreenedGame],
    left_out: Sequence[LeftOut] = (),
    *,
    rate: float = RATE,
    seed: str = "1",
    together: int = TOGETHER,
    draws: int = DRAWS,
) -> Screen:
    """Compare every two players who had so many games together with what would be without an understanding.

    The same games, in whatever order, and the same seed give the same screen.

    Raises:
        OSError: there is no room for a temporary file with the games.
        ValueError: so few draws give no p-value as small as the rate.
    """
    if rate < 1 / (draws + 1):
        raise ValueError(
            f"with {draws} draws no p-value is below {1 / (draws + 1):g}: a rate of {rate:g} is too low"
        )
    ordered = games if isinstance(games, Spool) else Spool(games)
    meetings = meetings_in(ordered)
    excess = Excess(meetings, together)
    tested = permute(meetings, excess, draws, seed)
    found: dict[int, list[Found]] = {place: [] for place in excess.pairs}
    for test, figures in zip(excess.tests, tested, strict=True):
        found[test.pair].append(_found(test.measure, figures))
    named = {place: _names(meetings, place) for place in excess.pairs}
    moments = _collect_moments(ordered, frozenset(named.values()))
    pairs = [
        Pair(
            names,
            meetings.together[place],
            any(each.corrected <= rate for each in found[place]),
            tuple(sorted(found[place], key=lambda each: _ORDER[each.measure])),
            _choose(moments.get(names, []), found[place]),
        )
        for place, names in named.items()
    ]
    return Screen(
        value_function=VALUE_FUNCTION,
        rate=rate,
        seed=seed,
        together=together,
        games=len(ordered),
        tests=len(excess.tests),
        draws=draws,
        pairs=tuple(sorted(pairs, key=_striking)),
        seldom=len(meetings.pairs) - len(pairs),
        left_out=tuple(left_out),
    )


def _found(measure: str, tested: Tested) -> Found:
    low, high = tested.interval
    return Found(
        measure,
        round(tested.effect, DIGITS),
        (round(low, DIGITS), round(high, DIGITS)),
        tested.p,
        tested.corrected,
    )


def _names(meetings: Meetings, place: int) -> Names:
    one, other = meetings.pairs[place]
    return meetings.names[one], meetings.names[other]


def _striking(pair: Pair) -> tuple[float, float, float, Names]:
    """Least likely first; of those who are as likely, the one with more coins."""
    likely = min((each.p for each in pair.found), default=1.0)
    return pair.least, likely, -max((each.coins for each in pair.found), default=0.0), pair.names


def _collect_moments(games: Iterable[ScreenedGame], often: frozenset[Names]) -> dict[Names, list[Seen]]:
    """Of every pair the moments that can be shown, whichever measure turns out to tell most."""
    moments: dict[Names, list[Seen]] = {}
    for game in games:
        for moment in game.moments:
            giver, taker = (game.players[seat] for seat in moment.seats)
            names = (giver, taker) if giver <= taker else (taker, giver)
            if names in often:
                seen = Seen(game.game, game.source, moment, (giver, taker), game.ended)
                collected = moments.setdefault(names, [])
                collected.append(seen)
                if len(collected) > _MOST_COLLECTED:
                    collected[:] = _foremost(collected)
    return moments


def _foremost(moments: Iterable[Seen]) -> list[Seen]:
    """Of each kind as many as can be shown, with those that stand back for others of their games."""
    kept, of_kind, in_game = list[Seen](), Counter[str](), Counter[tuple[str, str]]()
    for each in sorted(moments, key=lambda seen: (-seen.moment.coins, seen.game, seen.moment.version)):
        kind = each.moment.kind
        if of_kind[kind] < _ENOUGH and in_game[kind, each.game] < _IN_A_GAME:
            kept.append(each)
            of_kind[kind] += 1
            in_game[kind, each.game] += 1
    return kept


def most_striking(found: Sequence[Found]) -> Found:
    """The measure by which a pair stands out most."""
    return min(found, key=lambda each: (each.corrected, each.p, -each.coins))


def _choose(moments: Sequence[Seen], found: Sequence[Found]) -> tuple[Seen, ...]:
    """Those by which most was done, not all out of one game; first those of the measure that stands out most."""
    telling = _TELLING.get(most_striking(found).measure) if found else None

    def order(seen: Seen) -> tuple[bool, float, str, int]:
        return seen.moment.kind != telling, -seen.moment.coins, seen.game, seen.moment.version

    chosen: list[Seen] = []
    for each in sorted(moments, key=order):
        if sum(other.game == each.game for other in chosen) < _IN_A_GAME:
            chosen.append(each)
        if len(chosen) == MOST_SHOWN:
            break
    return tuple(chosen)
