"""Leaving a game: a bot plays on, whoever has left can come back, and where nobody is left the game ends."""

from msgspec.structs import replace

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.interventions.leaving import MOST_RETURNS, take_over
from events.rules.move import ARBITER, Move
from tests.events.rules.games import Giving, all_games, standard_games
from tests.support.given import Given
from tests.support.tables import seat_with


def left(table: Given, seat: int) -> Given:
    """The table after this seat has left; others are there still."""
    return table.when(c.Resign(), by=seat).then(
        e.SeatResigned(seat), e.SeatTakenOver(seat, "greedy", "resigned")
    )


def with_bot(table: Given, seat: int) -> Given:
    """The same table with a bot of its own on this seat."""
    bot = replace(table.state.seats[seat], kind="bot", bot="random")
    seats = (*table.state.seats[:seat], bot, *table.state.seats[seat + 1 :])
    return Given(table.rules, replace(table.state, seats=seats), table.earlier)


@all_games
def test_who_resigns_leaves_the_seat_to_a_bot(given: Giving) -> None:
    """Fieldbook, house rule: the bot plays on, and what the seat was is not forgotten."""
    seat = left(given(), 1).state.seats[1]
    assert (seat.kind, seat.bot, seat.away, seat.returns) == ("bot", "greedy", "human", 0)


@all_games
def test_one_may_leave_in_anybodys_turn_and_in_every_phase(given: Giving) -> None:
    """Fieldbook, house rule: nobody has to wait for a turn to leave."""
    for phase in given.phases:
        for seat in given.seats:
            left(given(phase=phase), seat)


@all_games
def test_the_seat_plays_on_as_before(given: Giving) -> None:
    """Fieldbook, house rule: the bot finds the same cards, and plants as the seat would have."""
    table = left(given(hand=("blue", "blue")), 0)
    assert table.state.seats[0].hand == ((1, "blue"), (2, "blue"))
    table.when(c.Plant(0)).then_among_others(e.BeanPlanted(0, 0, "blue"))


@standard_games
def test_nobody_leaves_twice(given: Giving) -> None:
    """Fieldbook, house rule: who has left can only come back."""
    left(given(), 1).when(c.Resign(), by=1).then_refused(errors.LeftAlready)


@standard_games
def test_a_bot_stays(given: Giving) -> None:
    """Fieldbook, house rule: a bot of its own neither leaves nor comes back."""
    table = with_bot(given(), 1)
    table.when(c.Resign(), by=1).then_refused(errors.PeopleOnly)
    table.when(c.ComeBack(), by=1).then_refused(errors.NotAway)


@standard_games
def test_who_has_left_comes_back_to_the_seat(given: Giving) -> None:
    """Fieldbook, house rule: the seat is what it was, and that it was left is counted."""
    table = left(given(), 1).when(c.ComeBack(), by=1).then(e.SeatReturned(1))
    before = given().state.seats[1]
    assert table.state.seats[1] == replace(before, returns=1)


@standard_games
def test_a_program_comes_back_as_the_program_that_it_was(given: Giving) -> None:
    """Fieldbook, house rule: its name and version stay with the seat."""
    program = replace(seat_with(hand=("green",)), kind="program", program="bean-counter", program_version="2")
    table = left(given(others={1: program}), 1)
    assert (table.state.seats[1].away, table.state.seats[1].program) == ("program", "bean-counter")
    back = table.when(c.ComeBack(), by=1).then(e.SeatReturned(1))
    assert back.state.seats[1] == replace(program, returns=1)


@standard_games
def test_nobody_comes_back_who_has_not_left(given: Giving) -> None:
    """Fieldbook, house rule: neither before nor a second time."""
    given().when(c.ComeBack(), by=1).then_refused(errors.NotAway)
    back = left(given(), 1).when(c.ComeBack(), by=1).then(e.SeatReturned(1))
    back.when(c.ComeBack(), by=1).then_refused(errors.NotAway)


@standard_games
def test_one_comes_back_three_times_and_no_more(given: Giving) -> None:
    """Fieldbook, house rule: after that the bot plays to the end."""
    table = given()
    for _ in range(MOST_RETURNS):
        table = left(table, 1).when(c.ComeBack(), by=1).then(e.SeatReturned(1))
    left(table, 1).when(c.ComeBack(), by=1).then_refused(errors.TooManyReturns)


@all_games
def test_when_the_last_one_leaves_the_game_ends(given: Giving) -> None:
    """Fieldbook, house rule: nobody has won, and the scores are what each seat has earned so far."""
    table = given(coins=("blue", "blue"), fields=(("blue",) * 8, ()))
    for seat in given.seats[1:]:
        table = left(table, seat)
    scores = (2, *(0 for _ in given.seats[1:]))
    ended = table.when(c.Resign(), by=0).then(
        e.SeatResigned(0),
        e.SeatTakenOver(0, "greedy", "resigned"),
        e.GameEnded(scores, (), "abandoned"),
        e.DealerCalled("secret"),
    )
    assert ended.state.seats[0].fields == (("blue",) * 8, ())
    ended.when(c.ComeBack(), by=0).then_refused(errors.GameOver)


@standard_games
def test_bots_of_their_own_do_not_keep_a_game_going(given: Giving) -> None:
    """Fieldbook, house rule: where the only person leaves, the game is abandoned."""
    table = given()
    for seat in given.seats[1:]:
        table = with_bot(table, seat)
    table.when(c.Resign(), by=0).then_among_others(e.DealerCalled("secret"))


@standard_games
def test_nobody_leaves_or_comes_back_while_the_game_is_held_up(given: Giving) -> None:
    """Fieldbook, house rule: a dispute and a take-back come first."""
    gone = left(given(), 1)
    paused = gone.when(c.PauseGame(1, "conduct"), by=ARBITER).then(e.GamePaused(1, "conduct"))
    paused.when(c.Resign(), by=0).then_refused(errors.GameIsPaused)
    paused.when(c.ComeBack(), by=1).then_refused(errors.GameIsPaused)
    then = given(hand=("blue", "blue", "chili"))
    now = then.when(c.Plant(0)).then_among_others()
    asked = now.after(7, then).when(c.AskTakeBack(7, seen_confirmed=True)).then_among_others()
    asked.when(c.Resign(), by=1).then_refused(errors.TakeBackOpen)


@standard_games
def test_leaving_is_no_sign_of_wanting_more(given: Giving) -> None:
    """Fieldbook, house rule: who was ready stays ready, and nobody has to wait again."""
    ready = given(phase="trade", revealed=("soy",)).when(c.Ready(), by=1).then(e.ReadinessDeclared(1))
    assert left(ready, 1).state.ready == (1,)


@standard_games
def test_who_has_left_agrees_to_a_take_back_as_every_bot_does(given: Giving) -> None:
    """Fieldbook, house rule: nobody has to wait for an answer from who is not there."""
    then = left(given(hand=("blue", "blue", "chili")), 1)
    now = then.when(c.Plant(0)).then_among_others().after(7, then)
    question = c.AskTakeBack(7, seen_confirmed=True)
    now.when(question).then(e.TakeBackAsked(0, 7, (0, 1), seen_confirmed=True))


@standard_games
def test_going_back_brings_nobody_back(given: Giving) -> None:
    """Fieldbook, house rule: cards go back, people do not; and how often one has come back stays counted."""
    then = given(hand=("blue", "blue", "chili"))
    now = left(then.when(c.Plant(0)).then_among_others(), 1).when(c.ComeBack(), by=1).then_among_others()
    now = left(now, 1).after(7, then)
    table = now.when(c.AskTakeBack(7, seen_confirmed=True)).then_among_others()
    for seat in given.seats[2:]:
        table = table.when(c.AgreeTakeBack(), by=seat).then_among_others()
    gone = table.state.seats[1]
    assert table.state.seats[0] == then.state.seats[0]
    assert (gone.kind, gone.bot, gone.away, gone.returns) == ("bot", "greedy", "human", 1)


@standard_games
def test_going_back_sends_nobody_away_who_has_come_back(given: Giving) -> None:
    """Fieldbook, house rule: who plays again goes on playing, also from where they were away."""
    then = left(given(hand=("blue", "blue", "chili")), 1)
    now = (
        then.when(c.Plant(0)).then_among_others().when(c.ComeBack(), by=1).then_among_others().after(7, then)
    )
    table = now.when(c.AskTakeBack(7, seen_confirmed=True)).then_among_others()
    for seat in given.seats[1:]:
        table = table.when(c.AgreeTakeBack(), by=seat).then_among_others()
    assert table.state.take_back is None
    assert table.state.seats[1] == replace(given().state.seats[1], returns=1)


@standard_games
def test_a_seat_that_is_taken_over_for_another_reason_answers_what_it_was_asked(given: Giving) -> None:
    """Fieldbook, house rule: the bot agrees to the take-back that held the game up."""
    then = given(hand=("blue", "blue", "chili"))
    now = then.when(c.Plant(0)).then_among_others().after(7, then)
    table = now.when(c.AskTakeBack(7, seen_confirmed=True)).then_among_others()
    for seat in given.seats[2:]:
        table = table.when(c.AgreeTakeBack(), by=seat).then_among_others()
    move = Move(table.rules, table.state, 1, table.earlier)
    take_over(move, 1, "absent", "random")
    assert move.events[:2] == [e.SeatTakenOver(1, "random", "absent"), e.TakeBackAgreed(1)]
    assert isinstance(move.events[2], e.GameRewound)
    assert (move.state.seats[1].bot, move.state.seats[1].away) == ("random", "human")


@all_games
def test_who_has_left_ranks_last(given: Giving) -> None:
    """Fieldbook, house rule: however much the seat has earned, one of those who stayed wins; scores stay."""
    table = given(coins=("blue",) * 9, hand=())
    counted, winners = table.rules.count_result(left(table, 0).state)
    assert counted[0] == 9
    assert winners
    assert 0 not in winners
    assert table.rules.count_result(table.state)[1] == (0,)


@standard_games
def test_a_tie_is_broken_among_those_who_stayed(given: Giving) -> None:
    """Fieldbook, house rule: who has left does not share a victory either."""
    rich = seat_with(hand=("green",), coins=("blue",) * 3)
    table = left(given(coins=("blue",) * 3, others={1: rich}, hand=("blue",) * 4), 0)
    assert table.rules.count_result(table.state)[1] == (1,)


@standard_games
def test_where_all_are_away_all_can_win(given: Giving) -> None:
    """Fieldbook, house rule: somebody has to rank first."""
    state = given(coins=("blue",) * 3).state
    everybody = tuple(replace(seat, kind="bot", bot="greedy", away="human") for seat in state.seats)
    assert given.rules.count_result(replace(state, seats=everybody))[1] == (0,)
