"""The Duel, Offrir des cartes haricots: what an accepted gift moves, and who chooses the card."""

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.systems.the_duel.errors import NotTheGift, NotYourGift
from events.rules.table.player_view import player_view
from events.rules.table.waiting import waiting_for
from tests.events.rules.the_duel.tables import answering, offers
from tests.support.duels import given_duel, side


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
    choosing.when(c.GiveFromHand(1), by=1).then_refused(NotYourGift)
    choosing.when(c.GiveRevealed(1), by=1).then_refused(NotYourGift)
    choosing.when(c.GiveFromHand(2)).then_refused(NotTheGift)
    choosing.when(c.GiveFromHand(9)).then_refused(errors.NotInHand)
    choosing.when(c.GiveRevealed(1)).then_refused(NotTheGift)
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


def test_what_is_received_lies_open_aside_with_a_number_of_its_own() -> None:
    """Il la place de côté près de ses champs: never in the hand, whose order stays."""
    given = answering("chili").when(c.AcceptGift(), by=1).then_among_others(e.PhaseBegan("plant_aside"))
    assert given.state.seats[1].hand == ((1, "soy"),)
    for viewer in (-1, 0, 1):
        assert player_view(given.state, viewer)["seats"][1]["aside"] == [{"number": 1, "card": "chili"}]
