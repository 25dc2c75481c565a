"""Reading a game's events in order, from anywhere, for as long as it lasts, with the chain checked on the way."""

from collections.abc import Iterator
from time import monotonic, sleep
from typing import Final

import msgspec

from events.chain.hash_chain import GENESIS, link
from events.log.disclosure import Form, public_form
from replay.client.answers import Entry, Event, EventsPage
from replay.client.transport import Transport

LAST_EVENT: Final = "secret_revealed"
PAUSE: Final = 0.1
"""Seconds from one question for new events to the next at least: bots play fast, and quotas count questions."""


class ChainBroken(Exception):
    """What the service sent is not linked to what it sent before; the message says where."""


def follow_events(
    transport: Transport, game: str, after: int, wait: int, *, viewer: str | None = None
) -> Iterator[Event]:
    """The events after a version, each once; with `wait` seconds of patience for new ones until the game is over.

    Raises:
        ChainBroken: an event does not continue the chain.
        Problem: the service refuses.
    """
    place, head = str(after), GENESIS if after == 0 else ""
    while True:
        asked_at = monotonic()
        asked = {"after": place, "wait": wait or None, "as": viewer or None}
        page = transport.read(f"/v1/games/{game}/events", EventsPage, **asked)
        for event in page.events:
            head = _check_link(event, after, head)
            after = event.entry.version
            yield event
            if event.entry.type == LAST_EVENT:
                return
        if page.next == page.version and not wait:
            return
        place = page.cursor
        if page.next == page.version:
            sleep(max(0.0, asked_at + PAUSE - monotonic()))


def _check_link(event: Event, after: int, head: str) -> str:
    """The chain hash after an event, recomputed; of the first one, if it is not the game's first, believed."""
    if event.entry.version != after + 1:
        raise ChainBroken(f"version {event.entry.version} came after version {after}")
    if head and link(head, public_form(event_form(event))) != event.hash:
        raise ChainBroken(f"version {event.entry.version} does not continue the chain")
    return event.hash


def event_form(event: Event) -> Form:
    """The event as the form in which records have it."""
    return Form(_members(event.entry), event.salts, event.hash)


def _members(entry: Entry) -> dict[str, object]:
    members: dict[str, object] = msgspec.to_builtins(entry)
    if entry.command is None:
        del members["command"]
    return members
