"""Games with clocks that are held up: taken back, or not in time, paused for long, and ruled back."""

from functools import cache

from events import commands as c
from events.game.clock import SECOND
from events.game.table import open_with_history
from events.rules.catalogues.catalogue import Catalogue
from events.rules.move import ARBITER, CLOCK
from tests.support.clocked_games import ClockedGame
from tests.support.disputed_games import stops
from tests.support.recorded_games import RecordedGame


class InterruptedGame(ClockedGame):
    """A game by the clock in which more is asked for than moves."""

    def play_for(self, steps: int, silent: frozenset[int] = frozenset()) -> None:
        """Play so many steps on, or to the end."""
        for _ in range(steps):
            if self.table.state.status == "running":
                self._step(silent)

    def send_with_history(self, actor: int, command: c.Command) -> None:
        """Send a command that may lead back to an earlier version.

        Raises:
            RuleViolation: it is refused.
        """
        _, earlier = open_with_history(self.log, self.table.secret, self._catalogue)
        self.table, entries = self.table.submit(actor, command, self.at, earlier)
        self.log += entries

    def ask_take_back(self) -> int:
        """A seat whose time is not over asks for something back; answers which."""
        self.expire_all()
        self.send_with_history(0, c.AskTakeBack(stops(self.log)[-2], seen_confirmed=True))
        return 0

    def _catalogue(self, _hash: str) -> Catalogue:
        return self.table.rules.catalogue


@cache
def interrupted_game(seed: int, system: str, players: int) -> RecordedGame:
    """A game with a take-back that nobody answers, one to which all agree, a pause, and a ruling to go back."""
    game = InterruptedGame(seed, system, players)
    game.play_for(25)
    game.ask_take_back()
    game.at += 4 * SECOND
    if players > 2:
        game.send_with_history(1, c.AgreeTakeBack())
    game.at = game.clock.over_at(game.clock.waits[0])
    game.expire_all()
    game.play_for(15, frozenset({1}))
    asked = game.ask_take_back()
    game.at += 3 * SECOND
    for seat in range(players):
        if seat != asked:
            game.send_with_history(seat, c.AgreeTakeBack())
    game.play_for(15)
    game.send_with_history(ARBITER, c.PauseGame(1, "not_agreed"))
    game.at += 100 * SECOND
    game.send(CLOCK, c.CreditTime(game.at - 30 * SECOND, game.at, "maintenance"))
    game.send_with_history(ARBITER, c.ResumeGame(1))
    game.play_for(15, frozenset({0}))
    game.send_with_history(ARBITER, c.PauseGame(2, "not_agreed"))
    back = c.RuleGame(2, "rewound", "Ada", "the trade", "Heard.", stops(game.log)[-6], seen_confirmed=True)
    game.send_with_history(ARBITER, back)
    game.play()
    return RecordedGame(game.table, tuple(game.log))
