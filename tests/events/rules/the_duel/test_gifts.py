"""The Duel, Offrir des cartes haricots: gift cards go to and fro until one is accepted."""

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.legal import legal_commands
from events.rules.systems.the_duel.errors import GiftCardUsed, NoSuchGiftCard, OwnGift
from events.rules.table.player_view import player_view
from events.rules.table.waiting import waiting_for
from tests.events.rules.the_duel.tables import EIGHT, answering, legal_types, offers
from tests.support.duels import given_duel, side


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
    table.when(c.OfferGift("coffee")).then_refused(NoSuchGiftCard)


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


def test_the_answer_is_to_accept_or_to_offer_another_gift_and_nothing_else() -> None:
    """S'il refuse, il doit: no bare refusal; the second offer is answered like the first, by who made that one."""
    table = answering("blue")
    assert legal_types(table, 1) == {"accept_gift", "counter_gift"}
    countered = table.when(c.CounterGift("soy"), by=1).then(e.GiftOffered(1, "soy"))
    assert legal_types(countered, 0) == {"accept_gift", "counter_gift"}
    assert legal_types(countered, 1) == set()
    countered.when(c.AcceptGift(), by=0).then_among_others(e.GiftGiven(1, 0, "soy", hand=(1,)))


def test_the_active_player_answers_with_a_revealed_card_or_a_hand_card() -> None:
    """Cette procédure continue: what lies revealed can be offered back as well."""
    assert offers(answering("blue", "soy"), 0) == ["red", "chili"]


def test_the_gift_cards_pushed_lie_open_and_the_last_is_the_one_on_offer() -> None:
    """Poussez la carte Cadeau: everybody sees who pushed which."""
    table = answering("blue").when(c.CounterGift("soy"), by=1).then(e.GiftOffered(1, "soy"))
    pushed = [{"seat": 0, "variety": "blue"}, {"seat": 1, "variety": "soy"}]
    assert [player_view(table.state, viewer)["duel"]["gifts"] for viewer in (-1, 0, 1)] == [pushed] * 3


def test_nobody_answers_an_own_gift() -> None:
    """The other has to."""
    table = answering("blue")
    table.when(c.AcceptGift(), by=0).then_refused(OwnGift)
    table.when(c.CounterGift("red"), by=0).then_refused(OwnGift)


def test_a_gift_card_is_used_once_in_a_phase_by_whoever() -> None:
    """Important: not again by who pushed it, nor by the other."""
    table = answering("soy", "red", own=("red", "soy"), other=("soy", "red"))
    table.when(c.CounterGift("red"), by=0).then_refused(GiftCardUsed)
    table.when(c.CounterGift("soy"), by=0).then_refused(GiftCardUsed)


def test_gift_cards_go_to_and_fro_until_one_is_accepted() -> None:
    """Cette procédure continue: all eight of them, if nobody accepts; with the last one there is no other way."""
    table = given_duel(side((*EIGHT, "red")), side(EIGHT), phase="offer_gift")
    table = table.when(c.OfferGift(EIGHT[0])).then_among_others(e.GiftOffered(0, EIGHT[0]))
    for place, variety in enumerate(EIGHT[1:], 1):
        assert offers(table, place % 2) == [*EIGHT[place:]]
        table = table.when(c.CounterGift(variety), by=place % 2).then(e.GiftOffered(place % 2, variety))
    assert legal_types(table, 0) == {"accept_gift"}
    table.when(c.AcceptGift(), by=0).then(
        e.GiftAccepted(0, "blue"), e.GiftGiven(1, 0, "blue", hand=(8,)), e.PhaseBegan("plant_aside")
    )


def test_with_all_eight_cards_used_accepting_is_all_that_is_left() -> None:
    """House: nobody can refuse the last one."""
    table = answering(*EIGHT, own=(*EIGHT, "red"), other=EIGHT)
    assert offers(table, 0) == []
    assert c.AcceptGift() in legal_commands(table.rules, table.state, 0)


def test_the_gift_cards_are_back_in_their_row_for_the_next_turn() -> None:
    """Une fois l'échange terminé: also the accepted one, and those of who is active next."""
    table = given_duel(
        side(("red",)),
        side(("soy", "soy"), coins=("red",)),
        phase="answer_gift",
        gifts=((0, "blue"), (1, "soy"), (0, "red")),
        draw_pile=("green",) * 9,
    )
    given = table.when(c.AcceptGift(), by=1).then_among_others(e.GiftGiven(0, 1, "red", hand=(1,)))
    planted = given.when(c.PlantAside(1, 0), by=1).then_among_others(e.PhaseBegan("draw"))
    drawn = planted.when(c.Draw()).then_among_others(e.PhaseBegan("bonus"))
    kept = drawn.when(c.KeepBonus(), by=0).then(e.BonusKept(0))
    begun = kept.when(c.KeepBonus(), by=1).then_among_others(e.PhaseBegan("plant"))
    revealing = begun.when(c.Plant(1)).then_among_others(e.BeanPlanted(1, 1, "soy"))
    offering = revealing.when(c.Reveal()).then_among_others(e.PhaseBegan("offer_gift"))
    assert offers(offering, 1) == [*EIGHT]
