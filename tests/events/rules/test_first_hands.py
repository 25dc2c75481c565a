"""What everybody begins with: hands, fields and the draw pile. Sections are those of the 154-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.log.codec import decode_event
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.table.player_view import player_view
from events.rules.table.state import GameState
from tests.support.given import Given
from tests.support.tables import new_game, rules_of

HANDS = {
    ("classic", 3): (5, 5, 5),
    ("classic", 4): (5, 5, 5, 5),
    ("classic", 5): (5, 5, 5, 5, 5),
    ("extended", 3): (5, 5, 5),
    ("extended", 4): (5, 5, 5, 5),
    ("extended", 5): (5, 5, 5, 5, 5),
    ("extended", 6): (3, 4, 5, 6, 6, 6),
    ("extended", 7): (3, 4, 5, 6, 6, 6, 6),
    ("bean-duel", 2): (5, 5),
}
"""For each table the sizes of the hands, from the starting player on."""

every_table = pytest.mark.parametrize(("system", "players"), HANDS)


def begun(system: str, players: int, start: int = 0) -> tuple[GameState, tuple[str, ...]]:
    """A table after the deal, and the pile it was dealt from."""
    table, log = new_game(players, {"start_seat": start}, system=system)
    events = [decode_event(entry) for entry in log]
    return table.state, next(event.order for event in events if isinstance(event, e.PileShuffled))


@every_table
@pytest.mark.parametrize("start", [0, 1])
def test_hands_come_off_the_shuffled_deck_and_the_rest_is_the_draw_pile(
    system: str, players: int, start: int
) -> None:
    """Preparation: so many cards for each, in the order of the pile; house: hand by hand, clockwise."""
    state, pile = begun(system, players, start)
    assert sorted(pile) == sorted(rules_of(system, players).deck)
    for place, size in enumerate(HANDS[system, players]):
        hand = state.seats[(start + place) % players].hand
        assert hand == tuple(enumerate(pile[:size], 1))
        pile = pile[size:]
    assert state.draw_pile == pile
    assert state.discard_pile == ()


@every_table
def test_another_secret_is_another_shuffle(system: str, players: int) -> None:
    """Preparation: the cards are mixed, and not dealt in the order of the box."""
    piles = {
        new_game(players, secret=f"{number:064x}", system=system)[0].state.draw_pile for number in range(3)
    }
    assert len(piles) == 3
    assert rules_of(system, players).deck not in piles


@every_table
@pytest.mark.parametrize("start", [0, 1])
def test_the_starting_player_begins_with_planting(system: str, players: int, start: int) -> None:
    """Preparation: one player begins; house: who sits left of a dealer is said by the option `start_seat`."""
    state, _ = begun(system, players, start)
    assert (state.active, state.turn, state.phase) == (start, 1, "plant")
    table = Given(rules_of(system, players, {"start_seat": start}), state)
    table.when(c.Plant(0), by=1 - start).then_refused(errors.NotYourTurn)
    table.when(c.Plant(0)).then_among_others(e.BeanPlanted(start, 0, state.seats[start].hand[0][1]))


@every_table
def test_everybody_begins_with_empty_fields_and_without_coins(system: str, players: int) -> None:
    """Bean fields: two fields each; number of players: with three players three."""
    fields = 3 if (system, players) == ("extended", 3) else 2
    state, _ = begun(system, players)
    assert [seat.fields for seat in state.seats] == [((),) * fields] * players
    assert not any(seat.coins or seat.third_field for seat in state.seats)


@every_table
def test_hands_and_the_draw_pile_are_face_down(system: str, players: int) -> None:
    """Preparation: cards are dealt face down; others see how many somebody holds, and the owner which."""
    state, _ = begun(system, players)
    for viewer in (PUBLIC, *range(players)):
        view = player_view(state, viewer)
        assert view["draw_pile"] == {"size": len(state.draw_pile), "exhaustions": 0}
        for number, (shown, seat) in enumerate(zip(view["seats"], state.seats, strict=True)):
            assert shown["hand"]["size"] == len(seat.hand)
            assert ("cards" in shown["hand"]) == (number == viewer)
