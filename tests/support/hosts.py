"""Several machines around one store, each with folders, data and ports of its own: nothing else is shared."""

import shutil
from contextlib import ExitStack
from pathlib import Path
from typing import Final, Self

from service.startup.store_opening import open_store
from service.storage.settings import StoreSettings
from service.verification.signing_keys import FILE
from tests.support.processes import Service

AROUND_THE_STORE: Final = ("web", "worker", "projector", "bots", "webhooks")
STORE: Final = "store"


class Hosts:
    """A machine with the store, and others with processes around it; all of them are ended when this is left.

    Attributes:
        store: the machine of the store.
        all: the others.
    """

    def __init__(self, store: Service, *others: Service) -> None:
        """Join machines that were prepared; nothing is started yet."""
        self.store, self.all = store, others
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        """Start the store."""
        with ExitStack() as stack:
            stack.enter_context(self.store)
            for host in self.all:
                stack.enter_context(host)
            self.start_store()
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        """End every process, the store last."""
        self._stack.close()

    def start_store(self) -> None:
        """Start the store and wait until it answers; the others are told where it is."""
        self.store.start(STORE)
        settings = StoreSettings.from_environment(self.store.environment)
        open_store(settings).close()
        for host in self.all:
            host.environment["REDIS_URL"] = settings.address()

    def start(self, *names: str) -> None:
        """Start processes of these kinds on every machine, and wait until all of them are ready.

        The first machine makes the signing key, and the others are given a copy: as operators are told to do it.
        """
        first, *others = self.all
        first.start(*names)
        first.await_ready()
        for host in others:
            _copy_signing_key(first, host)
            host.start(*names)
        for host in others:
            host.await_ready()


def machine(folder: Path, durability: str = "local") -> Service:
    """A machine with this folder, which it makes."""
    folder.mkdir(parents=True, exist_ok=True)
    return Service(folder, durability)


def _copy_signing_key(source: Service, target: Service) -> None:
    data = target.folder / "data"
    data.mkdir(exist_ok=True)
    shutil.copy2(source.folder / "data" / FILE, data / FILE)
