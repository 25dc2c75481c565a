"""A page for one viewer holds nothing in its bytes that this viewer could not know, annotations included."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from events.log.disclosure import ALL, PUBLIC, viewer_name
from replay.annotations.book import AnnotationBook
from replay.annotations.entries import Author
from replay.records.hidden import redact
from replay.timeline.timeline import Timeline, read_timeline
from tests.laws.secrecy import may_know
from tests.replay.annotations.writing import Writer
from tests.replay.exports.pages import Reading, annotated_by, data_in, page_of, writer_about
from tests.replay.test_redaction_law import NAME, hidden_salts, unlike_game
from tests.replay.whole_games import GAMES, ONE_OF_EACH, some_viewers, timeline_of

CLASSIC = ONE_OF_EACH[0]
TOKEN = "fbb1.AAAABBBBCCCC"


@pytest.mark.deep
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_the_page_of_a_seat_is_what_its_own_record_gives(path: Path) -> None:
    """For every seat and the public: the same bytes as from a record that never held more, and no salt beyond."""
    whole = timeline_of(path)
    forms = [whole.at(version).form for version in range(1, whole.last + 1)]

    for viewer in some_viewers(path, whole):
        header = replace(whole.header, scope=viewer_name(viewer), attached=())
        own = read_timeline(header, [redact(form, viewer) for form in forms], viewer)
        page = page_of(whole.seen_by(viewer))
        assert page == page_of(own)
        assert not [salt for salt in hidden_salts(forms, viewer) if salt in page]
        assert [each["key"] for each in data_in(page)["perspectives"]] == [viewer_name(viewer)]
        assert [*data_in(page)["layers"]] == ["open"]


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1, 2, 3], ids=viewer_name)
def test_a_page_names_no_hidden_card(viewer: int) -> None:
    """With a deck of unlike cards: in all of the page only cards are named that the rules have shown the viewer."""
    whole, tables = unlike_game()
    known = set[str]().union(*(may_know(table, viewer) for table in tables))

    named = {*NAME.findall(page_of(whole.seen_by(viewer)))}

    assert len(named) > 20
    assert named <= known


def test_the_search_would_find_a_leak() -> None:
    """The page of the whole game names cards that the public never sees, and its public perspective names none."""
    whole, tables = unlike_game()
    known = set[str]().union(*(may_know(table, PUBLIC) for table in tables))
    data = data_in(page_of(whole))
    assert len({*NAME.findall(str(data))} - known) > 10

    reading, told = Reading(data, "public"), ""
    for version in range(1, whole.last + 1):
        cards = str(reading.table(version))
        told += f"{reading.sentence(version)} {cards}"
    assert {*NAME.findall(told)} <= known


def annotated(viewer: int, *writers: Writer) -> Timeline:
    """A recorded game of which these have written, as a viewer may see it."""
    return annotated_by(CLASSIC, *writers).seen_by(viewer)


def test_a_page_for_one_viewer_holds_what_was_published_and_no_draft() -> None:
    """What was written after the last publication is its author's alone; in a page of everything all stands."""
    ann, ben = writer_about(CLASSIC, "a"), writer_about(CLASSIC, "b")
    ann.add("note", 30, comment="said aloud")
    ann.add("publication", 40)
    ann.add("note", 50, comment="not yet said")
    ann.add("edit", 30, of=1, comment="thought better of")
    ben.add("note", 60, comment="a draft")

    for viewer in (PUBLIC, 0):
        page = page_of(annotated(viewer, ann, ben))
        assert "said aloud" in page
        for text in ("not yet said", "thought better of", "a draft"):
            assert text not in page
    everything = page_of(annotated(ALL, ann, ben))
    assert "said aloud" not in everything
    for text in ("not yet said", "thought better of", "a draft"):
        assert text in everything


def test_a_seats_own_draft_is_in_its_own_page() -> None:
    """And in no other seat's."""
    own = writer_about(CLASSIC, "a", author=Author("seat", "Ann", seat=1))
    own.add("note", 30, comment="to myself")

    assert "to myself" in page_of(annotated(1, own))
    assert "to myself" not in page_of(annotated(2, own))


def test_a_published_note_tells_no_more_than_its_text() -> None:
    """A marked card of another's hand is only the hand, and branches are left out: their commands are about hands."""
    ann = writer_about(CLASSIC)
    ann.add(
        "note", 60, comment="look", marks=[{"on": "hand:1:77"}, {"on": "hand:2:88"}], variations=[TOKEN],
        arrows=[{"start": "hand:1:77", "end": "field:1:0"}],
    )  # fmt: skip
    ann.add("publication", 60)

    (note,) = data_in(page_of(annotated(2, ann)))["notes"]
    assert note["places"] == [
        ["hand:1", "green"],
        ["hand:2:88", "green"],
        ["hand:1", "green"],
        ["field:1:0", "green"],
    ]
    assert TOKEN not in page_of(annotated(2, ann))
    assert "77" not in "".join(note["marks"])
    (note,) = data_in(page_of(annotated(ALL, ann)))["notes"]
    assert note["places"][0] == ["hand:1:77", "green"]
    assert note["branches"] == [TOKEN]


def test_while_a_game_runs_no_viewers_page_is_annotated() -> None:
    """As at a service: until the end nobody but arbiters sees any of it."""
    whole = timeline_of(CLASSIC)
    ann = writer_about(CLASSIC)
    ann.add("note", 30, comment="said early")
    ann.add("publication", 40)
    forms = [whole.at(version).form for version in range(1, whole.last - 5)]
    running = read_timeline(whole.header, forms, ALL)
    running.recording.annotations = AnnotationBook.of(whole.header.game, ann.written.entries)

    assert "said early" not in page_of(running.seen_by(PUBLIC))
    assert "said early" in page_of(running)


def test_replies_stand_below_what_they_are_about() -> None:
    """Also where somebody wrote between them, and a note that was withdrawn is gone."""
    ann, ben = writer_about(CLASSIC, "a"), writer_about(CLASSIC, "b")
    first = ann.add("note", 30, comment="first")
    ann.add("note", 30, comment="second")
    gone = ann.add("note", 30, comment="gone")
    ann.add("withdrawal", 30, of=gone.number)
    ben.add("reply", 30, comment="to the first", to={"set": first.set, "number": 1, "hash": first.hash})

    notes = data_in(page_of(annotated(ALL, ann, ben)))["notes"]

    assert [note["comment"][0][1] for note in notes] == ["first", "to the first", "second"]
    assert [note.get("depth", 0) for note in notes] == [0, 1, 0]
