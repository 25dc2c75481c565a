"""The research environment as a program uses it: copies, pickles and wrong actions (docs/research.md)."""

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from replay.environment.aec import FieldbookEnvironment
from replay.environment.text import TextGame
from tests.support.commands import replay

SYSTEMS: Final = (
    ("classic", 3),
    ("extended", 4),
    ("bean-duel", 2),
    ("ladybohn", 3),
    ("ladybohn-expansion", 3),
    ("the-duel", 2),
)
COPIES: Final[tuple[Callable[[Any], Any], ...]] = (
    copy.deepcopy,
    lambda each: pickle.loads(pickle.dumps(each)),  # noqa: S301 - our own bytes
)


def legal_actions(env: FieldbookEnvironment) -> list[int]:
    """Return the marked actions of the agent that acts."""
    return [int(each) for each in np.flatnonzero(env.observe(env.agent_selection)["action_mask"])]


def play(env: FieldbookEnvironment, most: int, salt: int = 0) -> None:
    """Play so many actions, or to the end; `salt` chooses the way."""
    for number in range(most):
        if all(env.terminations.values()):
            return
        legal = legal_actions(env)
        env.step(legal[(number * 7 + salt) % len(legal)])


def written(env: FieldbookEnvironment, folder: Path) -> bytes:
    """Return the record of the game."""
    env.write_record(folder / "game.ndjson")
    return (folder / "game.ndjson").read_bytes()


@pytest.mark.parametrize(("system", "players"), SYSTEMS)
@pytest.mark.parametrize("copied", COPIES, ids=["deepcopy", "pickle"])
def test_a_copy_goes_on_by_itself_like_the_original(
    system: str, players: int, copied: Callable[[Any], Any], tmp_path: Path
) -> None:
    """The same actions make the same record in both, other actions change one alone, and it verifies at the end."""
    env = FieldbookEnvironment(system, players, bots={1: "random"})
    env.reset(seed=5)
    play(env, 25)
    before = written(env, tmp_path)
    other = copied(env)
    play(other, 12, salt=3)
    assert written(env, tmp_path) == before
    play(env, 12, salt=3)
    assert written(other, tmp_path) == written(env, tmp_path) != before
    assert other.agent_selection == env.agent_selection
    assert other.rewards == env.rewards
    for agent in env.agents:
        for name, seen in env.observe(agent).items():
            assert np.array_equal(seen, other.observe(agent)[name])
    play(other, 10_000)
    written(other, tmp_path)
    verdict = replay("verify", tmp_path / "game.ndjson")
    assert verdict.returncode == 0, verdict.stdout


def test_an_environment_is_copied_before_its_first_game_and_after_its_last() -> None:
    """Both ends of its life."""
    for copied in COPIES:
        env = copied(FieldbookEnvironment("bean-duel", 2, bots={1: "random"}))
        env.reset(seed=1)
        play(env, 10_000)
        other = copied(env)
        assert other.rewards == env.rewards != {"seat_0": 0.0}
        other.reset()
        assert legal_actions(other)


def test_the_game_as_text_is_copied_too() -> None:
    """A search over the numbered choices needs it."""
    game = TextGame("bean-duel", 2, "3", language="de")
    for copied in COPIES:
        other = copied(game)
        before = game.prompt()
        assert other.prompt() == before
        other.choose(1)
        assert game.prompt() == before != other.prompt()


WRONG: Final[tuple[Any, ...]] = (
    *(-1, -33, 10**6, 2**70, None, True, False, 0.0, 1.5, float("nan"), "1", b"1", [], (1,)),
    *(np.float64(1), np.True_, np.array([1, 2]), np.int64(-2), np.array(1.0)),
)


@pytest.mark.parametrize("action", WRONG, ids=repr)
def test_a_wrong_action_is_a_value_error_and_changes_nothing(action: Any, tmp_path: Path) -> None:
    """Negative numbers count from no end, and numbers of another kind are not rounded."""
    env = FieldbookEnvironment("classic", 3)
    env.reset(seed=7)
    play(env, 5)
    before, rewards = written(env, tmp_path), dict(env.rewards)
    with pytest.raises(ValueError, match=r".+"):
        env.step(action)
    assert (written(env, tmp_path), env.rewards) == (before, rewards)


def test_a_masked_action_is_a_value_error(tmp_path: Path) -> None:
    """Every action that is not marked is refused; every marked one is accepted as any kind of integer."""
    env = FieldbookEnvironment("classic", 3)
    env.reset(seed=7)
    before = written(env, tmp_path)
    legal = legal_actions(env)
    for action in {*range(env.action_space("seat_0").n)} - {*legal}:
        with pytest.raises(ValueError, match="cannot do"):
            env.step(action)
    assert written(env, tmp_path) == before
    kinds: tuple[Callable[[int], Any], ...] = (int, np.int64, np.uint8, np.array)
    for kind in kinds:
        copy.deepcopy(env).step(kind(legal[0]))


def test_a_step_when_no_agent_acts_is_a_value_error() -> None:
    """Before the first game, after the end with an action, and after all agents have left."""
    env = FieldbookEnvironment("bean-duel", 2)
    with pytest.raises(ValueError, match=r"reset\(\)"):
        env.step(0)
    env.reset(seed=2)
    play(env, 10_000)
    with pytest.raises(ValueError, match="None"):
        env.step(0)
    while env.agents:
        env.step(None)
    for action in (0, None):
        with pytest.raises(ValueError, match=r"reset\(\)"):
            env.step(action)


def test_seeds_are_integers_or_text(tmp_path: Path) -> None:
    """The same seed deals the same game, whatever kind the integer is; a wrong seed leaves the game as it is."""
    env = FieldbookEnvironment("classic", 3)
    dealt = []
    good: tuple[Any, ...] = (7, np.int64(7), "7", -7, 2**80, 0, "")
    wrong: tuple[Any, ...] = (1.5, True, [1], b"1", np.float64(7), float("nan"))
    for seed in good:
        env.reset(seed=seed)
        dealt.append(written(env, tmp_path))
    assert dealt[0] == dealt[1] == dealt[2]
    assert len({*dealt}) == len(dealt) - 2
    for seed in wrong:
        with pytest.raises(ValueError, match="integer"):
            env.reset(seed=seed)
        assert written(env, tmp_path) == dealt[-1]
        with pytest.raises(ValueError, match="integer"):
            FieldbookEnvironment("classic", 3, seed=seed)
    with pytest.raises(ValueError, match="all seats"):
        FieldbookEnvironment("bean-duel", 2, bots={0: "random", 1: "random"})


@pytest.mark.parametrize("number", [0, -1, 10**6, True, 1.0, None, "1"], ids=repr)
def test_a_wrong_choice_of_the_game_as_text_is_a_value_error(number: Any) -> None:
    """The choices count from 1."""
    game = TextGame("bean-duel", 2, "3")
    before = game.prompt()
    with pytest.raises(ValueError, match=r".+"):
        game.choose(number)
    assert game.prompt() == before
