"""Pauses and rulings: what an arbiter can do to a running game, and what is refused to them."""

from typing import Any

import pytest

from events import commands as c
from events import domain_events as e
from events.rules import errors
from events.rules.interventions.rulings import HIGHEST_SCORE, LONGEST_NAME, LONGEST_REASON, LONGEST_SCOPE
from events.rules.move import ARBITER
from tests.events.rules.games import Giving, all_games, standard_games
from tests.support.given import Given
from tests.support.given import given as given_any
from tests.support.tables import rules_of, seat_with

SCOPE, REASON = "the trade of turn 7", "Seat 1 never accepted it."
SECRET_DUE = e.DealerCalled("secret")


def ruling(kind: str, **more: Any) -> c.RuleGame:
    """A ruling of case 1; what is not said is as it should be."""
    return c.RuleGame(**{"case": 1, "kind": kind, "arbiter": "Ada", "scope": SCOPE, "reason": REASON, **more})


def made(kind: str) -> e.RulingMade:
    """What is recorded of such a ruling."""
    return e.RulingMade(1, kind, "Ada", SCOPE, REASON)


def paused(given: Giving, *cases: int) -> Given:
    """A table that these cases hold up."""
    table = given()
    for case in cases or (1,):
        table = table.when(c.PauseGame(case, "not_agreed"), by=ARBITER).then(e.GamePaused(case, "not_agreed"))
    return table


def drawn_since(given: Giving) -> tuple[Given, Given]:
    """A table, and that game later: the active player has drawn."""
    then = given(phase="draw", draw_pile=("blue", "chili", "stink", "green", "soy", "red"))
    return then, then.when(c.Draw()).then_among_others()


# --- pausing -------------------------------------------------------------------------------------------------


@all_games
def test_a_pause_stops_everything_but_talk(given: Giving) -> None:
    """Fieldbook, house rule: whoever asks what they can do is offered talk, and nothing else is accepted."""
    table = paused(given)
    table.when(c.Plant(0)).then_refused(errors.GameIsPaused)
    table.when(c.AskTakeBack(7)).then_refused(errors.GameIsPaused)
    table.when(c.Say("Let us wait for Ada.")).then(e.Talked(0, "Let us wait for Ada."))
    table.when(c.Say("Yes."), by=1).then(e.Talked(1, "Yes."))


@all_games
def test_a_game_goes_on_when_no_case_holds_it_up_any_more(given: Giving) -> None:
    """Fieldbook, house rule: each case pauses and resumes for itself."""
    both = paused(given, 1, 2)
    one = both.when(c.ResumeGame(1), by=ARBITER).then(e.GameResumed(1))
    one.when(c.Plant(0)).then_refused(errors.GameIsPaused)
    one.when(c.ResumeGame(2), by=ARBITER).then(e.GameResumed(2)).when(c.Plant(0)).then_among_others()


@standard_games
def test_a_case_pauses_once_and_resumes_only_what_it_paused(given: Giving) -> None:
    """Fieldbook, house rule."""
    paused(given).when(c.PauseGame(1, "clock"), by=ARBITER).then_refused(errors.PausedAlready)
    paused(given).when(c.ResumeGame(2), by=ARBITER).then_refused(errors.GameNotPaused)
    given().when(c.ResumeGame(1), by=ARBITER).then_refused(errors.GameNotPaused)


@standard_games
def test_an_arbiter_does_nothing_that_players_do(given: Giving) -> None:
    """Fieldbook, house rule; nor do players do what is an arbiter's."""
    given().when(c.Plant(0), by=ARBITER).then_refused(errors.UnknownCommand)
    given().when(c.Say("Order!"), by=ARBITER).then_refused(errors.UnknownCommand)
    given().when(c.AgreeTakeBack(), by=ARBITER).then_refused(errors.UnknownCommand)
    for command in (c.PauseGame(1, "clock"), c.ResumeGame(1), ruling("annulled")):
        given().when(command).then_refused(errors.UnknownCommand)


@standard_games
def test_an_arbiter_waits_for_the_dealer(given: Giving) -> None:
    """Fieldbook, house rule: a shuffle that is due comes first."""
    due = (
        given(phase="draw", draw_pile=("red",), discard_pile=("soy", "soy"))
        .when(c.Draw())
        .then_among_others()
    )
    due.when(c.PauseGame(1, "clock"), by=ARBITER).then_refused(errors.DealerMustAct)
    due.when(ruling("annulled"), by=ARBITER).then_refused(errors.DealerMustAct)


# --- rulings that leave the table as it is, and those that end the game --------------------------------------


@all_games
def test_a_ruling_lets_the_game_go_on_that_its_case_has_paused(given: Giving) -> None:
    """Fieldbook, house rule: a claim that is dismissed changes nothing, and says who ruled, on what and why."""
    after = paused(given).when(ruling("dismissed"), by=ARBITER).then(made("dismissed"))
    assert after.state == given().state


@all_games
def test_an_annulled_game_has_scores_and_no_winner(given: Giving) -> None:
    """Fieldbook, house rule: the scores are what lies on the coin stacks; what still grows does not count."""
    table = given(coins=("blue", "red"), fields=(("soy",) * 4, ()))
    scores = (2, *(0 for _ in given.seats[1:]))
    ended = table.when(ruling("annulled"), by=ARBITER).then(
        made("annulled"), e.GameEnded(scores, (), "annulled", "coins"), SECRET_DUE
    )
    assert ended.state.status == "ended"
    assert ended.state.due is not None


@all_games
def test_a_game_can_be_awarded(given: Giving) -> None:
    """Fieldbook, house rule: to one seat or more, whatever they have earned."""
    table = given(coins=("blue",))
    scores = (1, *(0 for _ in given.seats[1:]))
    for winners in ((1,), (0, 1)):
        table.when(ruling("awarded", winners=winners), by=ARBITER).then(
            made("awarded"), e.GameEnded(scores, winners, "awarded", "coins"), SECRET_DUE
        )


def test_the_scores_of_a_ruling_are_in_the_unit_of_the_game() -> None:
    """Fieldbook, house rule: in The Duel a coin is a hundred cents."""
    table = given_any(rules=rules_of("the-duel", 2), coins=("blue", "blue"), fields=((), (), ()))
    table.when(ruling("awarded", winners=(1,)), by=ARBITER).then(
        made("awarded"), e.GameEnded((200, 0), (1,), "awarded", "cents"), SECRET_DUE
    )


@standard_games
def test_a_result_can_be_replaced(given: Giving) -> None:
    """Fieldbook, house rule: scores and winners are those that the ruling names."""
    scores = tuple(range(given.rules.players))
    given().when(ruling("replaced", winners=(0,), scores=scores), by=ARBITER).then(
        made("replaced"), e.GameEnded(scores, (0,), "replaced", "coins"), SECRET_DUE
    )


@standard_games
def test_a_ruling_that_ends_the_game_ends_all_pauses_with_it(given: Giving) -> None:
    """Fieldbook, house rule: after it only the dealer acts."""
    ended = paused(given, 1, 2).when(ruling("annulled"), by=ARBITER).then_among_others(made("annulled"))
    ended.when(c.ResumeGame(2), by=ARBITER).then_refused(errors.GameOver)
    ended.when(c.Plant(0)).then_refused(errors.GameOver)


# --- rulings that go back ------------------------------------------------------------------------------------


@standard_games
def test_a_game_goes_back_and_what_is_left_of_the_pile_is_dealt_anew(given: Giving) -> None:
    """Fieldbook, house rule: cards were seen that are not drawn any more; the discard pile stays where it is."""
    then, now = drawn_since(given)
    back = (
        now.after(7, then)
        .when(ruling("rewound", to_version=7, seen_confirmed=True), by=ARBITER)
        .then(
            made("rewound"),
            e.GameRewound(7, 1, 1, ("draw",)),
            e.DealerCalled("shuffle", "draw", "redeal", 0),
        )
    )
    assert back.state.seats == then.state.seats
    pile = tuple(sorted(then.state.draw_pile))
    dealt = back.when(c.Shuffle("draw", pile), by=-1).then(e.PileShuffled("draw", 2, pile))
    assert dealt.state.draw_pile == pile
    assert dealt.state.redeal == ()
    dealt.when(c.Draw()).then_among_others(e.CardsDrawn(0, pile[: given.rules.setup.draw]))


@standard_games
def test_a_game_goes_back_without_a_shuffle_where_no_card_was_taken(given: Giving) -> None:
    """Fieldbook, house rule: other cases go on holding it up, and its own does not."""
    then = given(hand=("blue", "blue"))
    now = then.when(c.Say("Oh."), by=1).then_among_others().after(7, then)
    paused_twice = now
    for case in (1, 2):
        paused_twice = paused_twice.when(c.PauseGame(case, "clock"), by=ARBITER).then_among_others()
    back = paused_twice.when(ruling("rewound", to_version=7), by=ARBITER).then(
        made("rewound"), e.GameRewound(7, 1, 1, paused_by=(2,))
    )
    assert back.when(c.ResumeGame(2), by=ARBITER).then_among_others().state == then.state


@standard_games
def test_going_back_over_cards_that_were_seen_has_to_be_confirmed(given: Giving) -> None:
    """Fieldbook, house rule: what was seen cannot be unseen."""
    then, now = drawn_since(given)
    now.after(7, then).when(ruling("rewound", to_version=7), by=ARBITER).then_refused(errors.SeenUnconfirmed)


@standard_games
def test_what_was_seen_is_counted_and_not_named(given: Giving) -> None:
    """Fieldbook, house rule: everybody may read the refusal, so no card is in it."""
    then, now = drawn_since(given)
    with pytest.raises(errors.SeenUnconfirmed) as refused:
        now.after(7, then).when(ruling("rewound", to_version=7), by=ARBITER).then()
    assert f"{given.rules.setup.draw} of the draw pile" in str(refused.value)
    assert not [card for card in then.state.draw_pile if card in str(refused.value)]


@standard_games
def test_a_game_goes_back_only_to_where_somebody_could_act(given: Giving) -> None:
    """Fieldbook, house rule: to no version that does not count, that is to come, or at which the dealer was due."""
    then, now = drawn_since(given)
    back = ruling("rewound", to_version=7, seen_confirmed=True)
    now.after(8, then).when(back, by=ARBITER).then_refused(errors.ContradictsLog)
    due = (
        given(phase="draw", draw_pile=("red",), discard_pile=("soy", "soy"))
        .when(c.Draw())
        .then_among_others()
    )
    now.after(7, due).when(back, by=ARBITER).then_refused(errors.ContradictsLog)
    ended = given().when(ruling("annulled"), by=ARBITER).then_among_others()
    now.after(7, ended).when(back, by=ARBITER).then_refused(errors.ContradictsLog)


# --- rulings that are refused --------------------------------------------------------------------------------

BAD: list[dict[str, Any]] = [
    {"kind": ""},
    {"kind": "lenient"},
    {"case": 0},
    {"case": -1},
    {"arbiter": ""},
    {"arbiter": " "},
    {"arbiter": "A" * (LONGEST_NAME + 1)},
    {"arbiter": "Ada\x1b[2J"},
    {"scope": ""},
    {"scope": "\n"},
    {"scope": "s" * (LONGEST_SCOPE + 1)},
    {"reason": ""},
    {"reason": "\u2003"},
    {"reason": "r" * (LONGEST_REASON + 1)},
    {"reason": "so\x07"},
    {"reason": "\ud800"},
    {"to_version": 7},
    {"seen_confirmed": True},
    {"winners": (0,)},
    {"scores": (0, 0, 0)},
    {"kind": "awarded", "winners": (0,), "scores": (1, 0, 0)},
    {"kind": "replaced", "to_version": 7},
    {"kind": "rewound", "to_version": 7, "winners": (0,)},
    {"kind": "dismissed", "seen_confirmed": True},
]


@pytest.mark.parametrize("wrong", BAD, ids=ascii)
def test_a_ruling_needs_a_kind_a_person_a_scope_and_a_reason_and_nothing_else(wrong: dict[str, Any]) -> None:
    """Fieldbook, house rule: what would say nothing in a ruling of its kind is refused like what is missing."""
    given_any().when(ruling(**{"kind": "annulled", **wrong}), by=ARBITER).then_refused(errors.BadRuling)


def test_the_longest_texts_are_accepted() -> None:
    """Fieldbook, house rule: a reason may have paragraphs, in any script."""
    texts = {
        "arbiter": "Ž" * LONGEST_NAME,
        "scope": "範" * LONGEST_SCOPE,
        "reason": "so\n\n" + "r" * (LONGEST_REASON - 4),
    }
    given_any().when(ruling("dismissed", **texts), by=ARBITER).then(
        e.RulingMade(1, "dismissed", texts["arbiter"], texts["scope"], texts["reason"])
    )


@pytest.mark.parametrize("reason", ["", " ", "r" * (LONGEST_SCOPE + 1), "\x00"])
def test_a_pause_needs_a_reason(reason: str) -> None:
    """Fieldbook, house rule: one that can be shown."""
    given_any().when(c.PauseGame(1, reason), by=ARBITER).then_refused(errors.BadRuling)
    given_any().when(c.PauseGame(0, "clock"), by=ARBITER).then_refused(errors.BadRuling)


@pytest.mark.parametrize("winners", [(), (1, 0), (1, 1), (0, 0)])
@pytest.mark.parametrize("kind", ["awarded", "replaced"])
def test_winners_are_seats_each_named_once(kind: str, winners: tuple[int, ...]) -> None:
    """Fieldbook, house rule: in order, and at least one; a game without a winner is annulled."""
    scores = (1, 2, 3) if kind == "replaced" else ()
    given_any().when(ruling(kind, winners=winners, scores=scores), by=ARBITER).then_refused(
        errors.ContradictsLog
    )


@pytest.mark.parametrize("winners", [(3,), (-1, 0), (0, 99)])
def test_no_seat_wins_that_the_table_does_not_have(winners: tuple[int, ...]) -> None:
    """Fieldbook, house rule."""
    given_any().when(ruling("awarded", winners=winners), by=ARBITER).then_refused(errors.NoSuchSeat)


@pytest.mark.parametrize("scores", [(), (1, 2), (1, 2, 3, 4), (1, 2, -1), (0, 0, HIGHEST_SCORE + 1)])
def test_scores_are_one_for_each_seat(scores: tuple[int, ...]) -> None:
    """Fieldbook, house rule: none below nought, and none that is beyond reason."""
    replaced = ruling("replaced", winners=(0,), scores=scores)
    given_any().when(replaced, by=ARBITER).then_refused(errors.ContradictsLog)


def test_no_ruling_is_made_before_a_game_has_begun() -> None:
    """Fieldbook, house rule: a table at which not everybody sits has nothing to rule on."""
    table = given_any()
    unbegun = Given(
        table.rules, type(table.state)(seats=(seat_with(), seat_with(), seat_with()), status="open")
    )
    unbegun.when(ruling("annulled"), by=ARBITER).then_refused(errors.GameNotStarted)
    unbegun.when(c.PauseGame(1, "clock"), by=ARBITER).then_refused(errors.GameNotStarted)
