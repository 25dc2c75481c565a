"""What `--as` leaves out is gone from the bytes: for every seat of recorded games of all systems, of every command.

Three searches, because cards of a kind look alike. What is printed from a whole record for a seat is, to the letter,
what is printed from that seat's own record, which does not hold anything else. No salt of a value that is hidden from
the seat is printed, and each of these is a text of its own. And in games whose decks have no card twice, the mere
name of a card is a leak, as in tests/service/http/context/test_hidden_cards.py.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

import pytest
from msgspec.structs import replace

from events.game.record import header_for
from events.log.disclosure import ALL, PUBLIC, Form, form_for, viewer_name
from events.rules.table.state import GameState
from replay.commands.diff import print_versions
from replay.commands.find import print_life_line, print_matches
from replay.commands.log import print_log
from replay.commands.show import print_table
from replay.commentary import Commentary
from replay.records.hidden import redact
from replay.terminal.screen import print_styled
from replay.terminal.table_text import table_lines
from replay.timeline.search.entry_filter import EntryFilter
from replay.timeline.timeline import Timeline, read_timeline
from tests.laws.secrecy import may_know
from tests.replay.whole_games import GAMES, some_viewers, timeline_of
from tests.support.strategies import Dice, next_command, opening
from tests.support.tables import all_different

SOUGHT = (
    EntryFilter(after=0),
    EntryFilter(type="hand_dealt"),
    EntryFilter(type="cards_drawn"),
    EntryFilter(text="a"),
)


def outputs(timeline: Timeline, apart: int) -> Iterator[Callable[[], None]]:
    """Everything that the commands print of a timeline, the tables at versions so far apart."""
    first = timeline.header.catalogue.beans[0]
    tell = Commentary(timeline.header.catalogue)
    filters = (*SOUGHT, EntryFilter(card=first.card))
    for as_json in (False, True):
        yield partial(print_log, timeline, 1, None, "en", as_json=as_json)
        for wanted in filters[as_json::2]:
            yield partial(print_matches, timeline, wanted, tell, as_json=as_json)
        yield partial(print_life_line, timeline, "33" if as_json else "8", tell, as_json=as_json)
        for version in range(1, timeline.last + 1, apart):
            yield partial(print_table, timeline, timeline.at(version), "en", knows=True, as_json=as_json)
            yield partial(print_versions, timeline, version, timeline.last, tell, as_json=as_json)


def printed(timeline: Timeline, apart: int, capsys: pytest.CaptureFixture[str]) -> str:
    """All of it."""
    capsys.readouterr()
    for print_it in outputs(timeline, apart):
        print_it()
    return capsys.readouterr().out


@pytest.mark.deep
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_seat_is_shown_what_its_own_record_holds(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """For every seat and the public: the same bytes from the whole record as from one without anything hidden.

    `make test` takes the public and the last seat of a game of each system; `make soak` takes every seat of two
    games of each system, and one viewer of every other recorded game.
    """
    whole = timeline_of(path)
    forms = [whole.at(version).form for version in range(1, whole.last + 1)]

    for viewer in some_viewers(path, whole):
        header = replace(whole.header, scope=viewer_name(viewer), attached=())
        own = read_timeline(header, [redact(form, viewer) for form in forms], viewer)
        assert own.broken is None
        shown = printed(whole.seen_by(viewer), 131, capsys)
        assert shown == printed(own, 131, capsys)
        assert not [salt for salt in hidden_salts(forms, viewer) if salt in shown]


def hidden_salts(forms: list[Form], viewer: int) -> set[str]:
    """The salts of everything that this viewer does not see."""
    return {
        salt for form in forms for path, salt in form.salts.items() if path not in redact(form, viewer).salts
    }


NAME = re.compile(r"card_\d{3}_")


@cache
def unlike_game() -> tuple[Timeline, tuple[GameState, ...]]:
    """A game with a deck of unlike cards, half played: its timeline, and the whole table at each version."""
    deck = all_different()
    beans = (replace(bean, beanometer={"1": 1}, names={"en": bean.card}) for bean in deck.beans)
    deck = replace(deck, beans=tuple(beans))
    begun = opening("redaction", 4, {}, deck)
    table, log, dice = begun.table, list(begun.log), Dice("redaction")
    for _ in range(260):
        table, new = table.submit(*next_command(table.rules, table.state, dice), log[-1].at + 1_000)
        log += new
    forms = [form_for(entry, table.key, ALL) for entry in log]
    timeline = read_timeline(header_for(table, ALL), forms, ALL)
    assert timeline.broken is None
    entries = map(timeline.recording.at, range(1, timeline.last + 1))
    return timeline, tuple(entry.moment.whole for entry in entries)


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1, 2, 3], ids=viewer_name)
def test_no_output_names_a_hidden_card(viewer: int, capsys: pytest.CaptureFixture[str]) -> None:
    """With a deck of unlike cards: up to any version only cards are named that the rules have shown the viewer."""
    whole, tables = unlike_game()
    seen, tell = whole.seen_by(viewer), Commentary(whole.header.catalogue)
    known: set[str] = set()
    for version, table in enumerate(tables, start=1):
        known |= may_know(table, viewer)
        # A counter-offer's command stands with the refusal that comes first, and names what is asked for.
        known |= {*whole.at(version).form.entry.get("command", {}).get("want", {})}
        print_log(seen, version, version, "en", as_json=version % 2 == 0)
        if version % 9 == 0:
            print_versions(seen, max(1, version - 40), version, tell, as_json=version % 2 == 0)
            print_styled(table_lines(seen, seen.at(version)))
        named = {*NAME.findall(capsys.readouterr().out)}
        assert named <= known, f"version {version} tells of {named - known}"
    print_matches(seen, EntryFilter(after=0), tell, as_json=True)
    for card in range(1, 40):
        print_life_line(seen, str(card), tell, as_json=True)
    assert {*NAME.findall(capsys.readouterr().out)} <= known
    assert len(known) < len(whole.header.catalogue.beans)


def test_the_search_would_find_a_leak(capsys: pytest.CaptureFixture[str]) -> None:
    """What is printed of the whole game is full of cards that seat 1 does not know."""
    whole, tables = unlike_game()
    early = tables[:60]
    known = set[str]().union(*(may_know(table, 1) for table in early))
    print_log(whole, 1, len(early), "en", as_json=True)

    assert len({*NAME.findall(capsys.readouterr().out)} - known) > 40


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1, 2, 3], ids=viewer_name)
def test_a_search_for_a_hidden_card_finds_nothing(viewer: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Asking for every single card finds only entries that show it to the viewer."""
    whole, tables = unlike_game()
    seen, tell = whole.seen_by(viewer), Commentary(whole.header.catalogue)
    known = set[str]().union(*(may_know(table, viewer) for table in tables))
    for bean in whole.header.catalogue.beans:
        if bean.card not in known:
            print_matches(seen, EntryFilter(card=bean.card), tell, as_json=False)
    assert capsys.readouterr().out == ""
