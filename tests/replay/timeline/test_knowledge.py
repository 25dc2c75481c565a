"""What a seat could know: whatever it says to be certain is true, at every version of the recorded games."""

from collections import Counter
from pathlib import Path

import pytest

from events.domain_events import UNKNOWN_CARD, Card, TradeMade
from events.game.record import read_record
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.catalogues.catalogue import Catalogue
from events.rules.table.state import GameState
from replay.timeline.knowledge import Bounds, Knowledge, knowledge
from replay.timeline.known_hands import OpenKnowledge
from replay.timeline.timeline import Timeline, read_timeline
from tests.replay.whole_games import FOLDER, GAMES, is_read_closely, timeline_of
from tests.support.recorded_games import recorded_game


def unseen_coins(state: GameState, seat: int) -> list[Card]:
    """The coins of a seat that nobody has seen, from the whole table."""
    if state.duel is not None:
        return [state.seats[seat].coins[place] for place in state.duel.seats[seat].unseen]
    table = state.ladybohn.unseen if state.ladybohn is not None else ()
    return [state.seats[owner].coins[place] for owner, place in table if owner == seat]


def hidden_cards(whole: GameState, told: Knowledge) -> Counter[Card]:
    """The cards that really are where the viewer does not know them."""
    cards = Counter(whole.draw_pile)
    for seat in range(len(whole.seats)):
        cards.update(unseen_coins(whole, seat))
    for hand in told.other_hands:
        held = Counter(card for _, card in whole.seats[hand.seat].hand)
        assert Counter(hand.certain) <= held, f"seat {hand.seat} does not hold all that is certain"
        cards += held - Counter(hand.certain)
    return cards


def check(catalogue: Catalogue, whole: GameState, seen: GameState, known: OpenKnowledge, viewer: int) -> None:
    """Hold what a viewer could know against the whole table."""
    told = knowledge(catalogue, seen, known, viewer)
    variety = {bean.card: bean.variety for bean in catalogue.beans}

    assert told.hand == (whole.seats[viewer].hand if viewer != PUBLIC else ())
    if whole.shuffles:
        assert Counter({each.card: each.unseen for each in told.cards}) == hidden_cards(whole, told)
    assert told.hidden == sum(each.unseen for each in told.cards)
    assert told.discard_pile == Counter(whole.discard_pile)
    assert told.unseen_coins == tuple(len(unseen_coins(whole, seat)) for seat in range(len(whole.seats)))
    within(told.draw_pile.cards, Counter(whole.draw_pile))
    for hand in told.other_hands:
        held = [card for _, card in whole.seats[hand.seat].hand]
        assert hand.size == len(held)
        assert all(place in (UNKNOWN_CARD, card) for place, card in zip(hand.places, held, strict=True)), (
            f"a place of seat {hand.seat}"
        )
        within(hand.cards, Counter(held))
        assert Counter(hand.varieties) <= Counter(variety[card] for card in held)
    if whole.duel is not None and whole.duel.shuffles:
        others = (seat.bonus for number, seat in enumerate(whole.duel.seats) if number != viewer)
        assert Counter(told.bonus_unseen) == Counter(
            [*whole.duel.pile, *(c for held in others for c in held)]
        )


def within(bounds: tuple[Bounds, ...], cards: Counter[Card]) -> None:
    """What lies there is within the bounds, and nothing lies there that they do not name."""
    assert {*cards} <= {each.card for each in bounds}
    assert all(each.at_least <= cards[each.card] <= each.at_most for each in bounds)


@pytest.mark.deep
@pytest.mark.parametrize("path", GAMES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_is_certain_is_true(path: Path) -> None:
    """For the public and every seat, at every version: hands, places, piles and counts; the unseen cards add up.

    `make test` takes every seventh version of a game of each system; `make soak` does so in all recorded games, and
    takes every version of two games of each system.
    """
    whole = timeline_of(path)
    catalogue = whole.header.catalogue
    viewers = (PUBLIC, *range(len(whole.at(1).state.seats)))

    for version in range(1, whole.last + 1, 1 if is_read_closely(path) else 7):
        moment = whole.recording.at(version).moment
        for viewer in viewers:
            seen = whole.recording.table(moment, viewer)
            check(catalogue, moment.whole, seen, moment.known, viewer)


@pytest.mark.parametrize("viewer", [PUBLIC, 1], ids=viewer_name)
def test_a_narrower_record_says_the_same(viewer: int) -> None:
    """What a viewer could know follows from their own record."""
    game = recorded_game(5, 4, (), 12)
    narrow = read_timeline(*read_record(game.record(viewer)), viewer)
    wide = read_timeline(*read_record(game.record()), ALL).seen_by(viewer)

    for version in range(1, narrow.last + 1, 7):
        assert told_at(narrow, version) == told_at(wide, version)


def told_at(timeline: Timeline, version: int) -> Knowledge:
    """What the timeline's viewer could know."""
    known = timeline.recording.at(version).moment.known
    return knowledge(timeline.header.catalogue, timeline.at(version).state, known, timeline.viewer)


def told_of(name: str) -> list[Knowledge]:
    """What seat 0 could know in a recorded game, at every third version."""
    timeline = timeline_of(FOLDER / name).seen_by(0)
    return [told_at(timeline, version) for version in range(1, timeline.last + 1, 3)]


def test_hands_from_the_open_table_are_known() -> None:
    """Hands swapped for a fan are known card by card; after a trade out of them it is known what, not where."""
    hands = [
        hand for told in told_of("ladybohn-expansion/three-players.ndjson.gz") for hand in told.other_hands
    ]

    assert any(hand.places and UNKNOWN_CARD not in hand.places for hand in hands)
    assert any(hand.certain and {*hand.places} == {UNKNOWN_CARD} for hand in hands)


def test_counting_tells_what_was_never_shown() -> None:
    """Towards the end there are fewer hidden places than unseen cards of a kind: some must be in the hand."""
    hands = [hand for told in told_of("bean-duel/two-players.ndjson.gz") for hand in told.other_hands]

    assert any(each.at_least > hand.certain.get(each.card, 0) for hand in hands for each in hand.cards)


def test_in_ladybohn_offers_show_families() -> None:
    """Where an offer hides the sex of a card, its family is certain and the card is not."""
    hands = [hand for told in told_of("ladybohn/three-players.ndjson.gz") for hand in told.other_hands]

    assert any(hand.varieties and not hand.certain for hand in hands)


def test_what_has_passed_is_kept() -> None:
    """Trades are counted by giver, taker and card."""
    whole = timeline_of(FOLDER / "classic" / "three-players.ndjson")
    given: Counter[tuple[int, int, Card]] = Counter()
    for event in (step.event for step in whole.steps):
        if isinstance(event, TradeMade):
            given.update((event.active, event.partner, card) for card in event.active_cards)
            given.update((event.partner, event.active, card) for card in event.partner_cards)
    passed = told_at(whole.seen_by(0), whole.last).passed

    assert given
    assert given == Counter({(each.giver, each.taker, each.card): each.count for each in passed})
