"""`find`: the predicate language, its errors, and the life-line of one card."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from events import domain_events as e
from events.log.disclosure import ALL, PUBLIC
from events.rules.table.state import INITIAL_STATE, GameState
from replay.command_line import replay
from replay.timeline.search.card_places import CardPlaces
from replay.timeline.search.fields import SearchedEntry, fields_for
from replay.timeline.search.life_line import LOST, NoSuchCard, life_line
from replay.timeline.search.predicate import LONGEST, NotUnderstood, parse
from replay.timeline.timeline import Step, Timeline
from tests.replay.commands.commands import WHOLE
from tests.replay.whole_games import FOLDER, GAMES, ONE_OF_EACH, timeline_of

GAME = timeline_of(WHOLE)
FIELDS = fields_for(GAME.header.catalogue)


def found(text: str, timeline: Timeline = GAME) -> list[Step]:
    """The steps for which a predicate holds; the command behind an entry is left out."""
    predicate = parse(text, FIELDS)
    return [step for step in timeline.steps if predicate(SearchedEntry(step, ""))]


# --- what a predicate says -----------------------------------------------------------------------------------


def test_a_comparison_holds_for_any_value_of_the_field() -> None:
    """A trade has two seats and several cards; each of them is found."""
    trades = [step for step in GAME.steps if isinstance(step.event, e.TradeMade)]
    assert trades
    for step in trades:
        event = step.event
        assert isinstance(event, e.TradeMade)
        for seat in (event.active, event.partner):
            for card in event.active_cards + event.partner_cards:
                assert step in found(f"seat={seat} and type=trade_made and card={card}")
        assert step in found(f"seat={event.active} and partner={event.partner}")
        assert step in found(f"seat={event.partner} and partner={event.active}")


def test_unequal_is_what_equal_is_not() -> None:
    """Every entry is in exactly one of the two."""
    equal, unequal = found("card=chili"), found("card!=chili")

    assert len(equal) + len(unequal) == GAME.last
    assert found("not card=chili") == unequal


def test_and_binds_closer_than_or_and_brackets_closest() -> None:
    """`a or b and c` is `a or (b and c)`."""
    either, both = "type=turn_began", "turn>20 and phase=trade"

    assert found(f"{either} or {both}") == found(f"{either} or ({both})")
    assert len(found(f"({either} or turn>20) and phase=trade")) < len(found(f"{either} or {both}"))


def test_numbers_are_in_order() -> None:
    """The four orders cut the versions where they say."""
    for sign, count in (("<", 9), ("<=", 10), (">", GAME.last - 10), (">=", GAME.last - 9), ("=", 1)):
        assert len(found(f"version {sign} 10")) == count


def test_a_text_holds_another_whatever_its_case() -> None:
    """`~` looks into table talk; quotes hold what has spaces."""
    said = [
        step for step in GAME.steps if isinstance(step.event, e.Talked) and "WAX" in step.event.text.upper()
    ]

    assert said
    assert found("text~WAX") == found('text ~ "for wax"') == found("text~'FOR Wax'") == said


def test_every_field_can_be_asked() -> None:
    """Each field finds something in some game, and none fails on any event of any system."""
    left = {*FIELDS}
    for path in ONE_OF_EACH:
        timeline = timeline_of(path)
        fields = fields_for(timeline.header.catalogue)
        for step in timeline.steps:
            for field in fields.values():
                values = [*field.values(SearchedEntry(step, "draw"))]
                left -= {field.name} if values else set()
                assert all(isinstance(value, int if field.numeric else str) for value in values)
                if field.allowed:
                    assert {*values} <= {*field.allowed, ""}, field.name
    assert not left


# --- what cannot be read -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "position", "reason"),
    [
        ("", 0, "expected a field (type, command"),
        ("seat", 4, "expected one of = != < <= > >= ~, not the end"),
        ("seat=", 5, "expected a number after =, not the end"),
        ("seat=two", 5, "seat is a number, not 'two'"),
        ("seat=-1", 5, "seat is a number, not '-1'"),
        ("seat~1", 4, "seat is a number; it can be compared with = != < <= > >="),
        ("card<chili", 4, "card is a text; it can be compared with = != ~"),
        ("colour=red", 0, "there is no field 'colour'; there are type, command, actor"),
        ("card=chilli", 5, "there is no card 'chilli'; there are blue, chili, stink"),
        ("type=trade", 5, "there is no type 'trade'; did you mean trade_made"),
        ("seat=1 seat=2", 7, "expected 'and', 'or' or the end, not 'seat'"),
        ("(seat=1", 7, "expected 'and', 'or' or ')', not the end"),
        ("seat=1 and", 10, "expected a field"),
        ("seat=1 and and", 11, "there is no field 'and'"),
        ("not", 3, "expected a field"),
        ("text~'wax", 5, "this quote is not closed"),
        ("seat=1 ! seat=2", 7, "'!' means nothing here"),
        ("seat==1", 5, "expected a number after =, not '='"),
        ("(" * 500 + "seat=1", 40, "brackets and 'not' go at most 40 deep"),
        ("not " * 400 + "seat=1", 160, "brackets and 'not' go at most 40 deep"),
        ("x" * (LONGEST + 1), LONGEST, "at most"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_what_cannot_be_read_is_refused_with_the_place(text: str, position: int, reason: str) -> None:
    """The message says at which character, what is wrong there, and what could stand there."""
    with pytest.raises(NotUnderstood) as refused:
        parse(text, FIELDS)

    assert refused.value.position == position
    assert reason in str(refused.value)


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
    matching = run(replay, ["find", str(WHOLE), "command=harvest", "--as", "seat:2"])

    assert matching.exit_code == 0
    assert set(matching.output.splitlines()) <= {*log}
    assert "harvested" in matching.output
    nothing = run(replay, ["find", str(WHOLE), "turn>999"])
    assert (nothing.exit_code, nothing.output) == (0, "")


def test_find_says_where_a_card_is_lost() -> None:
    """A sentence for people at the end of what could be followed."""
    seen = timeline_of(WHOLE).seen_by(PUBLIC)
    card = next(card for card in range(1, 60) if life_line(seen, str(card)).ends == LOST)
    told = CliRunner().invoke(replay, ["find", str(WHOLE), "--card", str(card), "--as", "public"])

    assert told.output.splitlines()[-1].startswith(f"Card {card} cannot be followed after version ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "either a predicate, or --card"),
        (["seat=1", "--card", "3"], "either a predicate, or --card"),
        (["seat=9 or"], "at character 10"),
        (["--card", "seat:1/999"], "there is no card"),
    ],
)
def test_wrong_use_of_find_ends_with_status_2(arguments: list[str], message: str) -> None:
    """With what is wrong."""
    result = CliRunner().invoke(replay, ["find", str(WHOLE), *arguments])

    assert result.exit_code == 2
    assert message in result.output
    assert GAME.viewer == ALL
