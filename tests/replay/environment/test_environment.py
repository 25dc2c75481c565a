"""The games as environments for research: PettingZoo's own tests, records that verify, games as text."""

import random
import subprocess
import sys
import warnings
from io import BytesIO
from pathlib import Path

import msgspec
import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

from events.bots.lookahead.lookahead_bot import look_ahead, weigh_plans
from events.game.bot_driver import situation_of
from events.rules.decide import decide
from replay.environment.aec import FieldbookEnvironment
from replay.environment.text import TextGame
from replay.environment.training_game import TrainingGame
from replay.verification.verify import verify_lines

TABLES = [
    ("classic", 3),
    ("extended", 4),
    ("bean-duel", 2),
    ("ladybohn", 3),
    ("ladybohn-expansion", 3),
    ("the-duel", 2),
]
ROOT = Path(__file__).parents[3]
MASKED = ("Observation space for each agent probably", "Observation is not a NumPy array")
"""What PettingZoo warns of wherever an observation carries an action mask, but in its own environments."""


def _played(game: TrainingGame, seed: int) -> TrainingGame:
    chance = random.Random(seed)
    while game.seat is not None:
        game.act(chance.choice(list(game.commands)))
    return game


@pytest.mark.parametrize(("system", "players"), TABLES)
def test_pettingzoo_finds_nothing_wrong(system: str, players: int) -> None:
    """Its test of the interface, over whole games, and that the same seed gives the same game."""
    with warnings.catch_warnings():
        for message in MASKED:
            warnings.filterwarnings("ignore", message=message)
        api_test(FieldbookEnvironment(system, players))
        seed_test(lambda: FieldbookEnvironment(system, players), num_cycles=15)


def test_every_game_is_a_record_that_verifies() -> None:
    """One of each rule system, played at random to its end; whatever was an action was accepted."""
    for system, players in TABLES:
        game = _played(TrainingGame(system, players, "random"), 1)
        assert game.table.state.status == "finished"
        assert verify_lines(game.record()).ok


def test_the_same_seed_and_actions_give_the_same_record() -> None:
    """Line for line; another seed deals another game."""
    first, second = (b"".join(_played(TrainingGame("bean-duel", 2, "a"), 1).record()) for _ in range(2))
    assert first == second
    assert first != b"".join(_played(TrainingGame("bean-duel", 2, "b"), 1).record())


def test_what_is_marked_is_legal_and_nothing_else_is_taken() -> None:
    """Only who acts has marks, and never none; an action that is not marked is refused."""
    env = FieldbookEnvironment("classic", 3)
    env.reset(seed=5)
    chance = random.Random(5)
    for _ in range(200):
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"]
        assert mask.any()
        assert not any(env.observe(other)["action_mask"].any() for other in env.agents if other != agent)
        seat, table = env.game.seat, env.game.table
        assert seat is not None
        for command in filter(None, env.game.commands.values()):
            assert decide(table.rules, table.state, seat, command)
        with pytest.raises(ValueError, match="cannot do"):
            env.step(int(np.flatnonzero(mask == 0)[0]))
        env.step(int(chance.choice(np.flatnonzero(mask))))


def test_bots_play_the_seats_that_no_agent_has() -> None:
    """The agent's reward is what it is ahead of the others' mean."""
    env = FieldbookEnvironment("classic", 3, bots={1: "greedy", 2: "random"})
    env.reset(seed=1)
    chance = random.Random(1)
    assert env.agents == ["seat_0"]
    while env.game.seat is not None:
        env.step(int(chance.choice(np.flatnonzero(env.observe("seat_0")["action_mask"]))))
    scores = env.game.scores
    assert env.rewards["seat_0"] == scores[0] - (scores[1] + scores[2]) / 2


def test_an_observation_says_nothing_of_what_is_hidden() -> None:
    """Two deals that look the same to a seat are the same to it."""
    env = FieldbookEnvironment("the-duel", 2)
    env.reset(seed=1)
    before = env.observe("seat_0")["observation"]
    state = env.game.table.state
    other = state.seats[1]
    swapped = list(state.draw_pile)
    hand = tuple((number, swapped.pop()) for number, _ in other.hand)
    changed = msgspec.structs.replace(
        state,
        draw_pile=tuple(swapped) + tuple(card for _, card in other.hand),
        seats=(state.seats[0], msgspec.structs.replace(other, hand=hand)),
    )
    assert changed != state
    assert env.observing.observe(changed, 0) == before.tolist()


def test_a_game_is_played_by_numbers() -> None:
    """The list has a number for each choice, in words; the end says what everybody has earned."""
    game = TextGame("bean-duel", 2, "1", bot="random")
    assert "1. Plant a" in game.prompt()
    chance = random.Random(1)
    while not game.is_over:
        with pytest.raises(ValueError, match="choose a number"):
            game.choose(0)
        game.choose(chance.randint(1, len(game.choices())))
    assert "coins" in game.prompt()
    assert BytesIO(b"".join(game.game.record())).readline().startswith(b"{")


def test_a_game_of_lines_explains_and_goes_on() -> None:
    """A question mark asks the bot that looks ahead; what is no number of the list is said to be none."""
    done = subprocess.run(
        [sys.executable, "-m", "replay.environment", "--system", "bean-duel", "--players", "2"],
        input="1\n?\n99\n",
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert "beside the others: Plant a" in done.stdout
    assert "? choose a number from 1 to" in done.stdout


def test_in_the_duel_the_plans_that_are_compared_say_why() -> None:
    """The best one first, which the bot plays, and with what each comes to; each command once."""
    game, chance, explained = TextGame("the-duel", 2, "1", bot="random"), random.Random(1), 0
    while not game.is_over and explained < 5:
        said = game.advice()
        planned = weigh_plans(situation_of(game.game.table, game.game.memory, 0, alone=True))
        if said and said[0].startswith("a plan worth "):
            worths = [float(each.removeprefix("a plan worth ").split(" coins: ")[0]) for each in said]
            assert len(worths) > 1
            assert worths == sorted(worths, reverse=True)
            assert len({each.command for each in planned}) == len(said)
            situation = situation_of(game.game.table, game.game.memory, 0, alone=True)
            assert look_ahead(situation, random.Random(1)) == planned[0].command
            explained += 1
        game.choose(chance.randint(1, len(game.choices())))
    assert explained == 5
