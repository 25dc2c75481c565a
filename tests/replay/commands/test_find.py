"""`find`: its conditions, its errors, and the history of one card."""

from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from events import domain_events as e
from events.log.disclosure import ALL, PUBLIC
from events.rules.table.state import INITIAL_STATE, GameState
from replay.command_line import replay
from replay.commentary import Commentary
from replay.timeline.search.card_places import CardPlaces
from replay.timeline.search.entry_filter import EntryFilter, find_entries
from replay.timeline.search.life_line import LOST, NoSuchCard, life_line
from replay.timeline.timeline import Step
from tests.replay.commands.commands import WHOLE
from tests.replay.whole_games import FOLDER, GAMES, ONE_OF_EACH, timeline_of

GAME = timeline_of(WHOLE)
TELL = Commentary(GAME.header.catalogue)


def found(**wanted: Any) -> list[Step]:
    """Return the entries that meet these conditions."""
    return [*find_entries(GAME, EntryFilter(**wanted), TELL)]


# --- conditions ----------------------------------------------------------------------------------------------


def test_a_trade_is_found_by_either_seat_and_by_every_card() -> None:
    """A trade has two seats and several cards."""
    trades = [step for step in GAME.steps if isinstance(step.event, e.TradeMade)]
    assert trades
    for step in trades:
        event = step.event
        assert isinstance(event, e.TradeMade)
        for seat in (event.active, event.partner):
            for card in event.active_cards + event.partner_cards:
                assert step in found(seat=seat, type="trade_made", card=card)


def test_every_condition_has_to_hold() -> None:
    """Two conditions find what each of them finds."""
    for one, other in (({"seat": 2}, {"command": "harvest"}), ({"card": "chili"}, {"after": 100})):
        both = found(**one, **other)
        assert both == [step for step in found(**one) if step in found(**other)]
        assert 0 < len(both) < len(found(**one))


def test_after_and_before_exclude_the_versions_that_they_name() -> None:
    """Between 9 and 12 there are two versions."""
    assert [step.version for step in found(after=9, before=12)] == [10, 11]


def test_a_text_is_found_in_the_sentence_whatever_its_case() -> None:
    """Table talk is part of the sentence."""
    said = [step for step in found(type="talked") if "WAX" in TELL.sentence(step.state, step.event).upper()]
    assert said
    assert found(type="talked", text="WAX") == found(type="talked", text="wax") == said


def test_every_event_of_every_system_can_be_searched() -> None:
    """No condition fails on any event, and each variety that is shown finds its cards."""
    for path in ONE_OF_EACH:
        timeline = timeline_of(path)
        bean = timeline.header.catalogue.beans[0]
        tell = Commentary(timeline.header.catalogue)
        cards = [*find_entries(timeline, EntryFilter(card=bean.card, seat=0), tell)]
        varieties = [*find_entries(timeline, EntryFilter(card=bean.variety, seat=0), tell)]
        assert {step.version for step in cards} <= {step.version for step in varieties}
        assert varieties


# --- the life-line of a card ---------------------------------------------------------------------------------


def kinds(state: GameState, places: CardPlaces) -> list[tuple[int | None, str]]:
    """Every followed card with the kind that lies in its place."""
    pairs = [*zip(places.discards, state.discard_pile, strict=True), *zip(places.box, state.box, strict=True)]
    pairs += [(places.revealed[number], card) for number, card in state.revealed]
    for number, fan in enumerate(state.ladybohn_expansion.fans if state.ladybohn_expansion else ()):
        pairs += zip(places.fans[number], fan, strict=True)
    for number, seat in enumerate(state.seats):
        own = places.of(number)
        pairs += zip(own.coins, seat.coins, strict=True)
        pairs += [(own.aside[place], card) for place, card in seat.aside]
        assert [place for place, _ in own.hand] == [place for place, _ in seat.hand]
        pairs += [(life, card) for (_, life), (_, card) in zip(own.hand, seat.hand, strict=True)]
        for place, field in enumerate(seat.fields):
            pairs += zip(own.fields.get(place, []), field, strict=True)
    return pairs


@pytest.mark.deep
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_card_stays_what_it_is(path: Path) -> None:
    """Followed by number through all of a game that counts, each card lies where the table has one of its kind."""
    timeline = timeline_of(path)
    places, before = CardPlaces(), INITIAL_STATE
    kind: dict[int, str] = {}
    for version in timeline.effective_history().select_effective(range(1, timeline.last + 1)):
        step = timeline.at(version)
        places.follow(before, step.event)
        before = step.state
        lying = kinds(before, places)
        assert None not in {life for life, _ in lying}
        assert len({life for life, _ in lying}) == len(lying)
        for life, card in lying:
            assert life is not None
            assert kind.setdefault(life, card) == card, f"version {version}: card {life}"


@pytest.mark.parametrize("viewer", [PUBLIC, 0, 1])
@pytest.mark.parametrize(
    "path",
    [WHOLE, FOLDER / "ladybohn-expansion" / "three-players.ndjson.gz"],
    ids=lambda path: path.parent.name,
)
def test_a_viewer_follows_what_is_shown_and_nothing_else(path: Path, viewer: int) -> None:
    """What a viewer is told of a card is the beginning of what really happened to it."""
    whole = timeline_of(path)
    seen, lost = whole.seen_by(viewer), 0
    for card in range(1, 60, 7):
        told, true = life_line(seen, str(card)), life_line(whole, str(card))
        assert true.ends != LOST
        followed = [version for version in true.versions if version <= told.until]
        named = [version for version in told.versions if version in true.versions]
        assert [*told.versions] == named
        offers = {version for version in followed if isinstance(whole.at(version).event, e.OfferMade)}
        assert {*followed} - {*told.versions} <= offers | {told.until}
        lost += told.ends == LOST
    assert lost


def test_a_card_of_a_hand_is_named_by_its_number_there() -> None:
    """The number that `show` prints beside the cards of a hand."""
    number, card = GAME.at(140).state.seats[1].hand[2]
    line = life_line(GAME, f"seat:1/{number}")

    events = [GAME.at(version).event for version in line.versions]
    assert isinstance(events[0], e.HandDealt | e.CardsDrawn)
    assert any(isinstance(event, e.BeanPlanted | e.TradeMade) for event in events)
    assert all(card in str(event) for event in events if not isinstance(event, e.PileShuffled))


@pytest.mark.parametrize("named", ["0", "9999", "x", "seat:9/1", "seat:1/999", "seat:1", "-3", "3 4"])
def test_a_card_that_is_not_there_is_refused(named: str) -> None:
    """The message says what there is."""
    with pytest.raises(NoSuchCard, match=r"names no card|there is no card"):
        life_line(GAME, named)


# --- the command ---------------------------------------------------------------------------------------------


def test_find_prints_the_lines_of_the_log() -> None:
    """The same lines and objects as `log`, those that match; nothing found is fine."""
    run = CliRunner().invoke
    log = run(replay, ["log", str(WHOLE), "--as", "seat:2"]).output.splitlines()
    matching = run(replay, ["find", str(WHOLE), "--command", "harvest", "--as", "seat:2"])

    assert matching.exit_code == 0
    assert set(matching.output.splitlines()) <= {*log}
    assert "harvested" in matching.output
    nothing = run(replay, ["find", str(WHOLE), "--after", "9999"])
    assert (nothing.exit_code, nothing.output) == (0, "")


def test_find_says_where_a_card_is_lost() -> None:
    """A sentence for people at the end of what could be followed."""
    seen = timeline_of(WHOLE).seen_by(PUBLIC)
    card = next(card for card in range(1, 60) if life_line(seen, str(card)).ends == LOST)
    told = CliRunner().invoke(replay, ["find", str(WHOLE), "--history", str(card), "--as", "public"])

    assert told.output.splitlines()[-1].startswith(f"Card {card} cannot be followed after version ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name what to find"),
        (["--seat", "1", "--history", "3"], "Name what to find"),
        (["--card", "chilli"], "did you mean chili?"),
        (["--type", "trade"], "did you mean trade_made?"),
        (["--command", "zzz"], "there are "),
        (["--seat", "two"], "is not a whole number"),
        (["--history", "seat:1/999"], "there is no card"),
    ],
)
def test_wrong_use_of_find_ends_with_status_2(arguments: list[str], message: str) -> None:
    """With what is wrong."""
    result = CliRunner().invoke(replay, ["find", str(WHOLE), *arguments])

    assert result.exit_code == 2
    assert message in result.output
    assert GAME.viewer == ALL
