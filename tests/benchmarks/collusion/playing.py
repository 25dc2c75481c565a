"""Games between bots as a source for the map over games: each is played when it is opened."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from events.game.record import header_for
from events.log.disclosure import ALL, form_for
from replay.across.source import NOTHING_BESIDE, Beside, OpenedGame
from service.simulation.self_play import self_play
from tests.benchmarks.colluding_bots import colluding_bots

HONEST: Final = "greedy"
"""The bot of everybody who does not collude."""


@dataclass(frozen=True, slots=True)
class PlayedGames:
    """Games of one kind, numbered from 1: two seats have the bot that is tried, the others are honest."""

    system: str
    players: int
    bot: str
    last: int
    first: int = 1

    @property
    def kind(self) -> str:
        """What their names begin with."""
        return f"{self.system}-{self.players}-{self.bot}"

    def names(self) -> Iterator[str]:
        """The names of the games."""
        for number in range(self.first, self.last + 1):
            yield f"{self.kind}-{number:05}"

    def beside(self, _name: str) -> Beside:
        """Nothing: they are played for whoever asks."""
        return NOTHING_BESIDE

    @contextmanager
    def open(self, name: str) -> Iterator[OpenedGame]:
        """Play a game; the names of the players say where the two sit."""
        seats = sorted(range(self.players), key=lambda seat: draw(f"{name}/{seat}"))
        tried = set(seats[:2])
        bots = [self.bot if seat in tried else HONEST for seat in range(self.players)]
        names = [f"{'tried' if seat in tried else 'other'} {seat}" for seat in range(self.players)]
        with colluding_bots(bots):
            table, log = self_play(self.system, self.players, bots, name, {}, game=name, names=names)
        yield OpenedGame(header_for(table, ALL), (form_for(entry, table.key, ALL) for entry in log))


def draw(text: str) -> bytes:
    """What seats are drawn by: the same for the same text."""
    return hashlib.sha256(text.encode()).digest()
