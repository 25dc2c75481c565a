"""Playing on in thought, by the rules of the game and nothing else: from a table that was dealt out to a horizon."""

import random

from events import commands as c
from events.bots.going_on import go_on
from events.bots.lookahead.quick_play import gift, quick_command
from events.bots.lookahead.worth import Worth
from events.rules.decide import play
from events.rules.errors import RuleViolation
from events.rules.legal import legal_commands
from events.rules.move import DEALER
from events.rules.table.piles import cards_to_shuffle
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for


class ThoughtGame:
    """A game that is played on in thought; it counts the commands that this takes.

    Attributes:
        state: the table.
        commands: how many commands were tried on it.
    """

    def __init__(self, worth: Worth, state: GameState, chance: random.Random) -> None:
        """Play on from this table; the dealer's shuffles come of `chance`."""
        self.state = state
        self.commands = 0
        self._worth = worth
        self._chance = chance

    def try_command(self, seat: int, command: c.Command) -> bool:
        """Play a command, and what the dealer owes then; whether the rules allow it."""
        self.commands += 1
        try:
            self.state = play(self._worth.rules, self.state, seat, command).state
        except RuleViolation:
            return False
        while self.state.due is not None and self.state.due.task == "shuffle":
            cards = [*cards_to_shuffle(self._worth.rules, self.state)]
            self._chance.shuffle(cards)
            shuffle = c.Shuffle(self.state.due.pile, tuple(cards))
            self.state = play(self._worth.rules, self.state, DEALER, shuffle).state
        return True

    def play_until(self, turn: int) -> None:
        """Play on until this turn has begun or the game has ended."""
        while self.state.status == "running" and self.state.turn < turn and self._step():
            pass

    def _step(self) -> bool:
        """Play whatever comes next; whether anything did."""
        awaited = waiting_for(self.state)
        if not awaited:
            return False
        seat = awaited[0]
        if self.state.phase == "trade":
            return self._trade()
        command = quick_command(self._worth, self.state, seat)
        if command is not None and self.try_command(seat, command):
            return True
        command = go_on(legal_commands(self._worth.rules, self.state, seat))
        return command is not None and self.try_command(seat, command)

    def _trade(self) -> bool:
        """Give away what helps somebody else, one card after the other; then trading ends."""
        state = self.state
        given = gift(self._worth, state)
        if given is not None:
            number, seat = given
            offer = c.Offer(to=seat, revealed=(number,))
            if self.try_command(state.active, offer) and self.try_command(seat, c.Accept(state.next_offer)):
                return True
        return self.try_command(self.state.active, c.EndTrading())
