"""While a game is held up nothing but talk is legal, in whatever state it is; then it goes on as if nothing was."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from events import commands as c
from events.rules import errors
from events.rules.decide import play
from events.rules.definition.forms import SayForm
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.move import ARBITER
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from tests.laws.exactness import what_is_listed_and_nothing_else_is_accepted
from tests.laws.games import Setup, every_setup, played
from tests.support.strategies import Dice


def some_states(setup: Setup) -> Iterator[tuple[Rules, GameState, Dice]]:
    """Some states of the random game of this setup, in which somebody could act."""
    dice = Dice(f"held up {setup}")
    for step in played(setup)[1]:
        if dice.chance(4) and step.after.state.status == "running":
            yield step.after.rules, step.after.state, dice


def paused(rules: Rules, state: GameState, case: int = 1) -> GameState:
    """The table, held up by a case."""
    return play(rules, state, ARBITER, c.PauseGame(case, "conduct")).state


def asked(rules: Rules, state: GameState, seat: int) -> GameState:
    """The table after this seat has asked to go back to a version at which nothing less had been seen."""
    earlier = replace(state, planted=state.planted + 1)
    return play(rules, state, seat, c.AskTakeBack(7), {7: earlier}.get).state


def only_talk_is_legal(rules: Rules, state: GameState, dice: Dice) -> None:
    """For every seat: a form for talk is listed, and answers to a question; all other types are refused."""
    for seat in range(rules.players):
        what_is_listed_and_nothing_else_is_accepted(rules, state, seat, dice)
        listed = [type(choice) for choice in legal_commands(rules, state, seat)]
        assert listed == [SayForm, *answers_to(state, seat)]


def answers_to(state: GameState, seat: int) -> list[type[c.Command]]:
    """What a seat can answer without the log; nothing where none is asked or a dispute comes first.

    Who would be the last to agree sends the game back, and only the log says whether it can go there: that is in
    `test_taking_back`. Who has agreed can still decline.
    """
    if state.take_back is None or state.paused_by:
        return []
    agreed = state.take_back.agreed
    is_last = len(agreed) == len(state.seats) - 1
    return [c.DeclineTakeBack] if seat in agreed or is_last else [c.AgreeTakeBack, c.DeclineTakeBack]


@every_setup
def test_in_a_paused_game_only_talk_is_legal(setup: Setup) -> None:
    """Fieldbook, house rule: it waits for nobody at the table."""
    for rules, state, dice in some_states(setup):
        only_talk_is_legal(rules, paused(rules, state), dice)
        assert waiting_for(paused(rules, state)) == ()


@every_setup
def test_while_a_take_back_is_open_only_talk_and_answers_are_legal(setup: Setup) -> None:
    """Fieldbook, house rule: the game waits for whoever has not agreed; a pause comes before the answers."""
    for rules, state, dice in some_states(setup):
        seat = dice.below(rules.players)
        open_question = asked(rules, state, seat)
        only_talk_is_legal(rules, open_question, dice)
        only_talk_is_legal(rules, paused(rules, open_question), dice)
        assert waiting_for(open_question) == tuple(each for each in range(rules.players) if each != seat)


@every_setup
def test_a_game_that_was_held_up_goes_on_as_if_nothing_had_been(setup: Setup) -> None:
    """Fieldbook, house rule: pauses, a ruling that dismisses and a take-back declined leave no trace."""
    dismissed = c.RuleGame(2, "dismissed", "Ada", "the last move", "It was legal.")
    for rules, state, dice in some_states(setup):
        twice = paused(rules, paused(rules, state), 2)
        once = play(rules, twice, ARBITER, dismissed).state
        assert once == paused(rules, state)
        assert play(rules, once, ARBITER, c.ResumeGame(1)).state == state
        seat = dice.below(rules.players)
        assert play(rules, asked(rules, state, seat), seat, c.DeclineTakeBack()).state == state


@every_setup
def test_a_game_that_is_over_is_neither_paused_nor_ruled_on_nor_taken_back(setup: Setup) -> None:
    """Fieldbook, house rule: a finished game stands as it is recorded."""
    end = played(setup)[1][-1].after
    dismissed = c.RuleGame(1, "dismissed", "Ada", "the end", "It was legal.")
    for actor, command in [
        (ARBITER, c.PauseGame(1, "conduct")),
        (ARBITER, c.ResumeGame(1)),
        (ARBITER, dismissed),
        (0, c.AskTakeBack(7, seen_confirmed=True)),
    ]:
        with pytest.raises(errors.GameOver):
            play(end.rules, end.state, actor, command, {7: end.state}.get)
