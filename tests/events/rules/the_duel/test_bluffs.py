"""The Duel, Bluff!: offering what one does not hold, and what nobody learns of it."""

import msgspec

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules.legal import legal_commands
from events.rules.systems.the_duel.errors import CannotBluff
from events.rules.systems.the_duel.table import DuelSeat
from events.rules.table.player_view import player_view
from tests.support.duels import given_duel, side
from tests.support.given import Given


def offering(
    own_coins: tuple[str, ...], unseen: tuple[int, ...] = (), hand: tuple[str, ...] = ("red",)
) -> Given:
    """Seat 0 has to offer a gift and has nothing revealed; seat 1 has a coin that nobody has seen."""
    return given_duel(
        side(hand, coins=own_coins),
        side(("soy",), coins=("garden",)),
        phase="offer_gift",
        bonus=(DuelSeat(unseen=unseen), DuelSeat(unseen=(0,))),
    )


def test_a_bluff_needs_a_coin() -> None:
    """House: who has none cannot pay; what is held can be offered all the same."""
    offering(()).when(c.OfferGift("blue")).then_refused(CannotBluff)
    offering(()).when(c.OfferGift("red")).then_among_others(e.GiftOffered(0, "red"))
    offering(("soy",)).when(c.OfferGift("blue")).then_among_others(e.GiftOffered(0, "blue"))


def test_the_other_cannot_bluff_with_the_active_players_revealed_cards() -> None:
    """House: for the other only the hand counts."""
    table = given_duel(
        side(("red",)), side(("soy",)), phase="answer_gift", gifts=((0, "red"),), revealed=("blue",)
    )
    table.when(c.CounterGift("blue"), by=1).then_refused(CannotBluff)


def test_the_other_bluffs_as_well_and_pays_the_active_player() -> None:
    """Chaque joueur peut bluffer: the coin goes to whoever accepted; what lies revealed is still to be planted."""
    table = given_duel(
        side(("red",), coins=("blue",)),
        side(("soy",), coins=("garden", "chili")),
        phase="answer_gift",
        gifts=((0, "red"),),
        revealed=("stink",),
    )
    bluffed = table.when(c.CounterGift("blue"), by=1).then(e.GiftOffered(1, "blue"))
    paid = bluffed.when(c.AcceptGift(), by=0).then(
        e.GiftAccepted(0, "blue"), e.BluffPaid(1, 0), e.PhaseBegan("plant_aside")
    )
    assert [seat.coins for seat in paid.state.seats] == [("blue", "chili"), ("garden",)]
    assert paid.state.duel is not None
    assert paid.state.duel.gifts == ()


def test_a_harvest_may_still_earn_the_coin_for_a_bluff() -> None:
    """House: without a coin accepting was the only answer left."""
    table = given_duel(
        side(("red",)),
        side((), (("red", "red"), (), ())),
        phase="answer_gift",
        gifts=((0, "red"),),
    )
    legal = legal_commands(table.rules, table.state, 1)
    assert c.AcceptGift() in legal
    assert not any(isinstance(each, c.CounterGift) for each in legal)
    sold = table.when(c.Harvest(0), by=1).then(e.FieldHarvested(1, 0, ("red", "red"), 1))
    sold.when(c.CounterGift("blue"), by=1).then(e.GiftOffered(1, "blue"))


def test_a_refused_bluff_costs_nothing_and_looks_like_any_other_offer() -> None:
    """Vous avez de la chance: held or not, everybody else sees the same events and the same table."""
    tables = [
        offering(("soy",), hand=hand)
        .when(c.OfferGift("blue"))
        .then(e.GiftOffered(0, "blue"), e.PhaseBegan("answer_gift"))
        .when(c.CounterGift("soy"), by=1)
        .then(e.GiftOffered(1, "soy"))
        for hand in (("blue",), ("red",))
    ]
    for viewer in (PUBLIC, 1):
        views = [player_view(table.state, viewer) for table in tables]
        assert views[0] == views[1]
    answers = [legal_commands(table.rules, table.state, 1) for table in tables]
    assert answers[0] == answers[1]
    assert [table.state.seats[0].coins for table in tables] == [("soy",), ("soy",)]


def test_neither_offer_nor_command_has_a_field_that_tells_a_bluff() -> None:
    """Offers are bare: who and which variety."""
    assert e.GiftOffered.__struct_fields__ == ("seat", "variety")
    assert c.OfferGift.__struct_fields__ == c.CounterGift.__struct_fields__ == ("variety",)


def test_an_accepted_bluff_costs_the_top_coin_and_ends_the_procedure() -> None:
    """S'il accepte: no bean moves, the accepter gets the coin; with nothing to plant phase 4 follows."""
    paid = (
        offering(("red", "soy"))
        .when(c.OfferGift("blue"))
        .then_among_others(e.GiftOffered(0, "blue"))
        .when(c.AcceptGift(), by=1)
        .then(e.GiftAccepted(1, "blue"), e.BluffPaid(0, 1), e.PhaseBegan("draw"))
    )
    assert [seat.coins for seat in paid.state.seats] == [("red",), ("garden", "soy")]
    assert [len(seat.hand) for seat in paid.state.seats] == [1, 1]


def test_an_unseen_coin_stays_unseen_to_both_and_a_seen_one_stays_known() -> None:
    """Face down: whoever has not seen it does not learn it by owning it; deeper unseen coins stay hidden."""
    table = offering(("red", "blue", "soy"), unseen=(0, 1, 2))
    for _ in range(2):
        pushed = table.when(c.OfferGift("blue")).then_among_others(e.GiftOffered(0, "blue"))
        table = pushed.when(c.AcceptGift(), by=1).then_among_others(e.BluffPaid(0, 1))
        table = Given(table.rules, msgspec.structs.replace(table.state, phase="offer_gift"))
    assert table.state.seats[1].coins == ("garden", "soy", "blue")
    for viewer in (PUBLIC, 0, 1):
        shown = player_view(table.state, viewer)["seats"]
        assert [seat["coins"] for seat in shown] == [["?"], ["?", "?", "?"]]


def test_a_seen_coin_on_top_of_unseen_ones_is_paid_first() -> None:
    """The top coin of the stack, whichever that is; it is known, so it stays public."""
    table = offering(("red", "soy"), unseen=(0,))
    pushed = table.when(c.OfferGift("blue")).then_among_others(e.GiftOffered(0, "blue"))
    paid = pushed.when(c.AcceptGift(), by=1).then_among_others(e.BluffPaid(0, 1))
    shown = player_view(paid.state, PUBLIC)["seats"]
    assert [seat["coins"] for seat in shown] == [["?"], ["?", "soy"]]


def test_who_holds_the_bean_cannot_pay_a_coin_instead() -> None:
    """House: it is a bluff exactly when no such bean is held."""
    pushed = offering(("soy",)).when(c.OfferGift("red")).then_among_others(e.GiftOffered(0, "red"))
    given = pushed.when(c.AcceptGift(), by=1).then_among_others(e.GiftGiven(0, 1, "red", hand=(1,)))
    assert given.state.seats[0].coins == ("soy",)


def test_bonus_cards_never_pay_for_a_bluff() -> None:
    """House: a claimed bonus card is worth a coin but is none."""
    table = given_duel(
        side(("red",)), side(), phase="offer_gift", bonus=(DuelSeat(claimed=("c40_123",)), DuelSeat())
    )
    table.when(c.OfferGift("blue")).then_refused(CannotBluff)
