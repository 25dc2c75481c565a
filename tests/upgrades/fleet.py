"""Two machines around one store, each process of which is of a release of its own."""

import shutil
import time
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from signal import SIGTERM
from typing import Final, Self

from service.storage.settings import StoreSettings
from tests.faults.installation import CATALOGUE, Installation, Setting, TableKind
from tests.support.hosts import AROUND_THE_STORE, Hosts, machine
from tests.support.processes import Service
from tests.support.servers import eventually
from tests.upgrades.places import STORE, Place
from tests.upgrades.revision import Revision

MACHINES: Final = ("one", "two")
SYSTEMS: Final = (
    TableKind("classic", 3, CATALOGUE),
    TableKind("bean-duel", 2),
    TableKind("extended", 4),
    TableKind("the-duel", 2),
    TableKind("ladybohn", 3),
    TableKind("ladybohn-expansion", 4),
)
"""All rule systems; one with a small deck, so that some people's games come to their end."""
STARTS: Final = " starts: release "
"""What every process says when it starts."""
READY_SECONDS: Final = 90.0


class Fleet(Installation):
    """All processes on two machines, and the store; all of them are ended when this is left."""

    tables = SYSTEMS

    def __init__(self, folder: Path, release: Revision) -> None:
        """Prepare for an empty folder; everything is of this release at first."""
        super().__init__(folder / MACHINES[0], Setting("fsync"))
        other = machine(folder / MACHINES[1], "fsync")
        decks = shutil.copytree(folder / MACHINES[0] / "decks", other.folder / "decks")
        other.environment |= {"FIELDBOOK_CATALOGUES": str(decks), "WEB_PROCESSES": "1"}
        self.service.environment["WEB_PROCESSES"] = "1"
        self.hosts = Hosts(machine(folder / STORE, "fsync"), self.service, other)
        self._machines = dict(zip((STORE, *MACHINES), (self.hosts.store, *self.hosts.all), strict=True))
        self.releases = dict.fromkeys(self.places, release)
        for place in self.places:
            self._prepare(place)

    def __enter__(self) -> Self:
        """Start everything and wait until it is ready."""
        with ExitStack() as stack:
            stack.enter_context(self.hosts)
            self.hosts.start(*AROUND_THE_STORE)
            for host in self.hosts.all:
                eventually(lambda: _listens(host, "worker"))  # noqa: B023 - it is asked here
            self._stack = stack.pop_all()
        return self

    @property
    def places(self) -> Sequence[Place]:
        """Every process."""
        return (Place(STORE, STORE), *(Place(each, name) for each in MACHINES for name in AROUND_THE_STORE))

    @property
    def ports(self) -> Sequence[int]:
        """The web of both machines."""
        return [host.port for host in self.hosts.all]

    def change(self, place: Place, release: Revision) -> float:
        """Stop a process as a process manager does, and start that of another release; seconds until it is ready."""
        begun = time.monotonic()
        if status := self._machines[place.machine].stop(place.process):
            self.findings.append(f"{place} of {self.releases[place].name} ended with status {status}")
        self.releases[place] = release
        self._start(place)
        return time.monotonic() - begun

    @property
    def store_file_bytes(self) -> int:
        """How large the files are that the store appends to."""
        settings = StoreSettings.from_environment(self.hosts.store.environment)
        return sum(file.stat().st_size for file in (settings.store_folder / "appendonlydir").iterdir())

    def stop_bots(self) -> None:
        """So that games lie still while they are looked at."""
        for host in self.hosts.all:
            host.stop("bots")

    def mend(self) -> None:
        """Start again what has ended by itself, and keep that it had to."""
        for name, each in self._machines.items():
            for process, status in each.ended().items():
                place = Place(name, process)
                said = each.log(process)[-500:]
                self.findings.append(
                    f"{place}, {self.releases[place].name}, ended with status {status}: {said}"
                )
                self._start(place)

    def left_behind(self) -> list[int]:
        """The processes that still work on any of the folders some seconds after everything was stopped."""
        with suppress(AssertionError):
            eventually(lambda: not self._alive())
        return self._alive()

    def _alive(self) -> list[int]:
        return [process for each in self._machines.values() for process in each.alive()]

    def _start(self, place: Place) -> None:
        host = self._prepare(place)
        before = _starts(host, place.process)
        host.start(place.process)
        if place.process == STORE:
            self.open_store().close()
        elif place.process == "web":
            eventually(host.is_ready, seconds=READY_SECONDS)
        else:
            eventually(lambda: _starts(host, place.process) > before, seconds=READY_SECONDS)
            eventually(lambda: _listens(host, place.process))

    def _prepare(self, place: Place) -> Service:
        """The machine of a process, with the release that the process is to be of."""
        host, release = self._machines[place.machine], self.releases[place]
        host.python, host.sources = release.python, release.folder
        return host


def _starts(host: Service, process: str) -> int:
    """How often a process has said that it starts."""
    log = host.folder / f"{process}.log"
    return log.read_text(errors="replace").count(STARTS) if log.exists() else 0


def _listens(host: Service, process: str) -> bool:
    """Whether a process catches what asks it to end (proc(5))."""
    status = Path(f"/proc/{host.process_id(process)}/status").read_text(encoding="utf-8")
    caught = int(status.partition("SigCgt:")[2].split()[0], 16)
    return bool(caught >> (SIGTERM - 1) & 1)
