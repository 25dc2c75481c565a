"""Annotations in a page: what each note says, at its version, for those who may read it.

In a page for one viewer stands only what was published, and only once the game is over: the rule of
`replay.annotations.permissions`. A seat's own draft is its own. Two things in a published note could still tell more
than its text does, and are left out there: which card of another's hand is marked, and branches, whose commands are
about hands that the viewer does not see.
"""

from collections.abc import Iterator
from typing import Any, Final

from events.log.disclosure import ALL
from events.rules.table.state import GameState
from replay.annotations.book import AnnotationBook
from replay.annotations.content import LONGEST_TAG, LONGEST_VARIATION, Note
from replay.annotations.entries import Author
from replay.annotations.glyphs import MOVES, OBSERVATIONS, POSITIONS, Glyph
from replay.annotations.marks import COLOURS, is_place, seat_of
from replay.annotations.sets import AnnotationSet, Standing
from replay.commentary import Commentary
from replay.commentary.texts import NAME_LENGTH, make_printable
from replay.exports.page.comments import comment_tree
from replay.timeline.timeline import Timeline

_OVER: Final = frozenset({"ended", "finished"})
_DEEPEST: Final = 3
"""How far replies to replies are moved to the right."""


def notes_for(timeline: Timeline, tell: Commentary) -> list[dict[str, Any]]:
    """All notes and replies of a page by version, each reply below what it is about."""
    if not timeline.last:
        return []
    book = readable(timeline)
    standing = [
        note
        for note in book.standing
        if note.withdrawn is None and note.first.moment.version <= timeline.last
    ]
    about = {_key(note): book.answered(note.first) for note in standing}
    below: dict[tuple[str, int] | None, list[Standing]] = {}
    known = {_key(note) for note in standing}
    for note in standing:
        answered = about[_key(note)]
        parent = _key(answered) if answered is not None and _key(answered) in known else None
        below.setdefault(parent, []).append(note)
    threads = sorted(_thread_notes(below, None, 0), key=lambda found: found[0].first.moment.version)
    return [
        render_note(tell, timeline.at(note.first.moment.version).state, timeline.viewer, note, depth)
        for note, depth in threads
    ]


def readable(timeline: Timeline) -> AnnotationBook:
    """The sets that may stand in this viewer's page, as far as they may."""
    book = timeline.recording.annotations
    if timeline.viewer == ALL:
        return book
    if timeline.at(timeline.last).state.status not in _OVER:
        return AnnotationBook(book.game)
    parts = (each if _is_own(each, timeline.viewer) else each.up_to(each.published) for each in book.sets)
    return AnnotationBook.of(book.game, (entry for part in parts for entry in part.entries))


def _is_own(each: AnnotationSet, viewer: int) -> bool:
    return each.author.kind == "seat" and each.author.seat == viewer


def _thread_notes(
    below: dict[tuple[str, int] | None, list[Standing]], parent: tuple[str, int] | None, depth: int
) -> Iterator[tuple[Standing, int]]:
    """Notes in reading order with how deep they stand; by a stack, since replies may go on without end."""
    waiting = [(note, depth) for note in reversed(below.get(parent, ()))]
    while waiting:
        note, depth = waiting.pop()
        yield note, depth
        waiting += [(reply, min(depth + 1, _DEEPEST)) for reply in reversed(below.get(_key(note), ()))]


def _key(note: Standing) -> tuple[str, int]:
    return note.first.set, note.first.number


def render_note(
    tell: Commentary, state: GameState, viewer: int, note: Standing, depth: int = 0
) -> dict[str, Any]:
    """A note as a page shows it to this viewer: members that say nothing are left out.

    Of the table in `state` it takes the players and their names.
    """
    content, version = note.content, note.first.moment.version
    places = [(mark.on, mark.colour) for mark in content.marks]
    places += [(end, arrow.colour) for arrow in content.arrows for end in (arrow.start, arrow.end)]

    def named(place: str) -> str:
        return place_text(tell, state, _within(place, viewer))

    said: dict[str, Any] = {
        "author": author_text(tell, state, note.first.author),
        "at": note.first.at,
        "reply": note.first.kind == "reply",
        "edited": note.newest is not note.first,
        "depth": depth,
        "glyphs": [*_glyphs(tell, state, content)],
        "comment": comment_tree(content.comment),
        "places": [(_within(place, viewer), _colour(colour)) for place, colour in places if is_place(place)],
        "marks": [named(mark.on) for mark in content.marks]
        + [f"{named(arrow.start)} → {named(arrow.end)}" for arrow in content.arrows],
        "arrows": [
            (_within(arrow.start, viewer), _within(arrow.end, viewer), _colour(arrow.colour))
            for arrow in content.arrows
            if is_place(arrow.start) and is_place(arrow.end)
        ],
        "tags": [make_printable(tag, LONGEST_TAG) for tag in content.tags],
        "branches": [make_printable(token, LONGEST_VARIATION) for token in content.variations]
        if viewer == ALL
        else [],
    }
    return {"version": version} | {name: value for name, value in said.items() if value not in (False, [])}


def _colour(colour: str) -> str:
    return colour if colour in COLOURS else COLOURS[0]


def author_text(tell: Commentary, state: GameState, author: Author) -> str:
    """What an author is called, with the seat where it is one's."""
    name = make_printable(author.name, NAME_LENGTH) or make_printable(author.kind, LONGEST_TAG)
    if author.kind != "seat" or author.seat is None or not 0 <= author.seat < len(state.seats):
        return name
    return tell.messages.say("player", "same_name", name=name, seat=author.seat)


def _within(place: str, viewer: int) -> str:
    """The place as far as this viewer may know it: of another's hand only whose it is."""
    if viewer == ALL or not place.startswith("hand:") or seat_of(place) == viewer:
        return place
    return place.rpartition(":")[0]


def place_text(tell: Commentary, state: GameState, place: str) -> str:
    """A marked place in words; one that is not known here as it was written."""
    kind, *numbers = place.split(":")
    seat = seat_of(f"{place}:0")
    if not (is_place(place) or is_place(f"{place}:0")) or (seat is not None and seat >= len(state.seats)):
        return make_printable(place, LONGEST_TAG)
    if kind in {"fan", "pile", "revealed"}:
        label = {"pile": f"{numbers[0]}_pile"}.get(kind, kind)
        text = tell.label(label, number=numbers[0]).strip()
        return f"{text} {numbers[0]}" if kind == "revealed" else text
    whose = tell.player(state, int(numbers[0]))
    if kind == "seat":
        return whose
    text = tell.label(kind, number=numbers[-1]).strip()
    return f"{whose}, {text}" if kind == "field" or len(numbers) == 1 else f"{whose}, {text} {numbers[1]}"


def _glyphs(tell: Commentary, state: GameState, content: Note) -> Iterator[tuple[str, str]]:
    """Each glyph: its sign, and what it says; a code of a later release by itself."""
    if content.move:
        yield _glyph(tell, content.move, MOVES.get(content.move))
    if content.position is not None:
        sign, meaning = _glyph(tell, content.position.glyph, POSITIONS.get(content.position.glyph))
        seats = [seat for seat in content.position.seats if 0 <= seat < len(state.seats)]
        yield sign, f"{tell.players(state, seats)} {meaning}" if seats else meaning
    for code in content.observations:
        yield _glyph(tell, code, OBSERVATIONS.get(code))


def _glyph(tell: Commentary, code: str, glyph: Glyph | None) -> tuple[str, str]:
    if glyph is None:
        return "", make_printable(code, LONGEST_TAG)
    return glyph.sign, tell.messages.say("glyph", code)
