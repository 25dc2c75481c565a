"""Events with a sentence for people, where a caller asks for one with `text` and a language.

A sentence says what the caller's form of the event says, and the names and revealed cards that lie on the table for
everybody: it is made from a table that holds nothing else.
"""

from collections.abc import Callable, Sequence
from typing import Any

from events.domain_events import GameRewound
from events.game.table import Table
from events.log.codec import decode_event
from events.log.disclosure import Disclosure, Form
from events.log.redacted import event_in
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE, GameState, Seat
from replay.commentary import Commentary
from service.http.context.services import services
from service.play.tables import LoadedGame, Tables


class Narrator:
    """Tells the events of a game to one viewer in sentences, in order."""

    def __init__(
        self, table: Table, state: GameState, viewer: int, language: str, at: Callable[[int], GameState]
    ) -> None:
        """Begin with the table as it stands in `state`, before the first event to tell.

        `at` finds the table of an earlier version, for where the game went back to it.
        """
        self._at = at
        self._state = state
        self._viewer = viewer
        self._commentary = Commentary(table.rules.catalogue, language)

    def narrate(self, disclosure: Disclosure) -> dict[str, Any]:
        """The next entry as the viewer may see it, with its sentence."""
        event = decode_event(disclosure.recorded)
        before = self._at(event.to_version) if isinstance(event, GameRewound) else self._state
        self._state = evolve(before, event)
        form = disclosure.form(self._viewer)
        sentence = self._commentary.sentence(_redact_for_all(self._state), event_in(form.entry))
        return {"entry": form.entry, "salts": form.salts, "hash": form.hash, "text": sentence}


def narrator_for(tables: Tables, loaded: LoadedGame, version: int, viewer: int, language: str) -> Narrator:
    """A narrator of what follows a version.

    Raises:
        StoreUnavailable
    """

    def at(wanted: int) -> GameState:
        return tables.at(loaded, wanted).state if wanted else INITIAL_STATE

    return Narrator(loaded.table, at(version), viewer, language, at)


def narrated_events(
    loaded: LoadedGame, disclosures: Sequence[Disclosure], viewer: int, language: str | None
) -> list[Form] | list[dict[str, Any]]:
    """Log entries, which follow one another, as a viewer may see them, with sentences if a language is given."""
    if language is None or not disclosures:
        return [each.form(viewer) for each in disclosures]
    before = disclosures[0].recorded.version - 1
    narrator = narrator_for(services().tables, loaded, before, viewer, language)
    return [narrator.narrate(each) for each in disclosures]


def _redact_for_all(state: GameState) -> GameState:
    """Of a table only what a sentence needs beside the event, all of which is open to everybody."""
    return GameState(seats=tuple(Seat(name=seat.name) for seat in state.seats), revealed=state.revealed)
