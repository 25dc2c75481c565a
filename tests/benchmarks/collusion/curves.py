"""How often the screen finds the colluders, by strength and number of games, and how often it accuses the honest."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from replay.across.intervals import wilson
from replay.across.screening.comparing.screen import RATE, compare
from replay.across.screening.figures.game import ScreenedGame
from tests.benchmarks.collusion.seasons import COLLUDERS, Bank, season


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """What came of many seasons of one kind.

    `strength` is that of the pair; 0 where everybody was honest. `together` are the games that the pair had together
    on average. `accused` are seasons in which an honest pair stood out, of `honest` honest pairs that were tested in
    all of them together `pairs_accused` did.
    """

    strength: float
    games: int
    together: float
    seasons: int
    found: int
    accused: int
    honest: int
    pairs_accused: int

    @property
    def power(self) -> float:
        """The share of seasons in which the pair was found."""
        return self.found / self.seasons

    @property
    def interval(self) -> tuple[float, float]:
        """Where that lies with 95 % certainty, for seasons of this bank."""
        return wilson(self.found, self.seasons)


def measure(
    bank: Bank, strength: float, sizes: Iterable[int], seasons: int, *, pool: int, draws: int
) -> Iterator[Power]:
    """The power at each of these numbers of games."""
    for games in sizes:
        yield _measure(bank, strength, games, seasons, pool=pool, draws=draws)


def _measure(bank: Bank, strength: float, games: int, seasons: int, *, pool: int, draws: int) -> Power:
    found = accused = honest = pairs_accused = together = 0
    for number in range(1, seasons + 1):
        seed = f"{strength}/{games}/{number}"
        played = season(bank, pool, games, seed)
        screened = compare(played, seed=seed, draws=draws)
        colluding = COLLUDERS if bank.colluding else None
        wrong = [pair for pair in screened.standing_out if pair.names != colluding]
        found += len(screened.standing_out) > len(wrong)
        accused += bool(wrong)
        honest += sum(pair.names != colluding for pair in screened.pairs)
        pairs_accused += len(wrong)
        together += _together(played)
    return Power(
        strength=strength,
        games=games,
        together=together / seasons,
        seasons=seasons,
        found=found,
        accused=accused,
        honest=honest,
        pairs_accused=pairs_accused,
    )


def _together(games: Sequence[ScreenedGame]) -> int:
    return sum({*COLLUDERS} <= {*game.players} for game in games)


def as_markdown(measured: Sequence[Power]) -> str:
    """Two tables: the power, and the false alarms among honest players."""
    rows = ["| strength | games | together | seasons | found | power | 95 % interval |"]
    rows.append("|---:|---:|---:|---:|---:|---:|---:|")
    for each in measured:
        if each.strength:
            low, high = each.interval
            rows.append(
                f"| {each.strength:g} | {each.games} | {each.together:.1f} | {each.seasons} | {each.found} | "
                f"{each.power:.0%} | {low:.0%} to {high:.0%} |"
            )
    rows += ["", "| season | games | seasons | with a false alarm | honest pairs | accused |"]
    rows.append("|---|---:|---:|---:|---:|---:|")
    for each in measured:
        kind = f"colluders of {each.strength:g}" if each.strength else "all honest"
        rows.append(
            f"| {kind} | {each.games} | {each.seasons} | {each.accused} ({each.accused / each.seasons:.1%}) | "
            f"{each.honest:,} | {each.pairs_accused} |"
        )
    return "\n".join([*rows, "", f"The promised rate is {RATE:.0%} of seasons."]) + "\n"
