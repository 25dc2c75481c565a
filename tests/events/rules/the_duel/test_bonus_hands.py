"""The Duel, Piocher deux cartes Haricot et éventuellement des cartes Bonus: bonus hands in phase 4."""

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.legal import legal_commands
from events.rules.move import DEALER
from events.rules.systems.the_duel.errors import BonusNotInHand, DecidedAlready
from events.rules.systems.the_duel.table import DuelSeat
from events.rules.table.player_view import player_view
from events.rules.table.waiting import waiting_for
from tests.support.duels import given_duel, side
from tests.support.given import Given

STEP = "c40_123"
"""garden, red, black-eyed."""


def deciding(
    own: tuple[str, ...], other: tuple[str, ...], pile: tuple[str, ...], discards: tuple[str, ...] = ()
) -> Given:
    """Phase 4: the beans are drawn, seat 0 is active."""
    return given_duel(
        side(("red",)),
        side(("red",)),
        phase="bonus",
        bonus=(DuelSeat(bonus=own), DuelSeat(bonus=other)),
        bonus_pile=pile,
        bonus_discards=discards,
    )


def test_both_decide_in_either_order_then_both_hands_are_refilled_active_first() -> None:
    """Ensuite, chaque joueur peut défausser une carte: face up; then up to three in one step."""
    table = deciding(
        ("c10_122", "c10_233", "c10_344"), ("c10_455", "c10_566"), ("c40_123", "c40_234", "c40_345")
    )
    assert waiting_for(table.state) == (0, 1)
    one = table.when(c.KeepBonus(), by=1).then(e.BonusKept(1))
    assert waiting_for(one.state) == (0,)
    two = one.when(c.DiscardBonus("c10_233"), by=0).then(
        e.BonusDiscarded(0, "c10_233"),
        e.BonusDrawn(0, ("c40_123",)),
        e.BonusDrawn(1, ("c40_234",)),
        e.TurnBegan(1, 2),
        e.PhaseBegan("plant"),
    )
    assert two.state.duel is not None
    assert two.state.duel.discards == ("c10_233",)
    assert two.state.duel.seats[0].bonus == ("c10_122", "c10_344", "c40_123")
    assert not any(seat.decided for seat in two.state.duel.seats)


def test_nobody_decides_twice_or_discards_what_is_not_held() -> None:
    """One card each, from the own hand."""
    table = deciding(("c10_122",), ("c10_455",), ())
    table.when(c.DiscardBonus("c10_455")).then_refused(BonusNotInHand)
    once = table.when(c.DiscardBonus("c10_122")).then(e.BonusDiscarded(0, "c10_122"))
    once.when(c.KeepBonus()).then_refused(DecidedAlready)
    once.when(c.DiscardBonus("c10_122")).then_refused(DecidedAlready)


def test_with_an_empty_bonus_hand_there_is_only_keeping() -> None:
    """House: the command is asked for all the same."""
    table = deciding((), ("c10_455",), ("c40_123",) * 3)
    decisions = (c.KeepBonus, c.DiscardBonus)
    legal = [each for each in legal_commands(table.rules, table.state, 0) if isinstance(each, decisions)]
    assert legal == [c.KeepBonus()]


def test_a_card_drawn_now_and_claimed_at_once_is_replaced_in_the_next_phase_4() -> None:
    """Mais dans ce cas, ils ne piochent pas de nouvelle carte: the turn has passed, and its draw replaces it."""
    table = given_duel(
        side(("red",), (("garden", "red", "black_eyed"), (), ())),
        side(("red",)),
        phase="bonus",
        bonus=(DuelSeat(), DuelSeat(bonus=("c10_122", "c10_233", "c10_344"), decided=True)),
        bonus_pile=(STEP, "c10_455", "c10_566", "c10_677"),
    )
    refilled = table.when(c.KeepBonus()).then_among_others(e.BonusDrawn(0, (STEP, "c10_455", "c10_566")))
    claimed = refilled.when(c.ClaimBonus(STEP, 0, 0), by=0).then(e.BonusClaimed(0, STEP, 0, 0))
    later = Given(claimed.rules, msgspec.structs.replace(claimed.state, phase="bonus"))
    kept = later.when(c.KeepBonus(), by=0).then(e.BonusKept(0))
    kept.when(c.KeepBonus(), by=1).then_among_others(e.BonusDrawn(0, ("c10_677",)))


def test_what_is_claimed_before_the_refill_is_replaced_by_it() -> None:
    """House: hands are refilled in one step when both have decided; a card claimed until then is missing then."""
    table = given_duel(
        side(("red",), (("garden", "red", "black_eyed"), (), ())),
        side(("red",)),
        phase="bonus",
        bonus=(
            DuelSeat(bonus=(STEP, "c10_122", "c10_233")),
            DuelSeat(bonus=("c10_344", "c10_455", "c10_566")),
        ),
        bonus_pile=("c10_677", "c10_788"),
    )
    kept = table.when(c.KeepBonus(), by=0).then(e.BonusKept(0))
    claimed = kept.when(c.ClaimBonus(STEP, 0, 0), by=0).then(e.BonusClaimed(0, STEP, 0, 0))
    claimed.when(c.KeepBonus(), by=1).then(
        e.BonusKept(1), e.BonusDrawn(0, ("c10_677",)), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )


def test_the_refill_is_the_active_players_first_whoever_that_is() -> None:
    """Le joueur actif en premier: seat 1, who decided first, gets the top card, and with it the last one."""
    table = given_duel(
        side(("red",)),
        side(("red",)),
        active=1,
        phase="bonus",
        bonus=(DuelSeat(bonus=("c10_122", "c10_233")), DuelSeat(bonus=("c10_344", "c10_455"))),
        bonus_pile=(STEP,),
    )
    kept = table.when(c.KeepBonus(), by=0).then(e.BonusKept(0))
    kept.when(c.KeepBonus(), by=1).then(
        e.BonusKept(1), e.BonusDrawn(1, (STEP,)), e.TurnBegan(0, 2), e.PhaseBegan("plant")
    )


@pytest.mark.parametrize("bonus", ["c10_122", "c10_233", "c10_344"])
def test_any_card_of_the_bonus_hand_may_be_discarded_by_either_player(bonus: str) -> None:
    """Chaque joueur peut défausser une carte: from any place, face up for everybody."""
    hand = ("c10_122", "c10_233", "c10_344")
    table = deciding(hand, ("c10_455",), ("c40_123",))
    gone = table.when(c.DiscardBonus(bonus), by=0).then(e.BonusDiscarded(0, bonus))
    assert [player_view(gone.state, viewer)["duel"]["bonus_discards"] for viewer in (-1, 0, 1)] == [
        [bonus]
    ] * 3
    assert gone.state.duel is not None
    assert gone.state.duel.seats[0].bonus == tuple(each for each in hand if each != bonus)
    gone.when(c.DiscardBonus("c10_455"), by=1).then_among_others(e.BonusDiscarded(1, "c10_455"))


@pytest.mark.parametrize("phase", ["plant", "reveal", "offer_gift", "answer_gift", "plant_aside", "draw"])
def test_bonus_cards_are_discarded_in_phase_4_only(phase: str) -> None:
    """Ensuite: after the beans are drawn, by nobody earlier."""
    table = given_duel(
        side(("red",)),
        side(("red",)),
        phase=phase,
        gifts=((0, "blue"),) if phase == "answer_gift" else (),
        bonus=(DuelSeat(bonus=("c10_122",)), DuelSeat(bonus=("c10_455",))),
    )
    for seat, bonus in enumerate(("c10_122", "c10_455")):
        table.when(c.DiscardBonus(bonus), by=seat).then_refused(errors.WrongPhase)
        table.when(c.KeepBonus(), by=seat).then_refused(errors.WrongPhase)


def test_the_emptied_pile_is_shuffled_from_its_discards_at_once_and_the_drawing_goes_on() -> None:
    """Lorsque la pioche est vide: what is owed comes from the new pile."""
    table = deciding(("c10_122",), ("c10_455", "c10_566", "c10_677"), ("c40_123",), ("c10_233", "c10_344"))
    kept = table.when(c.KeepBonus(), by=1).then(e.BonusKept(1))
    called = kept.when(c.KeepBonus(), by=0).then(
        e.BonusKept(0), e.BonusDrawn(0, ("c40_123",)), e.DealerCalled("shuffle", "bonus", "refill", 0, 1)
    )
    assert legal_commands(called.rules, called.state, 0) == []
    called.when(c.Shuffle("draw", ("c10_344", "c10_233")), by=DEALER).then_refused(errors.NothingDue)
    called.when(c.Shuffle("bonus", ("c10_344",)), by=DEALER).then_refused(errors.NotAPermutation)
    refilled = called.when(c.Shuffle("bonus", ("c10_344", "c10_233")), by=DEALER).then(
        e.PileShuffled("bonus", 2, ("c10_344", "c10_233")),
        e.BonusDrawn(0, ("c10_344",)),
        e.TurnBegan(1, 2),
        e.PhaseBegan("plant"),
    )
    assert refilled.state.duel is not None
    assert (refilled.state.duel.pile, refilled.state.duel.discards) == (("c10_233",), ())


def test_the_pile_is_shuffled_at_once_even_if_nothing_more_is_owed() -> None:
    """House: the moment it empties."""
    table = deciding(("c10_122", "c10_233"), (), ("c40_123", "c40_234", "c40_345", "c40_456"), ("c10_344",))
    kept = table.when(c.KeepBonus(), by=1).then(e.BonusKept(1))
    called = kept.when(c.KeepBonus(), by=0).then_among_others(
        e.BonusDrawn(0, ("c40_123",)),
        e.BonusDrawn(1, ("c40_234", "c40_345", "c40_456")),
        e.DealerCalled("shuffle", "bonus", "refill", 1, 0),
    )
    called.when(c.Shuffle("bonus", ("c10_344",)), by=DEALER).then(
        e.PileShuffled("bonus", 2, ("c10_344",)), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )


def test_an_empty_pile_without_discards_yields_what_there_is_and_is_refilled_at_the_next_draw() -> None:
    """House: a draw that finds discards again has them shuffled before it."""
    table = deciding(("c10_122",), ("c10_233",), ("c40_123",))
    kept = table.when(c.KeepBonus(), by=0).then(e.BonusKept(0))
    kept.when(c.KeepBonus(), by=1).then(
        e.BonusKept(1), e.BonusDrawn(0, ("c40_123",)), e.TurnBegan(1, 2), e.PhaseBegan("plant")
    )
    empty = deciding(("c10_122",), ("c10_233",), ())
    kept = empty.when(c.DiscardBonus("c10_122"), by=0).then(e.BonusDiscarded(0, "c10_122"))
    kept.when(c.KeepBonus(), by=1).then(e.BonusKept(1), e.DealerCalled("shuffle", "bonus", "refill", 0, 3))
