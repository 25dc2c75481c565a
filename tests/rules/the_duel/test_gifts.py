"""The Duel, Offrir des cartes haricots: gift cards go to and fro until one is accepted."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.legal import legal_commands, waiting_for
from tests.support.duels import given_duel, side
from tests.support.given import Given

EIGHT = ("garden", "red", "black_eyed", "soy", "green", "stink", "chili", "blue")


def answering(*gifts: str, own: tuple[str, ...] = ("red",), other: tuple[str, ...] = ("soy",)) -> Given:
    """These gift cards were pushed, by the active player and the other in turn; nobody has a coin."""
    pushed = tuple((place % 2, variety) for place, variety in enumerate(gifts))
    return given_duel(
        side(own), side(other), phase="answer_gift", gifts=pushed, revealed=("blue", "chili", "blue")
    )


def offers(table: Given, seat: int) -> list[str]:
    """The varieties that a seat may offer now."""
    legal = legal_commands(table.rules, table.state, seat)
    return [each.variety for each in legal if isinstance(each, c.OfferGift | c.CounterGift)]


def test_three_cards_are_revealed_then_a_gift_is_due() -> None:
    """Piocher trois cartes Haricot: nothing else can go on before the offer."""
    table = given_duel(side(("red",)), side(), phase="reveal", draw_pile=("blue", "soy", "red", "garden"))
    revealed = table.when(c.Reveal()).then(
        e.CardsRevealed(0, ("blue", "soy", "red")), e.PhaseBegan("offer_gift")
    )
    assert waiting_for(revealed.state) == (0,)
    revealed.when(c.PlantRevealed(1, 0)).then_refused(errors.WrongPhase)
    revealed.when(c.Draw()).then_refused(errors.WrongPhase)


@pytest.mark.parametrize("variety", ["red", "blue"])
def test_the_active_player_offers_a_hand_card_or_a_revealed_one(variety: str) -> None:
    """The event says the variety and nothing else."""
    table = given_duel(side(("soy", "red")), side(("soy",)), phase="offer_gift", revealed=("blue",) * 3)
    offered = table.when(c.OfferGift(variety)).then(e.GiftOffered(0, variety), e.PhaseBegan("answer_gift"))
    assert waiting_for(offered.state) == (1,)
    table.when(c.OfferGift(variety), by=1).then_refused(errors.NotYourTurn)


def test_there_is_a_gift_card_for_each_variety_of_the_game_only() -> None:
    """Huit cartes Cadeau."""
    table = given_duel(side(("soy",), coins=("red",)), side(), phase="offer_gift", revealed=("blue",))
    assert offers(table, 0) == [*EIGHT]
    table.when(c.OfferGift("coffee")).then_refused(errors.NoSuchGiftCard)


def test_the_offer_is_due_even_with_nothing_revealed() -> None:
    """House: the pile has run out, the hand has not."""
    table = given_duel(side(("red",)), side(), phase="reveal", draw_pile=(), exhaustions=1)
    table.when(c.Reveal()).then(e.CardsRevealed(0, ()), e.PhaseBegan("offer_gift"))


def test_who_has_neither_bean_nor_coin_offers_nothing() -> None:
    """House: with no legal first offer phase 2 is skipped, and here the game is over with it."""
    table = given_duel(side(), side(), phase="reveal", draw_pile=(), exhaustions=1)
    table.when(c.Reveal()).then_among_others(e.GameEnded((0, 0), (1,), "exhausted_before_drawing", "cents"))


def test_the_other_refuses_by_offering_another_gift() -> None:
    """S'il refuse: the answer is one command; then it is the first one's to answer."""
    table = answering("blue")
    countered = table.when(c.CounterGift("soy"), by=1).then(e.GiftOffered(1, "soy"))
    assert waiting_for(countered.state) == (0,)
    countered.when(c.CounterGift("red"), by=0).then(e.GiftOffered(0, "red"))


def test_nobody_answers_an_own_gift() -> None:
    """The other has to."""
    table = answering("blue")
    table.when(c.AcceptGift(), by=0).then_refused(errors.OwnGift)
    table.when(c.CounterGift("red"), by=0).then_refused(errors.OwnGift)


def test_a_gift_card_is_used_once_in_a_phase_by_whoever() -> None:
    """Important: not again by who pushed it, nor by the other."""
    table = answering("soy", "red", own=("red", "soy"), other=("soy", "red"))
    table.when(c.CounterGift("red"), by=0).then_refused(errors.GiftCardUsed)
    table.when(c.CounterGift("soy"), by=0).then_refused(errors.GiftCardUsed)


def test_with_all_eight_cards_used_accepting_is_all_that_is_left() -> None:
    """House: nobody can refuse the last one."""
    table = answering(*EIGHT, own=(*EIGHT, "red"), other=EIGHT)
    assert offers(table, 0) == []
    assert c.AcceptGift() in legal_commands(table.rules, table.state, 0)


def test_an_accepted_revealed_card_lies_aside_before_the_other() -> None:
    """S'il accepte: the bean goes, not the gift card; refused offers move nothing. All gift cards are back."""
    table = answering("soy", "red", "chili", own=("red", "soy"), other=("soy", "red"))
    given = table.when(c.AcceptGift(), by=1).then(
        e.GiftAccepted(1, "chili"),
        e.GiftGiven(0, 1, "chili", revealed=(2,)),
        e.PhaseBegan("plant_aside"),
    )
    assert given.state.seats[1].aside == ((1, "chili"),)
    assert [card for _, card in given.state.revealed] == ["blue", "blue"]
    assert [len(seat.hand) for seat in given.state.seats] == [2, 2]
    assert given.state.duel is not None
    assert given.state.duel.gifts == ()


def test_equal_revealed_cards_need_no_choice() -> None:
    """The first of two blue beans goes by itself."""
    answering("blue").when(c.AcceptGift(), by=1).then_among_others(e.GiftGiven(0, 1, "blue", revealed=(1,)))


def test_a_single_hand_card_goes_from_the_middle_of_the_hand() -> None:
    """Its number and place are its owner's."""
    given = (
        answering("red", own=("soy", "red", "soy"))
        .when(c.AcceptGift(), by=1)
        .then_among_others(e.GiftGiven(0, 1, "red", hand=(2,)))
    )
    assert given.state.seats[0].hand == ((1, "soy"), (3, "soy"))
    assert e.GiftGiven.private == {"hand": "seat"}
    assert c.GiveFromHand.private == {"card": "actor"}


def test_between_hand_places_the_giver_chooses_and_only_talk_goes_on_meanwhile() -> None:
    """House: places in the hand differ; harvests, claims and everything else wait."""
    table = given_duel(
        side(("red", "soy", "red"), (("red", "red"), (), ())),
        side(("soy",), (("red", "red"), (), ())),
        phase="answer_gift",
        gifts=((0, "red"),),
        revealed=("blue",),
    )
    choosing = table.when(c.AcceptGift(), by=1).then(e.GiftAccepted(1, "red"), e.PhaseBegan("give"))
    assert waiting_for(choosing.state) == (0,)
    for seat in range(2):
        choosing.when(c.Harvest(0), by=seat).then_refused(errors.ChoiceDue)
        choosing.when(c.ClaimBonus("c40_123", 0, 0), by=seat).then_refused(errors.ChoiceDue)
        choosing.when(c.AcceptGift(), by=seat).then_refused(errors.WrongPhase)
        choosing.when(c.Say("well"), by=seat).then(e.Talked(seat, "well"))
    choosing.when(c.GiveFromHand(1), by=1).then_refused(errors.NotYourGift)
    choosing.when(c.GiveRevealed(1), by=1).then_refused(errors.NotYourGift)
    choosing.when(c.GiveFromHand(2)).then_refused(errors.NotTheGift)
    choosing.when(c.GiveFromHand(9)).then_refused(errors.NotInHand)
    choosing.when(c.GiveRevealed(1)).then_refused(errors.NotTheGift)
    choosing.when(c.GiveRevealed(9)).then_refused(errors.NotRevealed)
    choosing.when(c.GiveFromHand(3)).then(e.GiftGiven(0, 1, "red", hand=(3,)), e.PhaseBegan("plant_aside"))


def test_between_hand_and_revealed_cards_the_giver_chooses() -> None:
    """House: both places are legal, whichever revealed card is named."""
    table = (
        answering("blue", own=("blue",))
        .when(c.AcceptGift(), by=1)
        .then(e.GiftAccepted(1, "blue"), e.PhaseBegan("give"))
    )
    for command in (c.GiveRevealed(1), c.GiveRevealed(3), c.GiveFromHand(1)):
        table.when(command).then_among_others(e.PhaseBegan("plant_aside"))


def test_the_other_player_gives_from_the_hand_only() -> None:
    """Depuis sa main: the revealed cards are the active player's."""
    table = answering("blue")
    assert offers(table, 1) == ["soy"]
    choosing = (
        answering("blue", "soy", other=("soy", "soy"))
        .when(c.AcceptGift(), by=0)
        .then(e.GiftAccepted(0, "soy"), e.PhaseBegan("give"))
    )
    choosing.when(c.GiveRevealed(1), by=1).then_refused(errors.NotRevealed)
    given = choosing.when(c.GiveFromHand(2), by=1).then_among_others(e.GiftGiven(1, 0, "soy", hand=(2,)))
    assert given.state.seats[0].aside == ((1, "soy"),)
