"""What can be taken back is listed exactly: each version that the game can go back to, and no other."""

import pytest

from events import commands as c
from events.game.folding import Folding
from events.log.codec import decode_event
from events.rules.definition.forms import AskTakeBackForm
from events.rules.legal import legal_commands
from events.rules.move import nothing_earlier
from tests.laws.exactness import accepted, what_is_listed_and_nothing_else_is_accepted
from tests.laws.test_rewinding import GAMES, game_of
from tests.support.strategies import Dice


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_what_is_listed_with_the_log_is_accepted_and_everything_else_is_refused(
    system: str, players: int
) -> None:
    """Every version of the log is asked for, confirmed or not, and every answer is tried; also while held up."""
    game, dice, folding = game_of("back", system, players), Dice(f"taking back {system}"), Folding()
    asked = 0
    for entry in game.log:
        event = decode_event(entry)
        looked = bool(entry.command) and (dice.chance(3) or folding.state.take_back is not None)
        if looked:
            folding.stop()
            state, rules = folding.state, game.table.rules
            versions = range(folding.version + 1, -1, -1)
            for seat in range(players):
                what_is_listed_and_nothing_else_is_accepted(
                    rules, state, seat, dice, earlier=folding.earlier, versions=versions
                )
                choices = legal_commands(rules, state, seat, folding.earlier, versions)
                asked += any(isinstance(each, AskTakeBackForm) for each in choices)
        folding.follow(event, begins=bool(entry.command))
    assert asked


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), GAMES)
def test_who_knows_no_log_is_offered_no_question(system: str, players: int) -> None:
    """And the last agreement is refused where the table to go back to cannot be found."""
    game, folding = game_of("back", system, players), Folding()
    for entry in game.log:
        state, rules = folding.state, game.table.rules
        if state.take_back is not None and not state.paused_by:
            for seat in range(players):
                choices = legal_commands(rules, state, seat, nothing_earlier)
                assert (c.AgreeTakeBack() in choices) == accepted(rules, state, seat, c.AgreeTakeBack())
        folding.follow(decode_event(entry), begins=bool(entry.command))
