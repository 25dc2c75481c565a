"""Many games between bots, played in this process and kept as records: how good a bot is, with how much certainty.

Each game is an ordinary one and its record is like any other's: it verifies, and can be replayed.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from events.bots import BOTS
from events.game.record import header_for, write_record
from events.game.table import Table
from events.log.disclosure import ALL, form_for
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.rule_system import rules_for
from events.rules.systems.registry import system_named
from replay.platform.output_file import RECORD, OutputRefused, open_output
from service.simulation.self_play import self_play

MOST_IN_POOL = 1_000
"""Players in a pool."""
OptionValues = Mapping[str, str | int | bool]


class BadSimulation(Exception):
    """The bots or the options do not fit; the message says why."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be simulated."""

    system: str
    players: int
    games: int
    bots: tuple[str, ...]
    """The bot on each seat; a single one takes all seats. With a pool the bots of its players, the last one of all
    that are not named."""
    seed: str
    duplicate: bool = False
    """Whether each deal is played once for every way to rotate the bots around the table."""
    options: OptionValues = field(default_factory=dict)
    """The options of the rule system that are not at their defaults."""
    pool: int = 0
    """So many players, of whom each deal seats as many as the table has; 0: nobody plays at two tables."""

    @property
    def seated(self) -> tuple[str, ...]:
        """The bot on each seat, or of each player of the pool.

        Raises:
            BadSimulation: there is no such bot, or the number does not fit.
        """
        unknown = next((bot for bot in self.bots if bot not in BOTS), None)
        if unknown is not None:
            raise BadSimulation(f"Unknown bot {unknown!r}; known bots: {', '.join(BOTS)}.")
        if self.pool:
            if not self.players <= self.pool <= MOST_IN_POOL:
                raise BadSimulation(
                    f"A pool has {self.players} to {MOST_IN_POOL} players, to fill the table."
                )
            bots = self.bots + self.bots[-1:] * (self.pool - len(self.bots))
            if len(bots) != self.pool:
                raise BadSimulation(f"Name at most one bot for each of the {self.pool} players of the pool.")
            return bots
        bots = self.bots * self.players if len(self.bots) == 1 else self.bots
        if len(bots) != self.players:
            raise BadSimulation(f"Name one bot, or one for each of the {self.players} seats.")
        return bots

    def table(self, deal: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The bots that a deal seats, seat 0 first, and the names of their players; none without a pool."""
        seated = self.seated
        if not self.pool:
            return seated, ()
        drawn = sorted(range(self.pool), key=lambda player: _draw(f"{self.seed}/{deal}/table/{player}"))
        drawn = drawn[: self.players]
        return tuple(seated[player] for player in drawn), tuple(f"player {player + 1}" for player in drawn)

    @property
    def name(self) -> str:
        """What the games' ids begin with: other seeds, bots or options give other ids, and so other files."""
        pool = [self.pool] if self.pool else []
        asked = json.dumps([self.seed, self.seated, dict(self.options), *pool], sort_keys=True)
        return f"{self.system}-{hashlib.sha256(asked.encode()).hexdigest()[:6]}"

    @property
    def rotations(self) -> int:
        """How often each deal is played."""
        return self.players if self.duplicate else 1

    @property
    def total(self) -> int:
        """How many games are played."""
        return self.games * self.rotations


@dataclass(frozen=True, slots=True)
class SimulatedGame:
    """A game that was played."""

    bots: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[int, ...]
    turns: int
    entries: int


def simulate(plan: Plan, out: Path | None = None, *, force: bool | None = None) -> Iterator[SimulatedGame]:
    """Play the games, one after the other, and write their records into a folder where one is named.

    The same plan always gives the same games, so a record that is there with the same content stays.

    Raises:
        OutputRefused: another file has the name of a record, and `force` does not say to replace it.
        OutputFailed: a record cannot be written.
        BadSimulation: the bots do not fit the table.
        RuleViolation: the rule system is not played like that.
    """
    plan.table(1)
    system = system_named(plan.system)
    rules_for(system, plan.players, plan.options, shipped_catalogue(system.catalogue))
    if out is not None:
        _make_folder(out)
    for deal in range(1, plan.games + 1):
        seated, players = plan.table(deal)
        for rotation in range(plan.rotations):
            bots, names = _rotate(seated, rotation), _rotate(players, rotation)
            name = f"{plan.name}-{deal:04}" + (f"-{rotation + 1}" if plan.duplicate else "")
            table, log = self_play(
                plan.system,
                plan.players,
                bots,
                f"{plan.seed}/{deal}",
                plan.options,
                game=name,
                names=names,
            )
            if out is not None:
                _write(out / f"{name}.ndjson", table, log, force=force)
            yield _summarize(bots, table, log)


def play_until_interrupted(
    plan: Plan, out: Path | None, console: Console, *, force: bool | None = None
) -> list[SimulatedGame]:
    """Play the games with a progress bar on this console; an interrupt ends it early, with the games so far.

    Raises:
        BadSimulation, RuleViolation, OutputRefused, OutputFailed: as `simulate` does.
    """
    played: list[SimulatedGame] = []
    with suppress(KeyboardInterrupt), Progress(console=console, transient=True) as progress:
        playing = progress.add_task("Playing", total=plan.total)
        for game in simulate(plan, out, force=force):
            played.append(game)
            progress.advance(playing)
    return played


def read_options(system: str, players: int, given: Sequence[str]) -> dict[str, str | int | bool]:
    """Options of a rule system, each written as `name=value`; what is unknown is left to the rules to refuse.

    >>> read_options("extended", 4, ["duplicate_fields=true", "start_seat=2"])
    {'duplicate_fields': True, 'start_seat': 2}

    Raises:
        BadSimulation: one is not written like that, or is given twice.
        RuleViolation: there is no such rule system.
    """
    known = system_named(system).options
    options: dict[str, str | int | bool] = {}
    for each in given:
        name, equals, written = each.partition("=")
        if not (name and equals and written):
            raise BadSimulation(f"Write an option as NAME=VALUE, such as start_seat=random; not {each!r}.")
        if name in options:
            raise BadSimulation(f"The option {name!r} is given twice.")
        allowed = known[name].allowed(players) if name in known else ()
        options[name] = next((value for value in allowed if str(value).lower() == written.lower()), written)
    return options


def _draw(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()


def _rotate(each: tuple[str, ...], seats: int) -> tuple[str, ...]:
    return each[-seats:] + each[:-seats] if seats else each


def _make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputRefused(f"There can be no folder {path}: {error.strerror}.") from error


def _write(path: Path, table: Table, log: Sequence[RecordedEvent], *, force: bool | None) -> None:
    forms = (form_for(entry, table.key, ALL) for entry in log)
    content = b"".join(write_record(header_for(table, ALL), forms))
    if path.is_file() and path.read_bytes() == content:
        return
    with open_output(path, RECORD, force=force) as file:
        file.write(content)


def _summarize(bots: tuple[str, ...], table: Table, log: Sequence[RecordedEvent]) -> SimulatedGame:
    result = table.state.result
    if result is None:
        raise BadSimulation(f"The game {table.game} has not come to its end.")
    return SimulatedGame(bots, result.scores, result.winners, table.state.turn, len(log))
