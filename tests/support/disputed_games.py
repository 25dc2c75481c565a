"""Random games that are interrupted: paused, ruled on, rewound and taken back, then played on to the end."""

from dataclasses import dataclass

from events import commands as c
from events.domain_events import GameRewound
from events.game.folding import Folding
from events.game.record import header_for, write_record
from events.game.table import Table, open_with_history
from events.log.codec import decode_event
from events.log.disclosure import ALL, form_for
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import installed_catalogue
from events.rules.move import ARBITER
from tests.support.strategies import Dice, opening, play_on
from tests.support.tables import STARTED, OptionValues

LATER = 10_000_000
"""What is ruled comes so many milliseconds after what is played."""
REASON = "Seat 1 never accepted this trade."


@dataclass(frozen=True)
class DisputedGame:
    """A whole game with what interrupted it."""

    table: Table
    log: tuple[RecordedEvent, ...]
    rewindings: tuple[int, ...]
    """The versions of `game_rewound`."""

    def lines(self, viewer: int = ALL) -> list[bytes]:
        """The lines of its record, in a viewer's scope."""
        forms = [form_for(entry, self.table.key, viewer) for entry in self.log]
        return list(write_record(header_for(self.table, viewer), forms))


def played_for(table: Table, log: list[RecordedEvent], dice: Dice, steps: int) -> Table:
    """Play so many commands on, or to the end; the log grows."""
    for count, step in enumerate(play_on(table, dice)):
        if count == steps:
            break
        table = step.after
        log += step.entries
    return table


def send(table: Table, log: list[RecordedEvent], actor: int, command: c.Command) -> Table:
    """Send a command with the whole log at hand; the log grows.

    Raises:
        RuleViolation: it is refused.
    """
    _, earlier = open_with_history(log, table.secret, installed_catalogue)
    table, entries = table.submit(actor, command, STARTED + LATER + len(log), earlier)
    log += entries
    return table


def stops(log: list[RecordedEvent]) -> list[int]:
    """The versions that the game can go back to now."""
    folding = Folding()
    for entry in log:
        folding.follow(decode_event(entry), begins=bool(entry.command))
    return [version for version in range(1, len(log)) if folding.earlier(version) is not None]


def rewound_by_ruling(table: Table, log: list[RecordedEvent], dice: Dice, case: int) -> Table:
    """Pause the game, and rule it back to some stop."""
    table = send(table, log, ARBITER, c.PauseGame(case, "not_agreed"))
    back_to = dice.pick(stops(log)[-41:-1])
    return send(
        table,
        log,
        ARBITER,
        c.RuleGame(case, "rewound", "Ada", "the trade", REASON, back_to, seen_confirmed=True),
    )


def taken_back(table: Table, log: list[RecordedEvent], dice: Dice) -> Table:
    """Every seat agrees to go back to some stop."""
    players = table.rules.players
    asking = dice.below(players)
    back_to = dice.pick(stops(log)[-41:-1])
    table = send(table, log, asking, c.AskTakeBack(back_to, seen_confirmed=True))
    for seat in range(players):
        if seat != asking:
            table = send(table, log, seat, c.AgreeTakeBack())
    return table


def disputed_game(seed: str, system: str, players: int, options: OptionValues | None = None) -> DisputedGame:
    """A game of random commands that goes back three times, once of it into what is left of a discarded stretch."""
    begun = opening(f"disputed {seed}", players, options or {}, system=system)
    table, log, dice = begun.table, list(begun.log), Dice(f"disputed {seed} {system} {players}")
    for case in (1, 2, 3):
        table = played_for(table, log, dice, 12 + dice.below(30))
        if table.state.status != "running":
            break
        table = taken_back(table, log, dice) if case == 2 else rewound_by_ruling(table, log, dice, case)
    table = played_for(table, log, dice, 100_000)
    rewindings = tuple(e.version for e in log if isinstance(decode_event(e), GameRewound))
    return DisputedGame(table, tuple(log), rewindings)
