"""A floor as its own processes on a store of its own."""

import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from tests.benchmarks.chosen import ChosenGame, chance_of, chosen_game, recorded_commands, set_up
from tests.benchmarks.floor import Batch, Floor, Kind, set_up_floor
from tests.benchmarks.own_service import OwnService, await_ready, free_port, plain_environment, started
from tests.benchmarks.playing import Played, Size, played


@dataclass(frozen=True)
class OwnFloor:
    """A running floor."""

    port: int
    processes: tuple[int, ...]
    lanes: list[tuple[ChosenGame, ...]]
    size: Size

    def played(self) -> Played:
        """One run; its commands come again and again, since nobody looks at what they say."""
        size = self.size
        return played(self.port, self.processes, self.lanes, size.warm_up, size.seconds, again=True)


@contextmanager
def own_floor(service: OwnService, size: Size, kind: Kind) -> Iterator[OwnFloor]:
    """This kind of floor on a store of its own, with as many games, and the events of a game of the service."""
    made = [set_up(service) for _ in range(size.games)]
    with closing(service.stored_games()) as stored:
        batches = tuple(Batch(tuple(each)) for each in recorded_commands(stored, made[0], chance_of("0")))
        lanes: list[tuple[ChosenGame, ...]] = [
            (chosen_game(stored, each, chance_of(str(place)), service.port),)
            for place, each in enumerate(made)
        ]
    with tempfile.TemporaryDirectory(prefix="fieldbook-bench-") as name:
        folder, port = Path(name), free_port()
        file, floor = folder / "floor.json", Floor(kind, tuple(made), batches)
        file.write_bytes(msgspec.json.encode(floor))
        environment = plain_environment(PORT=str(port), FIELDBOOK_DATA=str(folder / "data"))
        with (
            started(
                [sys.executable, "-m", "service.embedded_store"], environment, folder / "store.log"
            ) as server,
        ):
            floor_store = open_store(StoreSettings.from_environment(environment))
            set_up_floor(floor_store, floor)
            floor_store.close()
            log = folder / "floor.log"
            command = [sys.executable, "-m", "tests.benchmarks.floor", str(file)]
            with started(command, environment, log) as process:
                await_ready(process, "/readyz", port, log)
                yield OwnFloor(port, (process.pid, server.pid), lanes, size)
