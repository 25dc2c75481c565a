"""The games as PettingZoo's AEC environments, with action masks; unwrapped, because wrappers cost most of the speed.

An observation is a dictionary with `observation` (see `observing.py`) and `action_mask`. When the game is over each
agent is rewarded with its coins less the mean of the others'. PettingZoo's own documentation says how agents are
asked: https://pettingzoo.farama.org/api/aec/
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, SupportsIndex

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv

from replay.environment.observing import MOST, Observing
from replay.environment.training_game import TrainingGame, whole_number
from replay.platform.atomic_write import write_durably


class FieldbookEnvironment(AECEnv):  # type: ignore[misc]
    """One table of a rule system, game after game; agents sit on the seats that no bot has."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "fieldbook_v1",
        "render_modes": [],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        system: str,
        players: int,
        *,
        bots: Mapping[int, str] | None = None,
        seed: SupportsIndex | str = 0,
    ) -> None:
        """Set a table up.

        Args:
            system: the rule system, such as `classic`.
            players: how many seats it has.
            bots: the bots on some of the seats, by seat.
            seed: what the games follow from that are begun without a seed of their own.

        Raises:
            RuleViolation: the rule system is not played like that.
            ValueError: bots have all seats, or the seed is neither an integer nor text.
        """
        super().__init__()
        self.system, self.players, self.bots = system, players, dict(bots or {})
        self.render_mode = None
        self._seed, self._games = _seed_text(seed), 0
        self.game = TrainingGame(system, players, f"{self._seed}/0", bots=self.bots)
        self.observing = Observing(self.game.table.rules)
        self._numbers = {action: number for number, action in enumerate(self.game.actions)}
        self.possible_agents = [f"seat_{seat}" for seat in range(players) if seat not in self.bots]
        if not self.possible_agents:
            raise ValueError("bots have all seats: leave at least one to an agent")
        self.agents: list[str] = []
        self._seats = {agent: int(agent.removeprefix("seat_")) for agent in self.possible_agents}
        size, actions = len(self.observing.observe(self.game.table.state, 0)), len(self.game.actions)
        self.observation_spaces = {
            agent: Dict(
                {
                    "observation": Box(0, MOST, (size,), np.int16),
                    "action_mask": Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Dict:
        """What an agent sees."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """What an agent can do."""
        return self.action_spaces[agent]

    def reset(self, seed: SupportsIndex | str | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game; the same seed deals the same one.

        Raises:
            ValueError: the seed is neither an integer nor text; the game is unchanged.
        """
        del options
        self._seed, self._games = (self._seed, self._games + 1) if seed is None else (_seed_text(seed), 0)
        self.game = TrainingGame(self.system, self.players, f"{self._seed}/{self._games}", bots=self.bots)
        self.agents = [*self.possible_agents]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, with what it may do marked; nothing is marked while another one acts."""
        seat = self._seats[agent]
        mask = np.zeros(len(self._numbers), np.int8)
        if seat == self.game.seat:
            mask[[self._numbers[action] for action in self.game.commands]] = 1
        seen = np.array(self.observing.observe(self.game.table.state, seat), np.int16)
        return {"observation": seen, "action_mask": mask}

    def step(self, action: SupportsIndex | None) -> None:
        """Do what the agent that acts has chosen.

        Raises:
            ValueError: it may not do that, or no agent acts; nothing has changed.
        """
        if not self.agents:
            raise ValueError("no agent acts: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to act")
        number = whole_number(action)
        if not 0 <= number < len(self.game.actions):
            raise ValueError(f"there is no action {number}: actions are 0 to {len(self.game.actions) - 1}")
        self.game.act(self.game.actions[number])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.game.seat is None:
            scores = self.game.scores
            for each, seat in self._seats.items():
                others = (sum(scores) - scores[seat]) / (len(scores) - 1)
                self.rewards[each] = float(scores[seat] - others)
                self.terminations[each] = True
        self._accumulate_rewards()
        self._select()

    def write_record(self, path: Path) -> None:
        """Write the game's record; `replay verify` takes it when the game is over."""
        write_durably(path, b"".join(self.game.record()))

    def render(self) -> None:
        """There is nothing to render: the record has everything, for `replay play` and all the other tools."""

    def close(self) -> None:
        """Nothing is held open."""

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles hold: all but what follows from the rules."""
        state = dict(self.__dict__)
        del state["observing"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take up what a copy or a pickle holds."""
        self.__dict__ |= state
        self.observing = Observing(self.game.table.rules)

    def _select(self) -> None:
        seat = self.game.seat
        self.agent_selection = self.agents[0] if seat is None else f"seat_{seat}"


def _seed_text(seed: SupportsIndex | str) -> str:
    return seed if isinstance(seed, str) else str(whole_number(seed))
