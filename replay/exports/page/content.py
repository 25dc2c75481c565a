"""All data of a page: what each of its perspectives saw and was told at every version, and what was said about it."""

from collections.abc import Mapping
from typing import Any, Final

from events.log.disclosure import ALL, viewer_name
from replay.commentary import Commentary
from replay.commentary.messages import Messages
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.exports.event_table import moment
from replay.exports.page.cards import Cards
from replay.exports.page.layers import steps_between
from replay.exports.page.notes import notes_for
from replay.exports.page.told import Told
from replay.terminal.table_text import is_dated
from replay.timeline.entries import Follow, RecordingEntry
from replay.timeline.timeline import COMMAND, PHASE, TURN, Timeline

FORMAT: Final = 1
"""Of the data in a page; only the script beside it reads it."""
PAGE: Final = (
    *("table", "annotations", "about", "keys", "close", "no_script", "made_by"),
    *("perspective", "everything", "public", "version", "version_of", "go_to"),
    *("first", "last", "turn_back", "turn_on", "phase_back", "phase_on"),
    *("command_back", "command_on", "event_back", "event_on"),
    *("play", "pause", "tempo", "faster", "slower", "recorded"),
    *("search", "next_match", "match_before", "matches", "no_match"),
    *("note_on", "note_back", "moment_of", "nothing_said", "annotated"),
    *("reply", "edited", "marks", "tags", "branches"),
    *("next_perspective", "seat_keys", "help", "letters_are_keys", "dealer", "host", "labelled"),
    *("cards", "coins", "pays", "missing", "may_move", "waiting", "active", "exhausted", "on_top"),
    *("levies", "spares", "discarded", "front", "no_new_offers", "card_number", "signs_of_the_table"),
)
"""Messages of the page's own."""
_LABELS: Final = (
    *("draw_pile", "next", "discard_pile", "out_of_play", "fan", "revealed", "bonus_pile", "gifts"),
    *("offers", "clock", "hand", "aside", "bonus", "claimed"),
)
_REPORT: Final = ("log", "won", "turn")


class Drawing:
    """The content of a page, drawn entry by entry: while its timeline is read, or once that was done.

    Attributes:
        timeline: what is drawn, from its viewer's eyes; once it was begun.
        tell: tells it.
    """

    def __init__(
        self, language: str, *, all_cards: bool = False, shown: Mapping[str, str] | None = None
    ) -> None:
        """Draw in a language.

        With `all_cards` the content begins with every card of the catalogue, whether or not it occurs
        (`Cards.of_catalogue`). `shown` has names to show for players, by their ids.
        """
        self._language, self._all_cards, self._shown = language, all_cards, shown
        self._told: Told | None = None

    def begin(self, timeline: Timeline) -> Follow:
        """Begin to draw a timeline of which nothing needs to be read yet; what is returned draws its next entry."""
        catalogue = timeline.header.catalogue
        self.timeline = timeline
        self.tell = Commentary(catalogue, self._language, shown=self._shown)
        self._cards = Cards.of_catalogue(self.tell, catalogue) if self._all_cards else Cards(self.tell)
        return self.go_on

    def go_on(self, entry: RecordingEntry) -> None:
        """Draw the next entry."""
        if self._told is None:
            self._told = Told(self.timeline, self.tell, self._cards)
        self._told.go_on(entry)

    def content(self) -> dict[str, Any]:
        """Everything that the page holds, ready to be JSON; to be asked for once, when every entry was drawn."""
        timeline, tell = self.timeline, self.tell
        told = self._told or Told(timeline, tell, self._cards)
        told.finish()
        return {
            "format": FORMAT,
            "language": tell.messages.language,
            "game": make_printable(timeline.header.game, NAME_LENGTH),
            "labels": labels(tell.messages),
            "summary": _summary(timeline),
            "broken": _broken(timeline, tell),
            "facts": _facts(timeline, tell),
            "perspectives": [
                {"key": viewer_name(viewer), "seat": max(viewer, -1)} for viewer in told.layers.viewers
            ],
            "last": timeline.last,
            "starts": {
                unit: steps_between(timeline.recording.starts[unit]) for unit in (COMMAND, PHASE, TURN)
            },
            "at": steps_between(told.at),
            "actors": [*told.actors],
            "actor": told.actor,
            "cards": self._cards.known,
            "texts": [*told.texts],
            "layers": told.layers.stored(),
            "notes": notes_for(timeline, tell),
        }

    def lapses(self) -> list[int]:
        """The versions at which something only lapsed, as the steps between them; of what was drawn so far.

        They are for whoever follows a game that goes on, and so stand in no exported page.
        """
        return steps_between(self._told.lapses) if self._told else []


def build_content(timeline: Timeline, language: str) -> dict[str, Any]:
    """Everything that the page of this viewer holds, ready to be JSON, of a timeline that was read before."""
    drawing = Drawing(language)
    draw(timeline, drawing)
    return drawing.content()


def draw(timeline: Timeline, drawing: Drawing) -> None:
    """Draw all of a timeline that was read before."""
    go_on = drawing.begin(timeline)
    for version in range(1, timeline.last + 1):
        go_on(timeline.recording.at(version))


def title_of(timeline: Timeline, tell: Commentary) -> str:
    """Who has played; of a record of which nothing holds the game's id."""
    if not timeline.last:
        return make_printable(timeline.header.game, NAME_LENGTH)
    state = timeline.at(timeline.last).state
    return tell.players(state, range(len(state.seats)))


def _summary(timeline: Timeline) -> str:
    """What was played: the rule system, the deck and the game's id."""
    names = [timeline.header.catalogue.name, timeline.header.game]
    if timeline.last:
        names.insert(0, timeline.at(timeline.last).state.system)
    return " · ".join(make_printable(name, NAME_LENGTH) for name in dict.fromkeys(names))


def _broken(timeline: Timeline, tell: Commentary) -> str:
    """Where and why the record does not verify; empty if it does."""
    broken = timeline.broken
    if broken is None:
        return ""
    return tell.messages.say("report", "broken", version=broken.version, reason=make_printable(broken.reason))


def _facts(timeline: Timeline, tell: Commentary) -> list[tuple[str, str]]:
    """What the game is, and whether its record holds: a label and a text each."""

    def word(key: str, **values: object) -> str:
        return tell.messages.say("report", key, **values)

    header = timeline.header
    facts: list[tuple[str, str]] = []
    if timeline.last:
        state = timeline.at(timeline.last).state
        system = make_printable(state.system, NAME_LENGTH)
        facts.append(
            (word("system"), word("system_and_version", system=system, version=state.system_version))
        )
        options = [
            f"{make_printable(name, NAME_LENGTH)}: {make_printable(str(value))}"
            for name, value in state.options.items()
        ]
        facts += [(word("options"), ", ".join(options))] if options else []
    kinds = ", ".join(tell.messages.say("provenance", kind) for kind in header.catalogue.kinds_of_provenance)
    name = f"{make_printable(header.catalogue.name, NAME_LENGTH)} ({header.catalogue.hash()[:16]})"
    facts.append((word("catalogue"), tell.table("catalogue", name=name, provenance=kinds)))
    at = [timeline.at(version).form.entry["at"] for version in (1, timeline.last) if timeline.last]
    if at and is_dated(at[0]):
        began, ended = (moment(each)[:19] for each in at)
        facts.append((word("played"), word("period", first=f"{began} UTC", last=f"{ended} UTC")))
    facts += [(word("seen"), viewer_name(timeline.viewer)), (word("entries"), str(timeline.last))]
    if timeline.last:
        facts.append((word("chain_head"), timeline.at(timeline.last).form.hash))
    holds = "holds" if timeline.viewer == ALL else "holds_as_shown"
    return [*facts, (word("verified"), _broken(timeline, tell) or word(holds))]


def labels(messages: Messages) -> dict[str, str]:
    """Every word of the page by its name, with its places for numbers and names in braces, which the script fills."""
    texts = messages.texts
    found = {key: texts["page", key][0] for key in PAGE}
    found |= {key: texts["label", key][0].strip() for key in _LABELS}
    found |= {key: texts["report", key][0] for key in _REPORT}
    return found | {"empty": texts["table", "empty"][0]}
