"""The first key of an installation, an operator's: made at the first start, kept in the data folder."""

from pathlib import Path

from events.store.event_store import EventStore
from service.access.keys import OPERATOR, SCOPES
from service.access.store import Keys
from service.platform.clock import now_milliseconds

FILE = "first-key"


def first_key(store: EventStore, data_folder: Path) -> tuple[str, bool]:
    """The first key, from its file (mode 0600), and whether it was made just now.

    It is made where there is none or the store does not know it; one that was revoked is known too, and not replaced.

    Raises:
        StoreUnavailable
    """
    path = data_folder / FILE
    keys = Keys(store)
    if path.exists():
        token = path.read_text(encoding="ascii").strip()
        if keys.find(token) is not None:
            return token, False
    token = keys.create("first key", SCOPES, now_milliseconds(), OPERATOR)
    data_folder.mkdir(parents=True, exist_ok=True)
    partial = path.with_suffix(".new")
    partial.touch(mode=0o600)
    partial.write_text(token + "\n", encoding="ascii")
    partial.replace(path)
    return token, True
