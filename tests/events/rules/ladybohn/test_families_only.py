"""Who trades names families only: which member an offered card is stays hidden until the trade. Section: Phase 2."""

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.log.disclosure import PUBLIC
from events.rules import errors
from events.rules.decide import decide
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, trading


def test_an_offer_names_families_only() -> None:
    """Phase 2, Important: only the variety is said, in an order that gives nothing away."""
    offered = (
        trading(hand=(MISTER, BABY, "blue_baby", MISS))
        .when(c.Offer(1, hand=(4, 3, 2)))
        .then(e.OfferMade(1, 0, 1, (2, 3, 4), ("blue", "red", "red")))
    )
    for viewer in (PUBLIC, 1, 2):
        view = player_view(offered.state, viewer)
        assert view["offers"][0]["hand_cards"] == ["blue", "red", "red"]
        assert "hand" not in view["offers"][0]
        assert (
            "red_baby" not in msgspec.json.encode({**view, "revealed": [], "seats": view["offers"]}).decode()
        )
    for seat in (1, 2):
        assert "_baby" not in str(legal_commands(offered.rules, offered.state, seat))


def test_wants_are_by_family_and_any_member_pays() -> None:
    """Phase 2, Important: what is asked for is a variety; a mister, a miss and a baby all fulfil it."""
    asked = trading().when(c.Offer(1, revealed=(2,), want={"soy": 1})).then_among_others()
    trading().when(c.Offer(1, revealed=(2,), want={"soy_female": 1})).then_refused(errors.NoSuchVariety)
    for number, card in ((1, "soy_female"), (2, "soy_male")):
        asked.when(c.Accept(1, hand=(number,)), by=1).then(
            e.TradeMade(1, 0, 1, ("blue_male",), (card,), (), (2,), (number,))
        )


def test_refusing_a_payment_tells_no_sex_either() -> None:
    """Phase 2, Important: who can't pay learns the family that is wanted, and what they hold themselves."""
    offered = trading().when(c.Offer(2, hand=(3,), want={"blue": 1})).then_among_others()
    offered.when(c.Accept(1), by=2).then_refused(errors.PaymentMismatch)
    with pytest.raises(errors.PaymentMismatch) as refused:
        decide(offered.rules, offered.state, 2, c.Accept(1))
    assert "female" not in str(refused.value)


def test_the_trade_shows_the_cards() -> None:
    """Phase 2: the cards lie open once the trade is made."""
    trading().when(c.Offer(1, hand=(3,), want={"soy": 2})).then_among_others() \
        .when(c.Accept(1, hand=(1, 2)), by=1) \
        .then(e.TradeMade(1, 0, 1, (MISS,), ("soy_male", "soy_female"), (3,), (), (1, 2)))  # fmt: skip


def test_a_counter_offer_names_families_only_too() -> None:
    """Phase 2, Important: whoever proposes, and whatever it answers."""
    countered = trading().when(c.Offer(1, hand=(3,))).then_among_others() \
        .when(c.Counter(1, hand=(1, 2), want={"red": 1}), by=1).then(
            e.OfferDeclined(1, 1, closed=True),
            e.OfferMade(2, 1, 0, (1, 2), ("soy", "soy"), want={"red": 1}, counters=1))  # fmt: skip
    for viewer in (PUBLIC, 0, 2):
        view = player_view(countered.state, viewer)
        assert view["offers"][0]["hand_cards"] == ["soy", "soy"]
        sent = msgspec.json.encode(view).decode()
        assert "soy_female" not in sent
        assert "soy_male" not in sent


def test_table_talk_is_free() -> None:
    """Rules of the house: what players say is recorded and not censored, true or not."""
    trading().when(c.Say("The red one is a miss."), by=1).then(e.Talked(1, "The red one is a miss."))
