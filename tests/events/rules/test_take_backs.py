"""Mistakes between friends: whoever wants to take something back asks all the others."""

from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.commands.dealing import DUPLICATE, Dealing
from events.rules import errors
from events.rules.move import ARBITER
from tests.events.rules.games import Giving, all_games, standard_games
from tests.support.given import Given


def planted_by_mistake(given: Giving) -> tuple[Given, Given]:
    """A table, and that game later: the active player has planted a bean."""
    then = given(hand=("blue", "blue", "chili"))
    return then, then.when(c.Plant(0)).then_among_others()


def asked(given: Giving, seat: int = 0) -> Given:
    """The seat has asked to go back to version 7, before the planting."""
    then, now = planted_by_mistake(given)
    question = c.AskTakeBack(7, seen_confirmed=True)
    return (
        now.after(7, then)
        .when(question, by=seat)
        .then(e.TakeBackAsked(seat, 7, (seat,), seen_confirmed=True))
    )


def with_bots(table: Given, *seats: int) -> Given:
    """The same table with bots on these seats."""
    players = enumerate(table.state.seats)
    loaded = tuple(replace(seat, kind="bot" if number in seats else "human") for number, seat in players)
    return Given(table.rules, replace(table.state, seats=loaded), table.earlier)


@all_games
def test_when_everybody_has_agreed_the_game_goes_back(given: Giving) -> None:
    """Fieldbook, house rule: with the last agreement, by nobody's ruling."""
    then, _ = planted_by_mistake(given)
    table = asked(given, seat=1)
    for seat in given.seats:
        if seat in (0, 1):
            continue
        table = table.when(c.AgreeTakeBack(), by=seat).then(e.TakeBackAgreed(seat))
    back = table.when(c.AgreeTakeBack(), by=0).then(e.TakeBackAgreed(0), e.GameRewound(7, 1))
    assert back.state == then.state


@all_games
def test_one_who_declines_is_enough(given: Giving) -> None:
    """Fieldbook, house rule: the game goes on as it stands."""
    table = asked(given).when(c.DeclineTakeBack(), by=1).then(e.TakeBackDeclined(1))
    assert table.state == planted_by_mistake(given)[1].state
    table.when(c.Reveal() if table.state.phase == "reveal" else c.Plant(0)).then_among_others()


@all_games
def test_who_asked_may_think_better_of_it(given: Giving) -> None:
    """Fieldbook, house rule: the question is declined by whoever asked it."""
    asked(given).when(c.DeclineTakeBack()).then(e.TakeBackDeclined(0))


@all_games
def test_the_game_waits_for_the_answers(given: Giving) -> None:
    """Fieldbook, house rule: until then only talk is accepted, and no second question."""
    table = asked(given)
    for command in (c.Plant(0), c.Reveal(), c.BuyField(), c.Harvest(0), c.AskTakeBack(7)):
        table.when(command).then_refused(errors.TakeBackOpen)
    table.when(c.AskTakeBack(7), by=1).then_refused(errors.TakeBackOpen)
    table.when(c.Say("Please!")).then(e.Talked(0, "Please!"))


@standard_games
def test_nobody_agrees_twice(given: Giving) -> None:
    """Fieldbook, house rule: who asked has agreed."""
    table = asked(given)
    table.when(c.AgreeTakeBack()).then_refused(errors.AgreedAlready)
    agreed = table.when(c.AgreeTakeBack(), by=1).then(e.TakeBackAgreed(1))
    agreed.when(c.AgreeTakeBack(), by=1).then_refused(errors.AgreedAlready)


@standard_games
def test_there_is_nothing_to_answer_where_nobody_asked(given: Giving) -> None:
    """Fieldbook, house rule."""
    given().when(c.AgreeTakeBack()).then_refused(errors.NoTakeBack)
    given().when(c.DeclineTakeBack(), by=1).then_refused(errors.NoTakeBack)


@standard_games
def test_bots_agree_at_once(given: Giving) -> None:
    """Fieldbook, house rule: alone among bots a person takes back their own card, and no other seat does."""
    then, now = planted_by_mistake(given)
    bots = tuple(given.seats[1:])
    alone = with_bots(now.after(7, then), *bots).when(c.AskTakeBack(7, seen_confirmed=True))
    alone.then(e.TakeBackAsked(0, 7, (0, *bots), seen_confirmed=True), e.GameRewound(7, 1))
    other = with_bots(now.after(7, then), bots[-1]).when(c.AskTakeBack(7, seen_confirmed=True), by=1)
    other.then_refused(errors.BotsDecline)


@standard_games
def test_cards_that_were_seen_are_confirmed_by_whoever_asks_and_dealt_anew(given: Giving) -> None:
    """Fieldbook, house rule: the others read it in the question, and the pile is shuffled before the game goes on."""
    then = given(phase="draw", draw_pile=("blue", "chili", "stink", "green", "soy", "red"))
    now = then.when(c.Draw()).then_among_others().after(7, then)
    now.when(c.AskTakeBack(7), by=0).then_refused(errors.SeenUnconfirmed)
    table = now.when(c.AskTakeBack(7, seen_confirmed=True), by=0).then_among_others()
    for seat in given.seats[1:-1]:
        table = table.when(c.AgreeTakeBack(), by=seat).then(e.TakeBackAgreed(seat))
    back = table.when(c.AgreeTakeBack(), by=given.seats[-1]).then_among_others(
        e.GameRewound(7, 1, redeal=("draw",)), e.DealerCalled("shuffle", "draw", "redeal", 0)
    )
    back.when(c.Draw()).then_refused(errors.DealerMustAct)


@standard_games
def test_in_a_duplicate_round_the_deal_stays(given: Giving) -> None:
    """Fieldbook, house rule: going back turns up no other cards there, whoever confirms what."""
    then = given(phase="draw", draw_pile=("blue", "chili", "stink", "green", "soy", "red"))
    drawn = then.when(c.Draw()).then_among_others().after(7, then)
    dealt_alike = replace(drawn.state, dealing=Dealing(DUPLICATE, "seed"))
    duplicate = Given(drawn.rules, dealt_alike, drawn.earlier)
    for confirmed in (False, True):
        duplicate.when(c.AskTakeBack(7, seen_confirmed=confirmed)).then_refused(errors.DealMustStay)


@standard_games
def test_nobody_asks_for_a_version_that_the_game_cannot_go_back_to(given: Giving) -> None:
    """Fieldbook, house rule."""
    then, now = planted_by_mistake(given)
    now.after(7, then).when(c.AskTakeBack(8)).then_refused(errors.ContradictsLog)
    now.when(c.AskTakeBack(7)).then_refused(errors.ContradictsLog)


@standard_games
def test_a_ruling_to_go_back_settles_what_was_asked(given: Giving) -> None:
    """Fieldbook, house rule: the question is gone with the stretch that it was asked in."""
    ruling = c.RuleGame(1, "rewound", "Ada", "the planting", "It was a slip.", 7, seen_confirmed=True)
    back = asked(given).when(ruling, by=ARBITER).then_among_others(e.GameRewound(7, 1, 1))
    assert back.state == planted_by_mistake(given)[0].state


@standard_games
def test_a_seat_that_the_table_does_not_have_asks_for_nothing(given: Giving) -> None:
    """Fieldbook, house rule."""
    given().when(c.AskTakeBack(7), by=given.rules.players).then_refused(errors.NoSuchSeat)
