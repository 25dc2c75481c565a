"""What the greedy bot does in positions that every player knows."""

import msgspec

from events import commands as c
from events import domain_events as e
from events.bots.greedy.style import GREEDY
from events.bots.memory import BotMemory
from events.rules.table.state import OpenOffer
from tests.events.bots.situations import bot_seat, greedy_choice, table_of
from tests.support.tables import seat_with

NO_ROOM = bot_seat((), (("chili",) * 5, ("blue",) * 5))
"""Both fields grow well and should not go for anything new."""
DEAR = bot_seat(("blue", "blue", "soy"), (("green",) * 2, ("blue",) * 4))
"""Two blue beans are needed for the next coin."""


def test_it_plants_where_the_variety_grows() -> None:
    """The front card goes where it fits."""
    table = table_of(bot_seat(("red", "blue"), (("green",), ("red",))), phase="plant")
    assert greedy_choice(table) == c.Plant(1)


def test_it_harvests_the_field_that_is_missed_least() -> None:
    """Two green beans pay nothing yet; four red ones pay three coins, and red is nearly used up."""
    table = table_of(bot_seat(("soy",), (("green",) * 5, ("red",) * 5)), phase="plant")
    assert greedy_choice(table) == c.Harvest(1)


def test_it_sells_a_field_that_can_grow_no_dearer() -> None:
    """Five red beans are worth four coins, and so are six."""
    table = table_of(bot_seat(("green",), (("green",), ("red",) * 5)), phase="plant")
    assert greedy_choice(table) == c.Harvest(1)


def test_it_keeps_an_optional_card_that_would_cost_a_field() -> None:
    """The second card stays in hand where a good field would have to go for it."""
    table = table_of(bot_seat(("soy",), (("blue",) * 3, ("chili",) * 2)), phase="plant", planted=1)
    assert greedy_choice(table) == c.Reveal()


def test_it_plants_an_optional_card_that_fits() -> None:
    """The second card is planted where its variety grows."""
    table = table_of(bot_seat(("chili",), (("blue",) * 3, ("chili",) * 2)), phase="plant", planted=1)
    assert greedy_choice(table) == c.Plant(1)


def test_it_buys_the_third_field_early() -> None:
    """With a good part of the game to come, three coins are well spent on room."""
    table = table_of(bot_seat(("soy",), (("blue",) * 3, ("chili",) * 2), coins=3), phase="plant")
    assert greedy_choice(table) == c.BuyField()


def test_it_buys_no_field_at_the_end() -> None:
    """A field that hardly anything will be planted on is not worth three coins."""
    rules, state = table_of(
        bot_seat(("soy",), (("blue",) * 3, ("chili",) * 2), coins=3), phase="plant", draw_pile=5
    )
    table = rules, msgspec.structs.replace(state, exhaustions=2)
    assert isinstance(greedy_choice(table), c.Harvest)


def test_it_plants_first_what_fits_of_the_cards_aside() -> None:
    """What fits is planted before a field is given up for something new."""
    seat = msgspec.structs.replace(
        bot_seat((), (("blue",) * 3, ("chili",) * 2)), aside=((1, "soy"), (2, "chili"))
    )
    assert greedy_choice(table_of(seat, phase="plant_aside")) == c.PlantAside(2, 1)


def test_it_accepts_a_gift_that_it_can_use() -> None:
    """A red bean for a field of red beans is welcome."""
    offer = OpenOffer(1, 0, None, revealed=(1,))
    table = table_of(seat_with(), bot_seat((), (("red",), ("blue",))), revealed=("red",), offers=(offer,))
    assert greedy_choice(table, seat=1) == c.Accept(1)


def test_it_declines_a_harmful_gift() -> None:
    """A single blue bean would have to be planted, and a good field harvested for it."""
    offer = OpenOffer(1, 0, None, revealed=(1,))
    seat = bot_seat((), (("chili",) * 5, ("green",) * 4))
    table = table_of(seat_with(), seat, revealed=("blue",), offers=(offer,))
    assert greedy_choice(table, seat=1) == c.Decline(1)


def test_it_trades_a_card_that_does_not_fit_for_one_that_does() -> None:
    """A soy bean in front would cost a field; the red bean offered for it grows one."""
    offer = OpenOffer(1, 0, 1, revealed=(1,), want={"soy": 1})
    seat = bot_seat(("soy", "blue"), (("red",) * 2, ("blue",) * 4))
    others = seat_with(fields=(("soy",), ("green",)))
    table = table_of(others, seat, revealed=("red",), offers=(offer,))
    assert greedy_choice(table, seat=1) == c.Accept(1, (1,))


def test_it_pays_with_the_card_that_it_misses_least() -> None:
    """Of two soy beans, the one in front, which is to be planted first, is given."""
    offer = OpenOffer(1, 0, 1, revealed=(1,), want={"soy": 1})
    seat = bot_seat(("soy", "blue", "blue", "soy"), (("red",) * 2, ("blue",) * 4))
    table = table_of(seat_with(fields=(("soy",), ("green",))), seat, revealed=("red",), offers=(offer,))
    answer = greedy_choice(table, seat=1)
    assert isinstance(answer, c.Accept)
    assert len(answer.hand) == 1


def test_it_counters_an_offer_that_asks_too_much() -> None:
    """It would like the green bean, but not for the blue ones that it grows itself."""
    offer = OpenOffer(1, 0, 1, revealed=(1,), want={"blue": 2})
    table = table_of(seat_with(fields=(("soy",), ("chili",))), DEAR, revealed=("green",), offers=(offer,))
    counter = greedy_choice(table, seat=1)
    assert isinstance(counter, c.Counter)
    assert counter.want_revealed == (1,)
    assert not {1, 2} & {*counter.hand}


def test_it_counters_no_more_than_its_allowance() -> None:
    """Whoever has made their offers of this turn says yes or no."""
    offer = OpenOffer(3, 0, 1, revealed=(1,), want={"blue": 2})
    table = table_of(seat_with(fields=(("soy",), ("chili",))), DEAR, revealed=("green",), offers=(offer,))
    made = (e.OfferMade(number, 1, 0, hand_cards=("soy",)) for number in range(1, GREEDY.offers_off_turn + 1))
    memory = BotMemory().follow([e.TurnBegan(0, 1), *made])
    assert greedy_choice(table, seat=1, memory=memory) == c.Decline(3)


def test_it_asks_for_a_revealed_card_that_fits() -> None:
    """A revealed red bean, of no use to the active player, is asked for."""
    seat = bot_seat((), (("red",) * 2, ("blue",) * 4))
    table = table_of(seat_with(fields=(("chili",) * 5, ("blue",) * 5)), seat, revealed=("red",))
    assert greedy_choice(table, seat=1) == c.Offer(0, want_revealed=(1,))


def test_it_offers_what_it_cannot_use_and_asks_for_what_fits() -> None:
    """The revealed green bean, for which it has no room, goes out for what it grows."""
    neighbour = seat_with(("blue",) * 5, (("green",), ()))
    offer = greedy_choice(table_of(NO_ROOM, neighbour, revealed=("green",)))
    assert isinstance(offer, c.Offer)
    assert offer.revealed == (1,)
    assert set(offer.want) <= {"chili", "blue"}
    assert offer.want


def test_at_last_it_gives_away_what_it_cannot_use() -> None:
    """When nobody pays for the green bean, it is offered as a gift; then trading ends."""
    table = table_of(NO_ROOM, seat_with(("blue",) * 5, (("green",), ())), revealed=("green",))
    wants = [{card: count} for card in ("chili", "blue") for count in (1, 2)]
    refused = [e.OfferMade(number, 0, None, revealed=(1,), want=want) for number, want in enumerate(wants, 1)]
    memory = BotMemory().follow([e.TurnBegan(0, 1), *refused])
    assert greedy_choice(table, memory=memory) == c.Offer(revealed=(1,))
    gift = e.OfferMade(9, 0, None, revealed=(1,))
    assert greedy_choice(table, memory=memory.follow([gift])) == c.EndTrading()


def test_it_waits_for_people_who_have_not_answered() -> None:
    """While somebody may still answer, trading goes on; once alone, it ends."""
    offer = OpenOffer(1, 0, None, revealed=(1,), want={"red": 1}, declined=(1,))
    seat = bot_seat((), (("red",) * 4, ("blue",) * 5))
    made = e.OfferMade(1, 0, None, revealed=(1,), want={"red": 1})
    table = table_of(seat, revealed=("blue",), offers=(offer,))
    memory = BotMemory().follow([e.TurnBegan(0, 1), made])
    assert greedy_choice(table, memory=memory, alone=False) is None
    assert greedy_choice(table, memory=memory, alone=True) == c.EndTrading()


def test_it_ends_trading_when_everybody_has_answered() -> None:
    """A decline and a counter-offer that it has declined are answers too."""
    offer = OpenOffer(1, 0, None, revealed=(1,), want={"red": 1}, declined=(1,))
    seat = bot_seat((), (("red",) * 4, ("blue",) * 5))
    made = e.OfferMade(1, 0, None, revealed=(1,), want={"red": 1})
    countered = e.OfferMade(2, 2, 0, want={"blue": 1}, counters=1)
    memory = BotMemory().follow([e.TurnBegan(0, 1), made, countered])
    table = table_of(seat, revealed=("blue",), offers=(offer,))
    assert greedy_choice(table, memory=memory, alone=False) == c.EndTrading()


def test_it_does_not_wait_for_a_bot_that_keeps_silent() -> None:
    """It was asked first and will not speak before something happens; a person who has not answered still may."""
    offer = OpenOffer(1, 0, None, revealed=(1,), want={"red": 1}, declined=(1,))
    seat = bot_seat((), (("red",) * 4, ("blue",) * 5))
    memory = BotMemory().follow([e.TurnBegan(0, 1), e.OfferMade(1, 0, None, revealed=(1,), want={"red": 1})])
    person, bot = seat_with(hand=("chili",)), bot_seat(("chili",))
    silent_bot = table_of(seat, person, bot, revealed=("blue",), offers=(offer,))
    assert greedy_choice(silent_bot, memory=memory, alone=False) == c.EndTrading()
    silent_person = table_of(seat, bot, person, revealed=("blue",), offers=(offer,))
    assert greedy_choice(silent_person, memory=memory, alone=False) is None


def test_without_an_offer_of_its_own_it_leaves_people_time() -> None:
    """Others may want to ask for something before trading ends."""
    table = table_of(bot_seat((), (("red",) * 4, ("blue",) * 5)), revealed=("blue",))
    assert greedy_choice(table, alone=False) is None
    assert greedy_choice(table, alone=True) == c.EndTrading()
