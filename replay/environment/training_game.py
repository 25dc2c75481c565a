"""A game that waits for one seat after the other, as environments want it: who acts, what it may do, what it sees.

While there is trading, whoever was asked something answers first; then each other seat is asked once in a turn
whether it wants to offer something; then the active player. Each seat makes only so many offers in a turn, so every
game ends. Bots can sit on some of the seats: they play by the same commands between two actions.
"""

import hashlib
import operator
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Self, SupportsIndex

from events import commands as c
from events.bots import choose
from events.bots.going_on import go_on
from events.bots.memory import BotMemory
from events.commands.leaving import LEAVING
from events.game.bot_driver import situation_of
from events.game.record import header_for, write_record
from events.game.table import new_table
from events.log.codec import decode_event
from events.log.disclosure import ALL, form_for
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.legal import legal_commands
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.rules.table.waiting import waiting_for
from replay.environment.actions import PASS, Action, actions_of
from replay.environment.finding import find_commands, open_to

OFFERS_IN_A_TURN = 4
"""So many offers of the active player are actions in a turn."""
CENTS = 100
"""In a coin."""


@dataclass(slots=True)
class _Turn:
    """What has happened in a turn."""

    number: int = 0
    asked: set[int] = field(default_factory=set)
    offers: dict[int, int] = field(default_factory=dict)


class TrainingGame:
    """One game, from the deal to the end.

    Attributes:
        table: the game as it stands.
        seat: who acts; None when the game is over.
        commands: what it may do: each action with its command, None for `pass`.
    """

    def __init__(
        self,
        system: str,
        players: int,
        seed: str,
        *,
        bots: Mapping[int, str] | None = None,
        options: Mapping[str, str | int | bool] | None = None,
    ) -> None:
        """Deal a game; the same arguments and actions give the same record.

        Raises:
            RuleViolation: the rule system is not played like that.
        """
        self._bots = dict(bots or {})
        self._dealt = (system, players, seed, self._bots, dict(options or {}))
        self._acted: list[Action] = []
        self._at = 1
        self.table, self._entries = new_table(
            f"training-{_derive(seed, 'game')[:16]}",
            system,
            players,
            options=dict(options or {}),
            catalogue=shipped_catalogue(system_named(system).catalogue),
            secret=_derive(seed, "secret"),
            at=self._at,
        )
        self.memory = BotMemory().follow(map(decode_event, self._entries))
        for seat in range(players):
            self._submit(HOST, self._seated(seat, seed))
        self.actions = actions_of(self.table.rules)
        self._turn = _Turn()
        self.seat: int | None = None
        self.commands: dict[Action, c.Command | None] = {}
        self._go_on()

    def act(self, action: Action) -> None:
        """Do what the seat that acts may do, and let the bots act that come next.

        Raises:
            ValueError: it may not do that.
        """
        if self.seat is None:
            raise ValueError("the game is over: no seat can act")
        if action not in self.commands:
            raise ValueError(f"seat {self.seat} cannot do {action!r} now")
        self._acted.append(action)
        self._do(self.seat, self.commands[action])
        self._go_on()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return an independent game; immutable parts, such as the table, are shared."""
        other = type(self).__new__(type(self))
        own = {"_entries": [*self._entries], "_acted": [*self._acted], "_turn": deepcopy(self._turn, memo)}
        other.__dict__ |= self.__dict__ | own
        return other

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as its deal and its actions, which make the same game again."""
        return _played, (type(self), self._dealt, tuple(self._acted))

    @property
    def scores(self) -> tuple[float, ...]:
        """What each seat has earned, in coins; while the game goes on, so far."""
        state, rules = self.table.state, self.table.rules
        unit = CENTS if rules.system.unit == "cents" else 1
        if state.result is not None:
            return tuple(score / unit for score in state.result.scores)
        return tuple(rules.system.score(rules, state, seat) / unit for seat in range(rules.players))

    def record(self) -> Iterator[bytes]:
        """The lines of the game's record, in scope `all`; one that is over verifies."""
        return write_record(
            header_for(self.table, ALL), (form_for(entry, self.table.key, ALL) for entry in self._entries)
        )

    @property
    def entries(self) -> Sequence[RecordedEvent]:
        """The log."""
        return self._entries

    # --- who acts ------------------------------------------------------------------------------------------

    def _go_on(self) -> None:
        """Let bots act until it is an agent's turn, or the game is over."""
        while (seat := self._next_seat()) is not None:
            if seat not in self._bots:
                commands = self._find_commands(seat)
                if len(commands) > 1 or PASS not in commands:
                    self.seat, self.commands = seat, commands
                    return
                self._do(seat, None)
            else:
                self._do(seat, self._bot_command(seat))
        self.seat, self.commands = None, {}

    def _next_seat(self) -> int | None:
        state = self.table.state
        awaited = waiting_for(state)
        if not awaited:
            return None
        if state.turn != self._turn.number:
            self._turn = _Turn(state.turn)
        if state.phase != "trade":
            return awaited[0]
        players = len(state.seats)
        around = [(state.active + step) % players for step in range(players)]
        answering = next((seat for seat in around if open_to(state, seat)), None)
        if answering is not None:
            return answering
        return next((seat for seat in around[1:] if seat not in self._turn.asked), state.active)

    def _find_commands(self, seat: int) -> dict[Action, c.Command | None]:
        state = self.table.state
        most = OFFERS_IN_A_TURN if seat == state.active else 1
        may_offer = self._turn.offers.get(seat, 0) < most
        legal = legal_commands(self.table.rules, state, seat)
        found: dict[Action, c.Command | None] = {}
        if state.phase == "trade" and open_to(state, seat):
            may_offer = False
        found |= find_commands(state, seat, legal, offers=may_offer)
        if state.phase == "trade" and seat != state.active and not open_to(state, seat):
            found[PASS] = None
        return found

    def _bot_command(self, seat: int) -> c.Command | None:
        situation = situation_of(self.table, self.memory, seat, alone=True)
        seed = self.memory.bot_seeds.get(seat, "")
        chosen = choose(self._bots[seat], situation, seed, self.table.version)
        state = self.table.state
        if chosen is None and open_to(state, seat):
            return c.Decline(open_to(state, seat)[0])
        if chosen is None and seat in waiting_for(state):
            return go_on(each for each in situation.legal if not isinstance(each, LEAVING))
        return chosen

    def _do(self, seat: int, command: c.Command | None) -> None:
        state = self.table.state
        if state.phase == "trade" and seat != state.active and not open_to(state, seat):
            self._turn.asked.add(seat)
        if command is None:
            return
        if isinstance(command, c.Offer):
            self._turn.offers[seat] = self._turn.offers.get(seat, 0) + 1
        self._submit(seat, command)

    def _submit(self, actor: int, command: c.Command) -> None:
        self._at += 1
        self.table, happened = self.table.submit(actor, command, self._at)
        self.memory = self.memory.follow(map(decode_event, happened))
        self._entries += happened

    def _seated(self, seat: int, seed: str) -> c.TakeSeat:
        bot = self._bots.get(seat)
        if bot is not None:
            return c.TakeSeat(seat, f"{bot} {seat}", "bot", bot, _derive(seed, f"bot/{seat}"))
        return c.TakeSeat(seat, f"agent {seat}", "program", program="agent", program_version="1")


def whole_number(value: object) -> int:
    """Return an integer of any kind, such as NumPy's, as an `int`.

    Raises:
        ValueError: it is not an integer; truth values and floats are refused too.
    """
    if isinstance(value, SupportsIndex) and not isinstance(value, bool):
        with suppress(TypeError):  # an array has an index only if it is one integer
            return operator.index(value)
    raise ValueError(f"{value!r} is not an integer")


def _played(
    kind: type[TrainingGame],
    dealt: tuple[str, int, str, dict[int, str], dict[str, Any]],
    acted: Sequence[Action],
) -> TrainingGame:
    """Deal a game and repeat its actions."""
    system, players, seed, bots, options = dealt
    game = kind(system, players, seed, bots=bots, options=options)
    for action in acted:
        game.act(action)
    return game


def _derive(seed: str, purpose: str) -> str:
    return hashlib.sha256(f"{seed}/{purpose}".encode()).hexdigest()
