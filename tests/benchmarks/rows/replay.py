"""Checked replay: every recorded command is put to the rules, and their answer compared with the recorded events."""

from collections.abc import Iterator, Sequence

from events.domain_events import DomainEvent
from events.log.actors import actor_number
from events.log.codec import decode_command, decode_event
from events.log.recorded import RecordedEvent
from events.rules.decide import play
from events.rules.definition.rule_system import Rules
from events.rules.table.state import INITIAL_STATE
from tests.benchmarks.figures import Comparison, Goal, Options, Side, compared, rate
from tests.benchmarks.games import GAMES, played_games

ABOUT = "checked replay per core, compared with python-chess push_uci"
_BOTH_READ = (
    "both read what was written (JSON, UCI), refuse what is illegal, and change the table. Ours also compares each "
    "event with the recorded one, and puts the dealer's shuffles to the rules too."
)


def run(options: Options) -> Iterator[Comparison]:
    """Measure: a command is decoded, decided, compared and folded; a move is read, checked and made."""
    games = played_games(options.size(GAMES, 1))
    entries = sum(len(game.log) for game in games)
    per_command = entries / sum(1 for game in games for entry in game.log if entry.command)
    yield compared(
        "replay",
        "steps/s",
        goal=Goal(at_least=1.0),
        ours=Side(
            "events checked",
            lambda: rate(
                lambda: sum(_replayed(each.table.rules, each.log) for each in games), options.seconds
            ),
        ),
        baseline=Side("python-chess push_uci", lambda: options.peers.rate("push_uci", options.seconds)),
        rounds=options.rounds,
        notes=(
            "a step is one change of the table: an event here, a move there",
            f"a command leads to {per_command:.2f} events; by commands the ratio is {1 / per_command:.2f} of it",
            _BOTH_READ,
        ),
    )


def _replayed(rules: Rules, log: Sequence[RecordedEvent]) -> int:
    """Put every command of a log to the rules; return the number of entries.

    Raises:
        ValueError: the rules answer otherwise than was recorded.
        RuleViolation: they refuse a command.
    """
    state, owed = INITIAL_STATE, list[DomainEvent]()
    for entry in log:
        if entry.command:
            if owed:
                break
            move = play(rules, state, actor_number(entry.actor), decode_command(entry.command))
            state, owed = move.state, list(reversed(move.events))
        if not owed or owed.pop() != decode_event(entry):
            raise ValueError(f"version {entry.version} is not as recorded")
    if owed:
        raise ValueError(f"{len(owed)} events are missing")
    return len(log)
