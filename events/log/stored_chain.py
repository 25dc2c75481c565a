"""The hash chain of a stored log, computed again from its entries."""

from collections.abc import Sequence

from events.chain.hash_chain import GENESIS, link
from events.log.disclosure import PUBLIC, form_for
from events.log.recorded import RecordedEvent


class ChainBroken(Exception):
    """The entries of a log are not the ones that its chain was computed over; the message says where."""


def check_chain(entries: Sequence[RecordedEvent], key: bytes) -> None:
    """Compute a game's hash chain again, with the key of its salts.

    Raises:
        ChainBroken: at the first entry that does not fit, or cannot be read by this release.
    """
    chain = GENESIS
    for entry in entries:
        try:
            chain = link(chain, form_for(entry, key, PUBLIC).entry)
        except (
            Exception
        ) as error:  # whatever a changed entry makes of the reader, it is the entry that is wrong
            raise ChainBroken(f"version {entry.version} cannot be read: {error}") from error
        if chain != entry.hash:
            raise ChainBroken(f"the chain breaks at version {entry.version}")
