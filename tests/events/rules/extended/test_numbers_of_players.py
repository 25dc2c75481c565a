"""What `extended` changes with the number of players. Sections are those of the 154-card booklet."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.rule_system import rules_for
from events.rules.systems.registry import system_named
from tests.support.given import given
from tests.support.tables import new_game, rules_of, seat_with


@pytest.mark.parametrize(
    ("players", "cards", "boxed"),
    [
        (3, 150, {"cocoa"}),
        (4, 130, {"coffee"}),
        (5, 130, {"coffee"}),
        (6, 144, {"cocoa", "garden"}),
        (7, 144, {"cocoa", "garden"}),
    ],
)
def test_some_varieties_stay_in_the_box(players: int, cards: int, boxed: set[str]) -> None:
    """Bohnanza (154), number of players: which beans are taken out."""
    rules = rules_of("extended", players)
    assert len(rules.deck) == cards
    assert {bean.card for bean in rules.catalogue.beans} - {*rules.deck} == boxed
    assert boxed.isdisjoint(rules.varieties)


@pytest.mark.parametrize("players", [1, 2, 8])
def test_it_is_a_game_for_three_to_seven(players: int) -> None:
    """Bohnanza (154): 3 to 7 players; two play the bean duel."""
    with pytest.raises(errors.WrongPlayers):
        rules_for(system_named("extended"), players, {}, shipped_catalogue("bohnanza-154"))


@pytest.mark.parametrize(
    ("players", "start", "hands"),
    [
        (3, 0, [5, 5, 5]),
        (4, 1, [5, 5, 5, 5]),
        (5, 0, [5, 5, 5, 5, 5]),
        (6, 0, [3, 4, 5, 6, 6, 6]),
        (6, 4, [5, 6, 6, 6, 3, 4]),
        (7, 0, [3, 4, 5, 6, 6, 6, 6]),
        (7, 5, [5, 6, 6, 6, 6, 3, 4]),
    ],
)
def test_hands_are_dealt_from_the_starting_player_on(players: int, start: int, hands: list[int]) -> None:
    """Bohnanza (154), number of players: with 6 and 7 the first gets 3 cards, then 4, 5, and 6 all others."""
    table, _ = new_game(players, {"start_seat": start}, system="extended")
    assert [len(seat.hand) for seat in table.state.seats] == hands
    fields = 3 if players == 3 else 2
    assert {len(seat.fields) for seat in table.state.seats} == {fields}


@pytest.mark.parametrize(("players", "drawn"), [(3, 3), (4, 3), (5, 3), (6, 4), (7, 4)])
def test_cards_drawn_at_the_end_of_a_turn(players: int, drawn: int) -> None:
    """Bohnanza (154), 4 and number of players: three cards, with 6 and 7 players four."""
    rules = rules_of("extended", players)
    given(rules=rules, phase="draw", fields=((),) * rules.setup.fields).when(c.Draw()).then_among_others(
        e.CardsDrawn(0, ("green",) * drawn), e.TurnBegan(1, 2)
    )


@pytest.mark.parametrize("players", [4, 5, 6, 7])
def test_the_price_of_a_third_field(players: int) -> None:
    """Bohnanza (154), buying a third field: the top three coins; with 6 and 7 players two."""
    price = 2 if players > 5 else 3
    table = given(rules=rules_of("extended", players), coins=("stink", "red", "soy", "blue"))
    paid = ("blue", "soy", "red")[:price]
    after = table.when(c.BuyField()).then(e.ThirdFieldBought(0, paid))
    assert after.state.discard_pile == paid
    poor = given(rules=rules_of("extended", players), coins=("stink",) * (price - 1))
    poor.when(c.BuyField()).then_refused(errors.NotEnoughCoins)


def test_three_players_have_three_fields_and_buy_none() -> None:
    """Bohnanza (154), number of players: with 3 players everybody has the third field from the start."""
    rules = rules_of("extended", 3)
    table = given(rules=rules, fields=(("soy",), ("red",), ()), coins=("stink",) * 9)
    table.when(c.BuyField()).then_refused(errors.ThirdFieldNotForSale)
    table.when(c.Plant(2)).then(e.BeanPlanted(0, 2, "blue"))


@pytest.mark.parametrize(("protection", "allowed"), [("lenient", True), ("strict", False)])
def test_protection_counts_all_three_fields(protection: str, *, allowed: bool) -> None:
    """Bohnanza (154), selling: a single bean is sold only where no field of the three holds more."""
    rules = rules_of("extended", 3, {"bean_protection": protection})
    given(rules=rules, fields=(("soy",), ("red",), ("blue", "blue"))).when(c.Harvest(0)).then_refused(
        errors.BeanProtected
    )
    given(rules=rules, fields=(("soy",), ("red",), ("blue",))).when(c.Harvest(0)).then(
        e.FieldHarvested(0, 0, ("soy",), 0)
    )
    with_an_empty_one = given(rules=rules, fields=(("soy",), ("red",), ())).when(c.Harvest(0))
    if allowed:
        with_an_empty_one.then(e.FieldHarvested(0, 0, ("soy",), 0))
    else:
        with_an_empty_one.then_refused(errors.BeanProtected)


@pytest.mark.parametrize(("players", "last"), [(3, 2), (4, 3), (5, 3), (6, 3), (7, 3)])
def test_how_often_the_pile_runs_out(players: int, last: int) -> None:
    """Bohnanza (154), end of the game: with 3 players the second exhaustion ends it, else the third."""
    rules = rules_of("extended", players)
    pile = ("red",) * rules.setup.draw
    given(rules=rules, phase="draw", draw_pile=pile, exhaustions=last - 2).when(c.Draw()).then_among_others(
        e.PileExhausted("draw", last - 1), e.TurnBegan(1, 2)
    )
    given(rules=rules, phase="draw", draw_pile=pile, exhaustions=last - 1).when(c.Draw()).then_among_others(
        e.PileExhausted("draw", last), e.DealerCalled("secret")
    )


def test_with_three_players_the_second_exhaustion_lets_the_turn_be_finished() -> None:
    """Bohnanza (154), number of players, end of the game: run out in phase 2, the game ends with phase 3."""
    table = given(rules=rules_of("extended", 3), phase="reveal", draw_pile=("red", "soy"), exhaustions=1)
    planting = table.when(c.Reveal()).then_among_others(e.PileExhausted("draw", 2), e.PhaseBegan("trade")) \
        .when(c.EndTrading()).then_among_others() \
        .when(c.PlantAside(1, 0)).then(e.AsidePlanted(0, 1, 0, "red"))  # fmt: skip
    planting.when(c.PlantAside(2, 1)).then_among_others(e.DealerCalled("secret"))


def test_the_fuller_hand_breaks_a_tie() -> None:
    """Bohnanza (154), end of the game: of those with most coins, who has most cards in hand wins."""
    others = {
        1: seat_with(hand=("green",) * 3, coins=("soy",)),
        2: seat_with(hand=("green",) * 2, coins=("soy",)),
        3: seat_with(hand=("green",) * 9),
    }
    rules = rules_of("extended", 4)
    given(rules=rules, phase="draw", hand=(), draw_pile=("red",), exhaustions=2, others=others).when(
        c.Draw()
    ).then_among_others(e.GameEnded((0, 1, 1, 0), (1,), "exhausted_while_drawing"))


def test_a_tie_that_is_left_is_a_shared_victory() -> None:
    """Bohnanza (154), end of the game; rules of the house: as many coins and as many cards win together."""
    others = {1: seat_with(hand=("green",), coins=("soy",)), 2: seat_with(hand=("green",), coins=("soy",))}
    rules = rules_of("extended", 4)
    given(rules=rules, phase="draw", draw_pile=("red",), exhaustions=2, others=others).when(
        c.Draw()
    ).then_among_others(e.GameEnded((0, 1, 1, 0), (1, 2), "exhausted_while_drawing"))
