"""The games as lines of text, for language models and whoever else reads: what happened, the table, a numbered list.

The words are those of the commentary, in any of its languages, and say no more than the seat sees.
"""

import random
from collections.abc import Mapping
from typing import Any, Final

from events.bots.lookahead.lookahead_bot import think, weigh_plans
from events.game.bot_driver import situation_of
from events.rules.table.state import GameState
from events.rules.table.veiled import veil
from replay.commentary.commands import Chooser, describe_command
from replay.commentary.commentary import Commentary
from replay.environment.training_game import TrainingGame, whole_number

NOTHING: Final = "Nothing"


class TextGame:
    """A game for one seat, with bots on all the others."""

    def __init__(
        self,
        system: str,
        players: int,
        seed: str,
        *,
        seat: int = 0,
        bot: str = "greedy",
        language: str = "en",
    ) -> None:
        """Deal a game.

        Raises:
            RuleViolation: the rule system is not played like that.
        """
        bots: Mapping[int, str] = {each: bot for each in range(players) if each != seat}
        self.game = TrainingGame(system, players, seed, bots=bots)
        self.seat = seat
        self._language = language
        self._tell = Commentary(self.game.table.rules.catalogue, language)

    @property
    def is_over(self) -> bool:
        """Whether nothing is left to do."""
        return self.game.seat is None

    def choices(self) -> list[str]:
        """What the seat may do, the text of number 1 first."""
        rules, state = self.game.table.rules, veil(self.game.table.state, self.seat)
        chooser = Chooser(self._tell, rules, state, self.seat)
        return [
            NOTHING if command is None else describe_command(chooser, command)
            for command in self.game.commands.values()
        ]

    def prompt(self) -> str:
        """The table and the numbered choices; at the end, what each seat has earned."""
        state = veil(self.game.table.state, self.seat)
        lines = [f"turn {state.turn}, {state.phase or 'over'}, {len(state.draw_pile)} cards to draw"]
        lines += [self._describe_seat(state, seat) for seat in range(len(state.seats))]
        if state.revealed:
            lines.append(f"revealed: {self._tell.cards([card for _, card in state.revealed])}")
        lines.append(f"your hand, front first: {', '.join(card for _, card in state.seats[self.seat].hand)}")
        lines += [f"{number}. {text}" for number, text in enumerate(self.choices(), 1)]
        return "\n".join(lines)

    def advice(self) -> list[str]:
        """What the bot that looks ahead would choose between, the best first, and what it expects of each."""
        situation = situation_of(self.game.table, self.game.memory, self.seat, alone=True)
        rules, state = self.game.table.rules, veil(self.game.table.state, self.seat)
        chooser = Chooser(self._tell, rules, state, self.seat)
        considered = think(situation, random.Random(self.game.table.version))  # noqa: S311 (play, not cryptography)
        if len(considered) < 2:  # noqa: PLR2004 (nothing was tried)
            planned = weigh_plans(situation)
            if len(planned) > 1:
                return [
                    f"a plan worth {each.coins:.1f} coins: {describe_command(chooser, each.command)}"
                    for each in planned
                ]
            return [describe_command(chooser, each.command) for each in considered]
        return [
            f"{each.expected_coins:.1f} coins, {each.expected_lead:+.1f} beside the others:"
            f" {describe_command(chooser, each.command)}"
            for each in sorted(considered, key=lambda each: -each.expected_lead)
        ]

    def choose(self, number: int) -> None:
        """Do what has this number.

        Raises:
            ValueError: nothing has it.
        """
        actions = list(self.game.commands)
        number = whole_number(number)
        if not 1 <= number <= len(actions):
            raise ValueError(f"choose a number from 1 to {len(actions)}")
        self.game.act(actions[number - 1])

    def __getstate__(self) -> dict[str, Any]:
        """Return what copies and pickles hold: all but the words."""
        state = dict(self.__dict__)
        del state["_tell"]
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take up what a copy or a pickle holds."""
        self.__dict__ |= state
        self._tell = Commentary(self.game.table.rules.catalogue, self._language)

    def _describe_seat(self, state: GameState, number: int) -> str:
        seat = state.seats[number]
        fields = "; ".join(self._tell.cards(field) if field else "empty" for field in seat.fields)
        aside = f", aside: {self._tell.cards([card for _, card in seat.aside])}" if seat.aside else ""
        you = " (you)" if number == self.seat else ""
        earned = self.game.scores[number]
        return f"seat {number}{you}: {earned:g} coins, {len(seat.hand)} in hand, fields: {fields}{aside}"
