"""Both releases' services at once, each with a store and a folder of its own, which take turns."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Final, NamedTuple

from tests.benchmarks.own_service import OwnService, own_service
from tests.benchmarks.peers.installed import Peers
from tests.benchmarks.quiet import await_quiet

HOW: Final = (
    "both releases run at once, each from its own folder with its own environment and store; our load knows them by"
    " HTTP alone, and each side's turn begins when neither has anything left to do"
)


class Both(NamedTuple):
    """This release and the earlier one."""

    ours: OwnService
    theirs: OwnService

    def await_quiet(self) -> None:
        """Wait until neither has anything left to do."""
        await_quiet((self.ours.process, self.theirs.process))


@contextmanager
def both_releases(peers: Peers) -> Iterator[Both]:
    """Start both.

    Raises:
        PeerMissing: no earlier release was named.
        ServiceFailed: one does not become ready.
        ValueError: at the end the earlier release's store has other functions than it came with.
    """
    earlier = peers.earlier_release()
    with own_service(earlier) as theirs, own_service() as ours:
        before = functions_of(theirs)
        yield Both(ours, theirs)
        if functions_of(theirs) != before:
            raise ValueError(
                f"The store of {earlier.name} has not kept its own functions: nothing was compared."
            )


def functions_of(service: OwnService) -> dict[str, bytes]:
    """The functions in a service's store, by the name of their library."""
    with closing(service.stored_games()) as stored:
        return stored.functions()


def command_beside(name: str, peers: Peers) -> str:
    """What to run for such a row alone."""
    return f"fieldbook bench --only {name.partition('/')[0]} --beside {peers.earlier_release().folder.name}"
