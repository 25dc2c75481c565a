"""Power and false alarms of the screens: colluders of a known strength, and honest players.

`python -m tests.benchmarks.studies.collusion` prints the tables of docs/screening.md and draws the power. Games are
played once and kept in figures, and seasons are put together out of them: bots of one kind play alike under any
name, so a game represents any players of its kinds.
"""

import hashlib
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import msgspec

from events.game.record import header_for
from events.log.disclosure import ALL, form_for
from replay.across.intervals import wilson
from replay.across.left import Left
from replay.across.mapping import map_games
from replay.across.screening.comparing.screen import RATE, compare
from replay.across.screening.figures.game import ScreenedGame
from replay.across.screening.figures.observing import observe
from replay.across.source import NOTHING_BESIDE, Beside, OpenedGame
from service.simulation.self_play import self_play
from tests.benchmarks.colluding_bots import colluding_bots
from tests.benchmarks.pictures import draw_curves

HONEST: Final = "greedy"
COLLUDERS: Final = ("player 1", "player 2")
TRIED: Final = "tried"
"""The beginning of the names of the seats in a kept game that collude."""


@dataclass(frozen=True, slots=True)
class KindOfGames:
    """A source for the map over games: games of one kind, numbered from 1, that are played when they are opened.

    Two seats have the bot that is tried, the others are honest.
    """

    system: str
    players: int
    bot: str
    last: int
    first: int = 1

    @property
    def kind(self) -> str:
        """The beginning of their names."""
        return f"{self.system}-{self.players}-{self.bot}"

    def names(self) -> Iterator[str]:
        """Yield the names of the games."""
        for number in range(self.first, self.last + 1):
            yield f"{self.kind}-{number:05}"

    def beside(self, _name: str) -> Beside:
        """Return nothing: they are played on demand."""
        return NOTHING_BESIDE

    @contextmanager
    def open(self, name: str) -> Iterator[OpenedGame]:
        """Play a game; the players' names say where the two sit."""
        seats = range(self.players)
        tried = {*sorted(seats, key=lambda seat: hashlib.sha256(f"{name}/{seat}".encode()).digest())[:2]}
        bots = [self.bot if seat in tried else HONEST for seat in seats]
        names = [f"{TRIED if seat in tried else 'other'} {seat}" for seat in seats]
        with colluding_bots(bots):
            table, log = self_play(self.system, self.players, bots, name, {}, game=name, names=names)
        yield OpenedGame(header_for(table, ALL), (form_for(entry, table.key, ALL) for entry in log))


def load_games(folder: Path, games: KindOfGames, workers: int) -> list[ScreenedGame]:
    """Return games in figures, played where the folder does not have them yet.

    Raises:
        ClickException: a game does not verify, or has no figures.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{games.kind}.jsonl"
    whole = path.read_bytes() if path.exists() else b""
    lines = whole[: whole.rfind(b"\n") + 1]  # a line that was cut off is dropped
    path.write_bytes(lines)
    there = [msgspec.json.decode(line, type=ScreenedGame) for line in lines.splitlines()]
    missing = KindOfGames(games.system, games.players, games.bot, games.last, len(there) + 1)
    with path.open("ab") as file:
        for played in map_games(observe, missing, workers):
            answer = played if isinstance(played, Left) else played.answer
            if isinstance(answer, ScreenedGame):
                there.append(msgspec.structs.replace(answer, moments=()))
                file.write(msgspec.json.encode(there[-1]) + b"\n")
                file.flush()
            else:
                raise click.ClickException(str(answer))
    return there[: games.last]


@dataclass(frozen=True, slots=True)
class Bank:
    """Games in figures: of honest bots, and of two colluders among them, if there are any."""

    honest: Sequence[ScreenedGame]
    colluding: Sequence[ScreenedGame] = ()


def season(bank: Bank, pool: int, games: int, seed: str) -> list[ScreenedGame]:
    """Put a season together, with seats drawn for each game.

    No game of the bank comes twice before each has come once.
    """
    chance = random.Random(seed)
    honest, colluding = _drawn(bank.honest, chance), _drawn(bank.colluding, chance)
    players = [f"player {number}" for number in range(1, pool + 1)]
    found = []
    for number in range(1, games + 1):
        seated = chance.sample(players, len(bank.honest[0].players))
        together = bool(bank.colluding) and {*COLLUDERS} <= {*seated}
        game = next(colluding if together else honest)
        if together:
            pair = [name for name in seated if name in COLLUDERS]
            others = [name for name in seated if name not in COLLUDERS]
            seated = [(pair if name.startswith(TRIED) else others).pop() for name in game.players]
        found.append(msgspec.structs.replace(game, game=f"game {number:05}", players=tuple(seated)))
    return found


def _drawn(games: Sequence[ScreenedGame], chance: random.Random) -> Iterator[ScreenedGame]:
    while True:
        yield from chance.sample(games, len(games))


@dataclass(frozen=True, slots=True, kw_only=True)
class Power:
    """The results of many seasons of one kind; strength 0: all players were honest.

    The pair had `together` games on average. `accused` seasons accused an honest pair; of `honest` honest pairs in
    all seasons `pairs_accused` were accused.
    """

    strength: float
    games: int
    seasons: int
    together: float
    found: int
    accused: int
    honest: int
    pairs_accused: int


def measure(bank: Bank, strength: float, games: int, seasons: int, *, pool: int, draws: int) -> Power:
    """Screen this number of seasons."""
    found = accused = honest = pairs_accused = together = 0
    colluding = COLLUDERS if bank.colluding else None
    for number in range(1, seasons + 1):
        seed = f"{strength}/{games}/{number}"
        played = season(bank, pool, games, seed)
        screened = compare(played, seed=seed, draws=draws)
        wrong = [pair for pair in screened.standing_out if pair.names != colluding]
        found += len(screened.standing_out) > len(wrong)
        accused += bool(wrong)
        honest += sum(pair.names != colluding for pair in screened.pairs)
        pairs_accused += len(wrong)
        together += sum({*COLLUDERS} <= {*game.players} for game in played)
    return Power(
        strength=strength,
        games=games,
        seasons=seasons,
        together=together / seasons,
        found=found,
        accused=accused,
        honest=honest,
        pairs_accused=pairs_accused,
    )


def as_markdown(measured: Sequence[Power]) -> str:
    """Return two tables: the power, and the false alarms among honest players."""
    rows = ["| strength | games | together | seasons | found | power | 95 % interval |"]
    rows.append("|---:|---:|---:|---:|---:|---:|---:|")
    for each in measured:
        if each.strength:
            low, high = wilson(each.found, each.seasons)
            rows.append(
                f"| {each.strength:g} | {each.games} | {each.together:.1f} | {each.seasons} | {each.found} | "
                f"{each.found / each.seasons:.0%} | {low:.0%} to {high:.0%} |"
            )
    rows += ["", "| season | games | seasons | with a false alarm | honest pairs | accused |"]
    rows.append("|---|---:|---:|---:|---:|---:|")
    for each in measured:
        kind = f"colluders of {each.strength:g}" if each.strength else "all honest"
        rows.append(
            f"| {kind} | {each.games} | {each.seasons} | {each.accused} ({each.accused / each.seasons:.1%}) | "
            f"{each.honest:,} | {each.pairs_accused} |"
        )
    return "\n".join([*rows, "", f"The promised rate is {RATE:.0%} of seasons."])


@click.command()
@click.option("--system", default="classic", show_default=True, help="The rule system.")
@click.option("--players", type=click.IntRange(3), default=4, show_default=True, help="Seats of a table.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes that play.")
@click.option("--pool", type=click.IntRange(4), default=8, show_default=True, help="Players of a season.")
@click.option(
    "--honest", type=click.IntRange(2), default=200, show_default=True, help="Games of honest bots."
)
@click.option(
    "--colluding", type=click.IntRange(2), default=80, show_default=True, help="Games of each strength."
)
@click.option(
    "--strength", "strengths", type=click.FloatRange(0, 1), multiple=True, default=(0.05, 0.1, 0.25)
)
@click.option("--size", "sizes", type=click.IntRange(1), multiple=True, default=(20, 40, 80, 160))
@click.option(
    "--seasons", type=click.IntRange(1), default=40, show_default=True, help="Seasons of each kind."
)
@click.option("--honest-seasons", type=click.IntRange(1), default=100, show_default=True)
@click.option("--draws", type=click.IntRange(19), default=199, show_default=True, help="Draws of a screen.")
@click.option(
    "--bank",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data/collusion"),
    show_default=True,
    help="Where the games are kept in figures: what is there is not played again.",
)
@click.option(
    "--picture", type=click.Path(dir_okay=False, path_type=Path), help="Draw the power as SVG here."
)
def collusion(
    *,
    system: str,
    players: int,
    pool: int,
    honest: int,
    colluding: int,
    strengths: tuple[float, ...],
    sizes: tuple[int, ...],
    seasons: int,
    honest_seasons: int,
    draws: int,
    workers: int,
    folder: Path,
    picture: Path | None,
) -> None:
    """Find out how soon colluders are found, and how often honest players are accused."""
    fair = load_games(folder, KindOfGames(system, players, HONEST, honest), workers)
    measured: list[Power] = []
    for strength in sorted(strengths, reverse=True):
        bots = KindOfGames(system, players, f"colluder-{strength:g}", colluding)
        bank = Bank(fair, load_games(folder, bots, workers))
        measured += [measure(bank, strength, size, seasons, pool=pool, draws=draws) for size in sizes]
    measured += [measure(Bank(fair), 0, size, honest_seasons, pool=pool, draws=draws) for size in sizes]
    click.echo(as_markdown(measured))
    if picture is not None:
        curves: dict[str, list[tuple[float, float]]] = {}
        for each in measured:
            name = f"strength {each.strength:g}" if each.strength else "all honest: accused"
            share = (each.found if each.strength else each.accused) / each.seasons
            curves.setdefault(name, []).append((each.games, share))
        draw_curves(picture, "games of the season", curves)


if __name__ == "__main__":
    collusion()
