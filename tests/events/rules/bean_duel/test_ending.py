"""How a game of `bean-duel` is set up and ends. Sections are those of the 154-card booklet, the bean duel."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.rule_system import rules_for
from events.rules.systems.registry import system_named
from tests.events.rules.bean_duel.tables import RULES, given
from tests.support.tables import new_game, seat_with


def test_garden_and_cocoa_beans_stay_in_the_box() -> None:
    """Bean duel, changes: 144 of the 154 cards are played with."""
    assert len(RULES.deck) == 144
    assert {"garden", "cocoa"}.isdisjoint(RULES.deck)


def test_five_cards_are_dealt_and_the_first_turn_skips_the_offer() -> None:
    """Bean duel, 1: the first player has nothing on offer in the first turn."""
    table, _ = new_game(2, system="bean-duel")
    assert [len(seat.hand) for seat in table.state.seats] == [5, 5]
    assert [seat.fields for seat in table.state.seats] == [((), ()), ((), ())]
    assert len(table.state.draw_pile) == 134
    assert table.state.phase == "plant"


@pytest.mark.parametrize("players", [1, 3])
def test_it_is_a_game_for_two(players: int) -> None:
    """Bean duel: for two players."""
    with pytest.raises(errors.WrongPlayers):
        rules_for(system_named("bean-duel"), players, {}, shipped_catalogue("bohnanza-154"))


def test_the_pile_runs_out_while_revealing() -> None:
    """Bean duel, changes: the first exhaustion ends the game; rules of the house: step 3 is finished first."""
    table = (
        given(phase="reveal", draw_pile=("red", "soy"), discard_pile=("blue", "soy"), hand=("blue",))
        .when(c.Reveal())
        .then(
            e.CardsRevealed(0, ("red", "soy")),
            e.PileExhausted("draw", 1),
            e.DiscardsJoined(0, ("soy",)),
            e.PhaseBegan("plant_revealed"),
        )
        .when(c.PlantRevealed(1, 0))
        .then(e.RevealedPlanted(0, 1, 0, "red"))
    )
    after = table.when(c.Draw()).then(
        e.FieldHarvested(0, 0, ("red",), 0, final=True),
        e.GameEnded((0, 0), (0, 1), "exhausted_before_drawing"),
        e.DealerCalled("secret"),
    )
    assert [card for _, card in after.state.revealed] == ["soy", "soy"]


def test_the_pile_runs_out_while_drawing() -> None:
    """Bean duel, changes: in step 4 the game ends at once; the discard pile is never reshuffled."""
    given(phase="plant_revealed", hand=(), draw_pile=("red",), discard_pile=("blue",) * 9).when(
        c.Draw()
    ).then(
        e.CardsDrawn(0, ("red",)),
        e.PileExhausted("draw", 1),
        e.GameEnded((0, 0), (0, 1), "exhausted_while_drawing"),
        e.DealerCalled("secret"),
    )


def test_the_last_owed_card_ends_the_game_too() -> None:
    """Bean duel, changes: what counts is that the pile is empty."""
    given(phase="plant_revealed", draw_pile=("red", "red")).when(c.Draw()).then_among_others(
        e.PileExhausted("draw", 1), e.GameEnded((0, 0), (0,), "exhausted_while_drawing")
    )


def test_all_fields_are_harvested_at_the_end() -> None:
    """Bohnanza (154), end of the game: the beans on the fields are sold; single ones too (house)."""
    opponent = seat_with(hand=("green",), fields=(("soy",) * 4, ("blue",)))
    given(
        phase="plant_revealed",
        draw_pile=("chili",),
        fields=(("red",), ("stink",) * 3),
        others={1: opponent},
    ).when(c.Draw()).then_among_others(
        e.FieldHarvested(0, 0, ("red",), 0, final=True),
        e.FieldHarvested(0, 1, ("stink",) * 3, 1, final=True),
        e.FieldHarvested(1, 0, ("soy",) * 4, 2, final=True),
        e.FieldHarvested(1, 1, ("blue",), 0, final=True),
        e.GameEnded((1, 2), (1,), "exhausted_while_drawing"),
    )


def test_the_hand_breaks_a_tie_and_cards_on_offer_are_no_hand() -> None:
    """Bohnanza (154), end of the game: of those with most coins the fuller hand wins; the offer does not count."""
    opponent = seat_with(hand=("green",) * 3, coins=("blue",))
    given(
        phase="plant_revealed",
        hand=("blue",),
        coins=("soy",),
        revealed=("red",) * 5,
        draw_pile=("chili",),
        others={1: opponent},
    ).when(c.Draw()).then_among_others(e.GameEnded((1, 1), (1,), "exhausted_while_drawing"))


def test_coins_that_left_the_game_do_not_count() -> None:
    """Bean duel, changes: what was paid for the third field is gone."""
    opponent = seat_with(hand=("green",), coins=("blue",))
    given(phase="plant_revealed", coins=("soy",) * 3, draw_pile=("chili",), others={1: opponent}) \
        .when(c.BuyField()).then(e.ThirdFieldBought(0, ("soy",) * 3, boxed=True)) \
        .when(c.Draw()).then_among_others(e.GameEnded((0, 1), (1,), "exhausted_while_drawing"))  # fmt: skip
