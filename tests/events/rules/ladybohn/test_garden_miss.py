"""The garden miss pays more than her field holds: coins from the piles, some of which nobody has seen."""

from events import commands as c
from events import domain_events as e
from events.domain_events import UNKNOWN_CARD
from events.log.disclosure import ALL, PUBLIC
from events.rules.table.player_view import player_view
from tests.events.rules.ladybohn.tables import BABY, MISS, MISTER, PLAIN, rules, table
from tests.support.given import given
from tests.support.tables import families_of_different, rules_of

GARDEN, LADY = "garden_male", "garden_female"


def test_only_she_pays_more_than_her_field_holds() -> None:
    """Exception: of all misters, misses and babies, on fields of every size that there is."""
    played = rules()
    more = {
        (card, size)
        for card, family in played.variety.items()
        for size in range(1, played.varieties[family] + 1)
        if played.pay[card][size] > size
    }
    assert more == {(LADY, 1), (LADY, 2)}
    assert played.setup.paid_from_piles == (LADY,)


def test_the_garden_miss_is_paid_from_the_discard_pile() -> None:
    """Exception: the coins are the top cards of the discards; then her field is discarded."""
    after = (
        table(fields=((GARDEN, LADY), ()), coins=("soy_male",), discard_pile=(MISTER, MISS, BABY, PLAIN))
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (PLAIN, BABY, MISS)))
    )
    assert after.state.seats[0].coins == ("soy_male", PLAIN, BABY, MISS)
    assert after.state.discard_pile == (MISTER, GARDEN, LADY)
    assert after.state.seats[0].fields == ((), ())


def test_she_is_paid_so_from_a_field_of_any_size() -> None:
    """Exception, rules of the house: also where the field alone could pay."""
    field = (GARDEN, GARDEN, GARDEN, LADY)
    table(fields=(field, ()), discard_pile=(PLAIN,) * 3).when(c.Harvest(0)).then(
        e.FieldPaidFromPiles(0, 0, field, (PLAIN,) * 3)
    )


def test_any_field_that_pays_more_than_it_has_is_paid_so() -> None:
    """Exception, rules of the house: with a deck of one's own others can; a field that has enough pays itself."""
    deck = families_of_different()
    mister, miss, baby, other = (f"card_{number:03}_" for number in (0, 1, 2, 14))
    assert deck.beans[1].beanometer == {"2": 1, "4": 2}
    own_deck = rules_of("ladybohn", 3, catalogue=deck)
    discards = (baby, *(other,) * 4)
    for field, coins in (((miss,), 2), ((mister, miss), 4)):
        given(rules=own_deck, phase="reveal", fields=(field, ()), discard_pile=discards) \
            .when(c.Harvest(0)).then(e.FieldPaidFromPiles(0, 0, field, (other,) * coins))  # fmt: skip
    enough = (mister, baby, baby, miss)
    given(rules=own_deck, phase="reveal", fields=(enough, ()), discard_pile=discards) \
        .when(c.Harvest(0)).then(e.FieldHarvested(0, 0, enough, 4))  # fmt: skip


def test_the_draw_pile_pays_what_the_discards_lack() -> None:
    """Exception: the rest is taken from the draw pile; nobody sees these coins."""
    after = (
        table(fields=((GARDEN, LADY), ()), discard_pile=(MISTER,), draw_pile=(MISS, BABY, PLAIN))
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (MISTER,), (MISS, BABY)))
    )
    assert after.state.seats[0].coins == (MISTER, MISS, BABY)
    assert after.state.draw_pile == (PLAIN,)
    for viewer in (PUBLIC, 0, 1):
        coins = player_view(after.state, viewer)["seats"][0]["coins"]
        assert coins == [MISTER, UNKNOWN_CARD, UNKNOWN_CARD]
    assert player_view(after.state, ALL)["seats"][0]["coins"] == [MISTER, MISS, BABY]
    assert e.FieldPaidFromPiles.private == {"from_draw_pile": ""}


def test_it_can_exhaust_the_draw_pile_and_finds_nothing_to_shuffle() -> None:
    """Rules of the house: it counts; the field then discarded is shuffled at the next draw, uncounted."""
    after = (
        table(phase="draw", fields=((GARDEN, LADY), ()), draw_pile=(MISS, BABY, PLAIN))
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (), (MISS, BABY, PLAIN)), e.PileExhausted("draw", 1))
    )
    assert after.state.discard_pile == (GARDEN, LADY)
    after.when(c.Draw()).then(e.DealerCalled("shuffle", "draw", "draw", 0, 3))


def test_at_last_the_field_itself_pays_and_what_is_missing_lapses() -> None:
    """Rules of the house: then the top cards of the field, as in any harvest."""
    table(fields=((GARDEN, LADY), ()), discard_pile=(MISTER,), draw_pile=(MISS,), exhaustions=1).when(
        c.Harvest(0)
    ).then(e.FieldPaidFromPiles(0, 0, (GARDEN, LADY), (MISTER,), (MISS,), 1), e.PileExhausted("draw", 2))
    short = (
        table(fields=((LADY,), ()), draw_pile=())
        .when(c.Harvest(0))
        .then(e.FieldPaidFromPiles(0, 0, (LADY,), (), (), 1))
    )
    assert short.state.seats[0].coins == (LADY,)
    assert short.state.discard_pile == ()


def test_a_field_pays_its_top_cards_first() -> None:
    """Les Thunes: coins are the cards from the top of what was harvested, laid down one at a time."""
    after = table(fields=((GARDEN, GARDEN, LADY), ()), draw_pile=()).when(c.Harvest(0)).then_among_others()
    assert after.state.seats[0].coins == (LADY, GARDEN, GARDEN)
