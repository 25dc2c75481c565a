"""Events with a sentence for people, where a caller asks for one with `text` and a language.

A sentence says what the caller's form of the event says, and the names and revealed cards that lie on the table for
everybody: it is made from a table that holds nothing else.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from events.domain_events import GameRewound, SeatTaken
from events.game.table import Table
from events.log.codec import decode_event
from events.log.disclosure import Disclosure, Form
from events.log.redacted import event_in
from events.rules.evolving.evolve import evolve
from events.rules.table.state import INITIAL_STATE, GameState, Seat
from replay.commentary import Commentary
from service.http.context.services import Services, services
from service.play.tables import LoadedGame
from service.players.shown_names import ShownNames


class Narrator:
    """Tells the events of a game to one viewer in sentences, in order."""

    def __init__(
        self,
        table: Table,
        state: GameState,
        viewer: int,
        language: str,
        at: Callable[[int], GameState],
        *,
        names: ShownNames,
    ) -> None:
        """Begin with the table as it stands in `state`, before the first event to tell.

        `at` finds the table of an earlier version, for where the game went back to it; `names` has those to show.
        """
        self._at = at
        self._names = names
        self._state = state
        self._viewer = viewer
        self._commentary = Commentary(table.rules.catalogue, language)

    def narrate(self, disclosure: Disclosure) -> dict[str, Any]:
        """The next entry as the viewer may see it, with its sentence."""
        event = decode_event(disclosure.recorded)
        before = self._at(event.to_version) if isinstance(event, GameRewound) else self._state
        self._state = evolve(before, event)
        form = disclosure.form(self._viewer)
        told = event_in(form.entry)
        shown = _redact_for_all(self._names.show(self._state))
        if isinstance(told, SeatTaken):
            told = replace(told, name=shown.seats[told.seat].name)
        sentence = self._commentary.sentence(shown, told)
        return {"entry": form.entry, "salts": form.salts, "hash": form.hash, "text": sentence}


def narrator_for(found: Services, loaded: LoadedGame, version: int, viewer: int, language: str) -> Narrator:
    """A narrator of what follows a version.

    Raises:
        StoreUnavailable
    """

    def at(wanted: int) -> GameState:
        return found.tables.at(loaded, wanted).state if wanted else INITIAL_STATE

    return Narrator(loaded.table, at(version), viewer, language, at, names=found.shown_names)


def narrated_events(
    loaded: LoadedGame, disclosures: Sequence[Disclosure], viewer: int, language: str | None
) -> list[Form] | list[dict[str, Any]]:
    """Log entries, which follow one another, as a viewer may see them, with sentences if a language is given."""
    if language is None or not disclosures:
        return [each.form(viewer) for each in disclosures]
    before = disclosures[0].recorded.version - 1
    narrator = narrator_for(services(), loaded, before, viewer, language)
    return [narrator.narrate(each) for each in disclosures]


def _redact_for_all(state: GameState) -> GameState:
    """Of a table only what a sentence needs beside the event, all of which is open to everybody."""
    return GameState(seats=tuple(Seat(name=seat.name) for seat in state.seats), revealed=state.revealed)
