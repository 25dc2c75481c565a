"""A command in a very long game, beside the same command in one that has just begun."""

import time
from collections.abc import Iterable
from statistics import median

from events.commands import Say
from events.store.redis.redis_store import RedisEventStore
from service.play.command_handling import CommandHandling
from service.play.deciding import Request
from service.play.tables import Tables
from service.storage.levels import Durability
from tests.benchmarks.figures import Comparison, Figure, Goal
from tests.benchmarks.long_game import PLAYERS, long_game
from tests.benchmarks.measuring import command_for
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.stores import measured_store, put

ENTRIES = 24_000
"""As many as a game may have in which people still talk and trade: `service.play.budgets.ROOMY_ENTRIES`, nearly."""
FEW_ENTRIES = 100
SENDER = 0
"""Who sends the commands, and has not talked before: a seat has only so many messages."""
COMMANDS = 100
"""Commands sent to each game in a round; the short one is a new one each round, so that it stays short."""

_WHICH_COMMAND = (
    "a command that changes least (`say`), so that anything that grows with the log would show; decided, hashed, "
    "appended and acknowledged at level fsync, without HTTP; sent to both games by turns."
)


class Growing:
    """The service's own command handling on the embedded store, at level `fsync`."""

    name = "long-game"
    about = "a command's median at 24,000 events in the game, beside one at 100"

    def __init__(self, entries: int = ENTRIES, commands: int = COMMANDS) -> None:
        """Compare with a game of so many entries; send so many commands to each a round."""
        self._entries = entries
        self._commands = commands

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        del peers
        with measured_store(Durability.FSYNC) as store:
            tables = Tables(store)
            handling = CommandHandling(store, tables)
            _stored(store, "long", self._entries)
            began = time.perf_counter()
            tables.newest("long")
            loaded = time.perf_counter() - began
            # The first round does not count.
            pairs = [self._round(store, handling, number) for number in range(rounds + 1)][1:]
            yield Comparison(
                name=self.name,
                ours=Figure(
                    what=f"command at {self._entries:,} events, median",
                    unit="ms",
                    values=tuple(long for long, _ in pairs),
                ),
                beside=Figure(
                    what=f"command at {FEW_ENTRIES} events, median",
                    unit="ms",
                    values=tuple(short for _, short in pairs),
                ),
                goal=Goal(at_most=1.1),
                command=command_for(self.name),
                notes=(
                    _WHICH_COMMAND,
                    (
                        "the first command of a process to the long game waits besides until it has folded its log:"
                        f" {loaded:.2f} s."
                    ),
                ),
            )

    def _round(self, store: RedisEventStore, handling: CommandHandling, number: int) -> tuple[float, float]:
        """Medians in milliseconds: of a command to the long game, and of one to a new short game."""
        short = f"short-{number}"
        _stored(store, short, FEW_ENTRIES)
        taken: dict[str, list[float]] = {"long": [], short: []}
        for sent in range(self._commands):
            for game, times in taken.items():
                request = Request(SENDER, (Say("Hm."),), 10**9 + sent, f"bench-{number}-{sent}", "bench")
                began = time.perf_counter()
                handling.send(game, request)
                times.append(1000 * (time.perf_counter() - began))
        return median(taken["long"]), median(taken[short])


def _stored(store: RedisEventStore, game: str, entries: int) -> None:
    others = [seat for seat in range(PLAYERS) if seat != SENDER]
    put(store, *long_game(entries, to_its_end=False, game=game, talkers=others))
