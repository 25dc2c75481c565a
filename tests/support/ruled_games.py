"""Recorded whole games with disputes in them: held up, ruled on, taken back and gone on with, or ended early."""

import random

from events import commands as c
from events.game.folding import Folding
from events.game.table import Table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.move import ARBITER
from events.rules.table.seen import piles_touched
from tests.support.disputed_games import stops
from tests.support.recorded_games import RecordedGame, later, play_on, recorded_game

STRETCH = 45
"""Entries that are played from one interruption to the next."""
MOST_OFFERS = 3
"""Trading commands in each of these stretches."""


class Course:
    """A recorded game while it is played: its table, its log, and its chance."""

    def __init__(self, seed: int, system: str, players: int, begun: RecordedGame | None = None) -> None:
        """Deal the game of this seed, and play the first turns; or go on with one that has begun."""
        begun = begun or recorded_game(seed, players, (), MOST_OFFERS, 3 * STRETCH, system=system, bot=False)
        self.table: Table = begun.table
        self.log: list[RecordedEvent] = list(begun.log)
        self._chance = random.Random(f"disputes {seed}")

    def play(self, entries: int | None = STRETCH) -> None:
        """Play so many entries on, or to the end."""
        stop_at = None if entries is None else len(self.log) + entries
        self.table = play_on(self.table, self.log, self._chance, MOST_OFFERS, stop_at)

    def send(self, actor: int, command: c.Command) -> None:
        """Send one command.

        Raises:
            RuleViolation: it is refused.
        """
        folding = self._folding()
        self.table, entries = self.table.submit(
            actor, command, later(self.log, self._chance), folding.earlier
        )
        self.log += entries

    def version_before(self, *piles: str) -> int:
        """The last version to go back to since which cards were taken from exactly these piles.

        Where there is none the game is played on until there is one.
        """
        while True:
            folding = self._folding()
            tables = {version: folding.earlier(version) for version in stops(self.log)}
            found = [
                version
                for version, then in tables.items()
                if then is not None
                and then != self.table.state
                and piles_touched(then, self.table.state) == piles
            ]
            if found:
                return found[-1]
            self.play(1)

    def _folding(self) -> Folding:
        folding = Folding()
        for entry in self.log:
            folding.follow(decode_event(entry), begins=bool(entry.command))
        folding.stop()
        return folding


def disputed_record(seed: int, system: str, players: int, begun: RecordedGame | None = None) -> RecordedGame:
    """A game that is held up and goes on: two rulings, one of them to go back, and three take-backs.

    One of the take-backs and the ruling go back over cards that were drawn, except in a duplicate round.
    """
    game = Course(seed, system, players, begun)
    keeps_deal = game.table.state.dealing is not None
    piles = () if keeps_deal else ("draw", "bonus") if system == "the-duel" else ("draw",)
    game.send(ARBITER, c.PauseGame(1, "not_agreed"))
    game.send(0, c.Say("I never accepted that."))
    game.send(ARBITER, c.RuleGame(1, "dismissed", "Ada", "the last trade", "Seat 0 accepted it by name."))
    game.play()
    game.send(ARBITER, c.PauseGame(2, "clock"))
    game.send(ARBITER, c.ResumeGame(2))
    game.send(1, c.AskTakeBack(game.version_before(), seen_confirmed=True))
    game.send(0, c.DeclineTakeBack())
    game.send(1, c.AskTakeBack(game.version_before(), seen_confirmed=True))
    _agree(game)
    game.play()
    over = () if keeps_deal else ("draw",)
    game.send(0, c.AskTakeBack(game.version_before(*over), seen_confirmed=True))
    _agree(game)
    game.play()
    game.send(ARBITER, c.PauseGame(3, "wrong_rule"))
    game.send(ARBITER, c.PauseGame(4, "conduct"))
    back = game.version_before(*piles)
    reason = "The service has refused a move that the booklet allows."
    game.send(
        ARBITER, c.RuleGame(3, "rewound", "Ada", "everything since then", reason, back, seen_confirmed=True)
    )
    game.send(ARBITER, c.ResumeGame(4))
    game.play(None)
    return RecordedGame(game.table, tuple(game.log))


def _agree(game: Course) -> None:
    """Have every seat agree that has not."""
    question = game.table.state.take_back
    for seat in range(game.table.rules.players):
        if question is not None and seat not in question.agreed:
            game.send(seat, c.AgreeTakeBack())


def ruled_record(seed: int, system: str, players: int, ruling: c.RuleGame) -> RecordedGame:
    """A game that a ruling ends early."""
    game = Course(seed, system, players)
    game.play()
    game.send(ARBITER, c.PauseGame(ruling.case, "collusion"))
    game.send(ARBITER, ruling)
    return RecordedGame(game.table, tuple(game.log))
