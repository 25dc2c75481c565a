"""Before the first turn: the deck, hands, fans and fields. Sections are those of the Lady Bohn booklet."""

from collections import Counter
from dataclasses import fields

import pytest

from events import domain_events as e
from events.log.codec import decode_event
from events.log.disclosure import PUBLIC
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.rule_system import Setup
from events.rules.systems.registry import system_named
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn_expansion.tables import (
    SYSTEM,
    new_ladybohn_expansion,
    rules_of_ladybohn_expansion,
)
from tests.support.tables import classic_rules

with_all_players = pytest.mark.parametrize("players", [3, 4, 5])


@with_all_players
def test_the_new_cards_are_shuffled_with_all_of_the_basic_game(players: int) -> None:
    """Preparing the game: 32 and 104 beans are one pile, whatever the number of players."""
    _, log = new_ladybohn_expansion(players)
    pile = next(event for entry in log if isinstance(event := decode_event(entry), e.PileShuffled)).order
    basic = {f"{bean.card}_male": bean.copies for bean in shipped_catalogue("bohnanza-104").beans}
    assert {card: count for card, count in Counter(pile).items() if card.endswith("_male")} == basic
    assert sum(card.endswith("_female") for card in pile) == 32
    assert len(pile) == 136


@pytest.mark.parametrize(("players", "left"), [(3, 111), (4, 106), (5, 101)])
def test_after_the_deal_two_fans_are_laid_out(players: int, left: int) -> None:
    """Preparing the game: hands of five, then six cards and four; the rest is the draw pile."""
    begun, log = new_ladybohn_expansion(players)
    events = [decode_event(entry) for entry in log]
    pile = next(event for event in events if isinstance(event, e.PileShuffled)).order
    *hands, six, four = (event for event in events if isinstance(event, e.HandDealt | e.FanLaidOut))
    assert [type(event) for event in (*hands, six, four)] == [e.HandDealt] * players + [e.FanLaidOut] * 2
    assert [len(event.cards) for event in (*hands, six, four)] == [5] * players + [6, 4]
    assert tuple(card for event in (*hands, six, four) for card in event.cards) == pile[: 5 * players + 10]
    assert [tuple(card for _, card in seat.hand) for seat in begun.state.seats] == [
        each.cards for each in hands
    ]
    assert begun.state.draw_pile == pile[-left:]
    assert begun.state.ladybohn_expansion is not None
    assert begun.state.ladybohn_expansion.fans == (six.cards, four.cards)


@with_all_players
def test_fans_lie_face_up_and_the_draw_pile_face_down(players: int) -> None:
    """Preparing the game: everybody sees every card of the fans, and of the pile only how many there are."""
    state = new_ladybohn_expansion(players)[0].state
    assert state.ladybohn_expansion is not None
    for viewer in (PUBLIC, *range(players)):
        view = player_view(state, viewer)
        assert view["fans"] == [list(fan) for fan in state.ladybohn_expansion.fans]
        assert view["draw_pile"] == {"size": len(state.draw_pile), "exhaustions": 0}


@with_all_players
def test_nobody_begins_with_a_third_field(players: int) -> None:
    """Preparing the game: the quota field lies with the third fields, and nobody has one."""
    state = new_ladybohn_expansion(players)[0].state
    assert state.ladybohn_expansion is not None
    assert state.ladybohn_expansion.quota is None
    assert all(seat.fields == ((), ()) and not seat.third_field for seat in state.seats)


@with_all_players
def test_everything_else_is_played_as_in_the_basic_game(players: int) -> None:
    """Preparing the game: the regular rules hold, wherever the expansion says nothing else."""
    ours, basic = rules_of_ladybohn_expansion(players), classic_rules(players)
    assert {name: ours.phases[name] for name in basic.phases} == basic.phases
    assert [phase.name for phase in ours.system.phases if phase.name in basic.phases] == [*basic.phases]
    for name in ("players", "options", "break_tie", "fields_for", "score", "unit"):
        assert getattr(ours.system, name) == getattr(basic.system, name), name
    different = {
        each.name
        for each in fields(Setup)
        if getattr(ours.setup, each.name) != getattr(basic.setup, each.name)
    }
    assert different == {"fans", "draw", "all_draw", "want_cards", "promises_bind"}
    assert {*ours.system.any_time} - {*basic.system.any_time} == {*system_named(SYSTEM).any_time} - {
        *system_named("classic").any_time
    }
