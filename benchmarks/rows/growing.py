"""A command in a very long game, beside the same command in one that has just begun."""

import time
from collections.abc import Iterable
from statistics import median

from benchmarks.figures import Comparison, Goal
from benchmarks.long_game import ENTRIES, long_game
from benchmarks.measuring import Measure, Side, compared
from benchmarks.peers.installed import Peers
from benchmarks.stores import measured_store, put
from events.commands import Say
from events.redis_store import RedisEventStore
from service.command_handling import CommandHandling
from service.deciding import Request
from service.durability import Durability
from service.tables import Tables

FEW_ENTRIES = 100
COMMANDS = 200
"""Commands sent to each game in a round."""


_WHICH_COMMAND = (
    "a command that changes least (`say`), so that anything that grows with the log would show; decided, "
    "hashed, appended and acknowledged at level fsync, without HTTP."
)


class Growing:
    """The service's own command handling on the embedded store, at level `fsync`."""

    name = "long-game"
    about = "a command's median at 100,000 events in the game, beside one at 100"

    def __init__(self, entries: int = ENTRIES, commands: int = COMMANDS) -> None:
        """Compare with a game of so many entries; send so many commands to each a round."""
        self._entries = entries
        self._commands = commands

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        with measured_store(Durability.FSYNC) as store:
            tables = Tables(store)
            long, began = self._stored(store, "long", self._entries), time.perf_counter()
            tables.newest(long)
            loaded = time.perf_counter() - began
            short = self._stored(store, "short", FEW_ENTRIES)
            handling = CommandHandling(store, tables)
            yield compared(
                self.name,
                "ms",
                goal=Goal(at_most=1.1),
                ours=Side(f"command at {self._entries:,} events, median", self._median(handling, long)),
                beside=Side(f"command at {FEW_ENTRIES} events, median", self._median(handling, short)),
                rounds=rounds,
                notes=(
                    _WHICH_COMMAND,
                    (
                        f"the first command of a process to the long game waits besides until it has folded its log:"
                        f" {loaded:.2f} s."
                    ),
                ),
            )

    @staticmethod
    def _stored(store: RedisEventStore, game: str, entries: int) -> str:
        table, log = long_game(entries, to_its_end=False, game=game)
        put(store, table, log)
        return game

    def _median(self, handling: CommandHandling, game: str) -> Measure:
        sent = 0

        def measure() -> float:
            nonlocal sent
            taken = []
            for _ in range(self._commands):
                sent += 1
                request = Request(0, (Say("Hm."),), 10**9 + sent, f"bench-{sent}", "bench")
                began = time.perf_counter()
                handling.send(game, request)
                taken.append(1000 * (time.perf_counter() - began))
            return median(taken)

        return measure
