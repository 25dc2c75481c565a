"""Events with a sentence for people, where a caller asks for one with `text` and a language.

A sentence says what the caller's form of the event says, and the names and revealed cards that lie on the table for
everybody: it is made from a table that holds nothing else.
"""

from collections.abc import Callable, Iterable
from typing import Any

from events.codec import decode_event
from events.disclosure import Form, form_for
from events.domain_events import GameRewound
from events.recorded import RecordedEvent
from events.redacted import event_in
from events.rules.evolve import evolve
from events.rules.state import INITIAL_STATE, GameState, Seat
from events.table import Table
from replay.commentary import Commentary
from service.http.services import services
from service.tables import Sitting, Tables


class Teller:
    """Tells the events of a game to one viewer, in order."""

    def __init__(
        self, table: Table, state: GameState, viewer: int, language: str, at: Callable[[int], GameState]
    ) -> None:
        """Begin with the table as it stands in `state`, before the first event to tell.

        `at` finds the table of an earlier version, for where the game went back to it.
        """
        self._at = at
        self._key = table.key
        self._state = state
        self._viewer = viewer
        self._commentary = Commentary(table.rules.catalogue, language)

    def told(self, entry: RecordedEvent) -> dict[str, Any]:
        """The next entry as the viewer may see it, with its sentence."""
        event = decode_event(entry)
        before = self._at(event.to_version) if isinstance(event, GameRewound) else self._state
        self._state = evolve(before, event)
        form = form_for(entry, self._key, self._viewer)
        sentence = self._commentary.sentence(_seen_by_all(self._state), event_in(form.entry))
        return {"entry": form.entry, "salts": form.salts, "hash": form.hash, "text": sentence}


def teller_for(tables: Tables, sitting: Sitting, version: int, viewer: int, language: str) -> Teller:
    """A teller of what follows a version.

    Raises:
        StoreUnavailable
    """

    def at(wanted: int) -> GameState:
        return tables.at(sitting, wanted).state if wanted else INITIAL_STATE

    return Teller(sitting.table, at(version), viewer, language, at)


def told_forms(
    sitting: Sitting, entries: Iterable[RecordedEvent], viewer: int, language: str | None
) -> list[Form] | list[dict[str, Any]]:
    """Log entries, which follow one another, as a viewer may see them, with sentences if a language is given."""
    listed = [*entries]
    if language is None or not listed:
        return [form_for(entry, sitting.table.key, viewer) for entry in listed]
    teller = teller_for(services().tables, sitting, listed[0].version - 1, viewer, language)
    return [teller.told(entry) for entry in listed]


def _seen_by_all(state: GameState) -> GameState:
    """Of a table only what a sentence needs beside the event, all of which is open to everybody."""
    return GameState(seats=tuple(Seat(name=seat.name) for seat in state.seats), revealed=state.revealed)
