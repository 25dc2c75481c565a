"""Commands per second beside boardgame.io's server, which keeps its matches in files or in memory."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.load.plan import Found
from tests.benchmarks.own_service import own_service
from tests.benchmarks.peers.boardgame_io import MATCH_LENGTH, MODULES, boardgame_server, check_installed
from tests.benchmarks.peers.installed import PeerMissing, Peers
from tests.benchmarks.playing import Playing, Size, use_in_words
from tests.benchmarks.rows.http_commands import HOW_CHOSEN, rates

NOTES = (
    "boardgame.io's own server and clients play a game of beans of the same shape with fewer rules",
    "a move counts when a client of another seat has the state after it; the match goes on when all four have it",
    "a command of ours counts when it is acknowledged, after its fsync",
    "a move of theirs is seen before it is stored, and FlatFile never asks for an fsync",
    f"a match of theirs is left after {MATCH_LENGTH} moves, which is as long as a game of ours",
    "a round is shorter than a match; FlatFile writes a match's whole log at each move, so later moves cost more",
    HOW_CHOSEN,
)


@dataclass(frozen=True)
class BoardgameIo:
    """The two rows."""

    size: Size = field(default_factory=lambda: Size(seconds=5.0))
    modules: Path = MODULES
    name: str = "boardgame-io"
    about: str = "commands per second over HTTP, beside boardgame.io with FlatFile storage and in memory"

    def run(self, rounds: int, peers: Peers) -> Iterator[Comparison]:
        """Measure."""
        missing = None
        try:
            check_installed(peers, self.modules)
        except PeerMissing as peer_missing:
            missing = str(peer_missing)
        with own_service() as service:
            playing = Playing(service, self.size)
            runs, flat, memory = [], [], []
            if missing is not None:
                runs = [playing.as_fast_as_answered() for _ in range(rounds)]
            else:
                with (
                    boardgame_server(durable=True, modules=self.modules) as on_files,
                    boardgame_server(durable=False, modules=self.modules) as in_memory,
                ):
                    for _ in range(rounds):
                        runs.append(playing.as_fast_as_answered())
                        flat.append(on_files.played(self.size.games, self.size.warm_up, self.size.seconds))
                        memory.append(in_memory.played(self.size.games, self.size.warm_up, self.size.seconds))
        for kind, found, at_least in (("flat-file", flat, 5.0), ("in-memory", memory, 1.0)):
            notes = NOTES if missing is None else (f"boardgame.io: {missing}", HOW_CHOSEN)
            yield Comparison(
                name=f"{self.name}/{kind}",
                ours=rates(runs, self.size),
                beside=_figure(f"boardgame.io 0.50, {self.size.games} matches, {kind} storage", found),
                goal=Goal(at_least=at_least),
                command=f"python -m tests.benchmarks --only {self.name}",
                notes=(*notes, f"ours, {use_in_words(runs[-1])}", *_load(found)),
            )


def _figure(what: str, found: list[Found]) -> Figure | None:
    if not found:
        return None
    return Figure(what=what, unit="commands/s", values=tuple(each.counted / each.seconds for each in found))


def _load(found: list[Found]) -> tuple[str, ...]:
    if not found:
        return ()
    busy = found[-1].processor_seconds / found[-1].seconds
    return (f"boardgame.io's clients keep {busy:.2f} processors busy in all",)
