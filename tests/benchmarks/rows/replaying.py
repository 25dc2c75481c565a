"""Checked replay: every recorded command is put to the rules, and their answer held against the recorded events."""

from collections.abc import Iterable, Sequence

from events.domain_events import DomainEvent
from events.log.actors import actor_number
from events.log.codec import decode_command, decode_event
from events.log.recorded import RecordedEvent
from events.rules.decide import play
from events.rules.definition.rule_system import Rules
from events.rules.table.state import INITIAL_STATE, GameState
from tests.benchmarks.figures import Comparison, Goal
from tests.benchmarks.games import GAMES, PlayedGame, played_games
from tests.benchmarks.measuring import SECONDS, Side, compared, rate
from tests.benchmarks.peers.installed import Peers

_BOTH_READ = (
    "both read what was written (JSON, UCI), refuse what is illegal, and change the table. Ours also "
    "compares each event with the recorded one, and puts the dealer's shuffles to the rules too."
)


class NotAsRecorded(ValueError):
    """The rules answer otherwise than was recorded."""


class Replaying:
    """Commands as JSON decoded, decided, compared and folded, beside `push_uci`: a move read, checked and made."""

    name = "replay"
    about = "checked replay per core, beside python-chess push_uci"

    def __init__(self, games: int = GAMES, seconds: float = SECONDS) -> None:
        """Replay so many games, over and over, for so many seconds a round."""
        self._games = games
        self._seconds = seconds

    def run(self, rounds: int, peers: Peers) -> Iterable[Comparison]:
        games = played_games(self._games)
        entries = sum(len(game.log) for game in games)
        commands = sum(1 for game in games for entry in game.log if entry.command)
        yield compared(
            self.name,
            "steps/s",
            goal=Goal(at_least=1.0),
            ours=Side("events checked", lambda: rate(lambda: replayed_all(games), self._seconds)),
            beside=Side(
                "python-chess push_uci", lambda: peers.rate("python_chess", "push_uci", self._seconds)
            ),
            rounds=rounds,
            notes=(
                (
                    "a step is one change of the table: an event here, a move there. A command brings about"
                    f" {entries / commands:.2f} events; counted in commands the ratio is {commands / entries:.2f} of"
                    " the one shown."
                ),
                _BOTH_READ,
            ),
        )


def replayed_all(games: Sequence[PlayedGame]) -> int:
    """Replay games, each from its first entry; returns how many events were checked."""
    for game in games:
        replayed(game.table.rules, game.log)
    return sum(len(game.log) for game in games)


def replayed(rules: Rules, log: Sequence[RecordedEvent]) -> GameState:
    """The table after a log, every command of which was put to the rules again.

    Raises:
        NotAsRecorded: they answer otherwise.
        RuleViolation: they refuse it.
    """
    state, owed = INITIAL_STATE, list[DomainEvent]()
    for entry in log:
        if entry.command:
            _check_nothing(owed, entry.version)
            move = play(rules, state, actor_number(entry.actor), decode_command(entry.command))
            state, owed = move.state, list(reversed(move.events))
        if not owed or owed.pop() != decode_event(entry):
            raise NotAsRecorded(f"version {entry.version}")
    _check_nothing(owed, len(log))
    return state


def _check_nothing(owed: Sequence[DomainEvent], version: int) -> None:
    if owed:
        raise NotAsRecorded(f"version {version}: {len(owed)} events are missing")
