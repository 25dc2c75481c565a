"""`python -m tests.benchmarks.collusion.unlike`: false alarms among honest players who do not play alike.

Every player keeps a bot of its own through a season, each game is played anew, and nobody colludes: whoever is
accused is so for how bots of these kinds get on. What a season came to is kept, and a second call goes on there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import msgspec

from events.game.record import header_for
from events.log.disclosure import ALL, form_for
from replay.across.intervals import wilson
from replay.across.mapping import map_games
from replay.across.screening.comparing.screen import RATE, compare
from replay.across.screening.figures.observing import observe
from replay.across.source import NOTHING_BESIDE, Beside, OpenedGame
from service.simulation.self_play import self_play
from tests.benchmarks.collusion.bank import figures_of
from tests.benchmarks.collusion.playing import draw

BOTS: Final = ("greedy", "greedy", "random")
"""The players' bots, in turn."""
KEPT: Final = "unlike.jsonl"


class Season(msgspec.Struct, frozen=True, kw_only=True):
    """What a screen made of one season: how many pairs it compared, and which stood out by how much of what."""

    system: str
    number: int
    players: int
    pool: int
    games: int
    draws: int
    pairs: int
    accused: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeasonsGames:
    """The games of one season as a source for the map over games: each is played when it is opened."""

    system: str
    season: int
    players: int
    pool: int
    games: int

    def names(self) -> Iterator[str]:
        """The names of the games."""
        for number in range(1, self.games + 1):
            yield f"{self.system}-season-{self.season:04}-{number:05}"

    def beside(self, _name: str) -> Beside:
        """Nothing: they are played for whoever asks."""
        return NOTHING_BESIDE

    @contextmanager
    def open(self, name: str) -> Iterator[OpenedGame]:
        """Play a game between some of the pool, each with its own bot."""
        drawn = sorted(range(self.pool), key=lambda player: draw(f"{name}/{player}"))[: self.players]
        bots = [BOTS[player % len(BOTS)] for player in drawn]
        names = [f"{bot} {player + 1}" for bot, player in zip(bots, drawn, strict=True)]
        table, log = self_play(self.system, self.players, bots, name, {}, game=name, names=names)
        yield OpenedGame(header_for(table, ALL), (form_for(entry, table.key, ALL) for entry in log))


def screen_season(source: SeasonsGames, draws: int, workers: int) -> Season:
    """Play a season, and see whom a screen accuses.

    Raises:
        NotScreened: a game does not verify, or says nothing.
    """
    played = [figures_of(each) for each in map_games(observe, source, workers)]
    screened = compare(played, seed=f"{source.system}/{source.season}", draws=draws)
    return Season(
        system=source.system,
        number=source.season,
        players=source.players,
        pool=source.pool,
        games=source.games,
        draws=draws,
        pairs=len(screened.pairs),
        accused=tuple(" and ".join(pair.names) for pair in screened.standing_out),
    )


@click.command()
@click.option("--system", default="classic", show_default=True, help="The rule system.")
@click.option("--players", type=click.IntRange(3), default=4, show_default=True, help="Seats of a table.")
@click.option("--pool", type=click.IntRange(4), default=16, show_default=True, help="Players of a season.")
@click.option("--games", type=click.IntRange(1), default=160, show_default=True, help="Games of a season.")
@click.option("--seasons", type=click.IntRange(1), default=84, show_default=True, help="How many seasons.")
@click.option("--draws", type=click.IntRange(19), default=1999, show_default=True, help="Draws of a screen.")
@click.option("--workers", type=click.IntRange(1), default=1, show_default=True, help="Processes that play.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("docs/screening"),
    show_default=True,
    help=f"Where {KEPT} is kept.",
)
def unlike(
    *, system: str, players: int, pool: int, games: int, seasons: int, draws: int, workers: int, out: Path
) -> None:
    """Find out how often honest players are accused who play each in a way of their own."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / KEPT
    asked = (system, players, pool, games, draws)
    kept = [each for each in _read(path) if (each.system, *_size(each)) == asked]
    known = {each.number for each in kept}
    for number in range(1, seasons + 1):
        if number in known:
            continue
        kept.append(screen_season(SeasonsGames(system, number, players, pool, games), draws, workers))
        with path.open("ab") as file:
            file.write(msgspec.json.encode(kept[-1]) + b"\n")
    kept = sorted(kept, key=lambda each: each.number)[:seasons]
    accused, pairs = sum(bool(each.accused) for each in kept), sum(each.pairs for each in kept)
    low, high = wilson(accused, len(kept))
    stood_out = sum(len(each.accused) for each in kept)
    click.echo(
        f"{len(kept)} seasons of {games} games, {pairs:,} honest pairs: {stood_out} accused, in {accused} seasons, "
        f"{accused / len(kept):.1%} ({low:.1%} to {high:.1%}); promised are {RATE:.0%}."
    )


def _size(season: Season) -> tuple[int, int, int, int]:
    return season.players, season.pool, season.games, season.draws


def _read(path: Path) -> list[Season]:
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [msgspec.json.decode(line, type=Season) for line in lines]


if __name__ == "__main__":
    unlike()
