"""Whoever plays in a branch what was played in the game gets the game: event by event, with the recorded cards."""

import pytest

from events.commands import PauseGame
from events.rules.move import ARBITER, DEALER
from replay.branches import Branch, encode_token, load_branch, new_branch
from replay.branches.errors import NoArbiter
from tests.replay.branches.recordings import GAMES, game, origin

PARTS = (0.0, 0.4, 0.9)


def followed(name: str, part: float) -> Branch:
    """The branch that plays all further commands of the game."""
    branch = new_branch(origin(name, part))
    for each in branch.origin.later:
        if each.command is not None and each.actor != DEALER:
            branch = branch.play(each.actor, each.command)
    return branch


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("name", GAMES)
def test_the_recorded_commands_bring_about_the_recorded_events(name: str, part: float) -> None:
    """From the first turn, the middle and near the end, up to the opened secret; nothing is fresh."""
    branch = followed(name, part)

    played = [(each.version, each.actor, each.event, each.command) for each in branch.events()]
    recorded = [(each.version, each.actor, each.event, each.command) for each in branch.origin.later]
    assert played == recorded
    assert (branch.position.parted, branch.position.fresh_from) == (None, None)
    assert {each.cards for each in branch.events()} <= {"recorded", "none"}
    assert branch.position.state.status == "finished"


@pytest.mark.parametrize("name", GAMES[::2])
def test_a_whole_game_fits_into_a_line(name: str) -> None:
    """And comes out of it as it was."""
    branch = followed(name, 0.4)

    token = encode_token(branch)
    assert len(token) < 4_000
    assert load_branch(token, branch.origin) == branch


@pytest.mark.parametrize("name", GAMES[::2])
def test_one_can_play_on_from_every_version(name: str) -> None:
    """Where a version lies within a command, or the deal, the branch begins when that is done."""
    rules, log = game(name)
    first = origin(name, 0.0)
    assert first.state.turn == 1
    for version in range(1, len(log) + 1, 7):
        found = origin(name, version / len(log))
        begins_a_command = found.version == len(log) or log[found.version].command is not None
        assert found.version >= max(1, int(len(log) * (version / len(log))))
        assert begins_a_command
        assert found.state.due is None
        assert found.hash == log[found.version - 1].hash
    assert rules.players == len(first.state.seats)


def test_a_branch_has_no_arbiter() -> None:
    """Disputes are about the game itself."""
    branch = new_branch(origin(GAMES[0], 0.4))
    with pytest.raises(NoArbiter):
        branch.play(ARBITER, PauseGame(1, "clock"))
