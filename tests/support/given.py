r"""Given a table, when somebody acts, then this has happened, or it was refused and nothing has.

    given(hand=("blue", "chili"), fields=(("stink",), ())) \
        .when(c.Plant(0)) \
        .then_refused(errors.FieldHoldsOtherBean)

Whatever is accepted here must also be listed by `legal_commands`, and whatever is refused must not; but what is no
seat's to send is never listed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec
import pytest

from events import commands as c
from events.domain_events import Card, DomainEvent
from events.rules.decide import play
from events.rules.definition.rule_system import Rules
from events.rules.errors import RuleViolation
from events.rules.legal import legal_commands
from events.rules.move import Earlier, Move, nothing_earlier
from events.rules.table.state import Field, GameState, NumberedCard, Seat
from tests.support.tables import classic_rules, is_offered, seat_with

VERSIONS = range(1, 20)
"""The versions that a game here can go back to are among these."""


def given(
    *,
    hand: tuple[Card, ...] = ("blue", "chili"),
    fields: tuple[Field, ...] = ((), ()),
    coins: tuple[Card, ...] = (),
    aside: tuple[Card, ...] = (),
    others: Mapping[int, Seat] | None = None,
    active: int = 0,
    phase: str = "plant",
    planted: int = 0,
    revealed: tuple[Card, ...] = (),
    draw_pile: tuple[Card, ...] = ("green",) * 20,
    discard_pile: tuple[Card, ...] = (),
    exhaustions: int = 0,
    rules: Rules | None = None,
) -> "Given":
    """A running game: `hand`, `fields`, `coins` and `aside` are the active player's, `others` hold one green bean."""
    rules = rules or classic_rules()
    seats = [seat_with(hand=("green",)) for _ in range(rules.players)]
    seats[active] = seat_with(hand, fields, coins, aside)
    for number, seat in (others or {}).items():
        seats[number] = seat
    numbered: tuple[NumberedCard, ...] = tuple(enumerate(revealed, 1))
    state = GameState(
        game="game",
        system=rules.system.key,
        status="running",
        seats=tuple(seats),
        active=active,
        turn=1,
        phase=phase,
        planted=planted,
        revealed=numbered,
        next_revealed=len(revealed) + 1,
        draw_pile=draw_pile,
        discard_pile=discard_pile,
        shuffles=1,
        exhaustions=exhaustions,
    )
    return Given(rules, state)


@dataclass(frozen=True)
class Given:
    """A table, at which somebody can act."""

    rules: Rules
    state: GameState
    earlier: Earlier = nothing_earlier

    def after(self, version: int, earlier: "Given") -> "Given":
        """The same table in a game that can go back to this version, after which the table was the other one."""
        return replace(self, earlier={version: earlier.state}.get)

    def when(self, command: c.Command, by: int | None = None) -> "When":
        """The active player, or `by`, sends a command."""
        return When(self, self.state.active if by is None else by, command)


@dataclass(frozen=True)
class When:
    """A command sent to a table."""

    table: Given
    actor: int
    command: c.Command

    def then(self, *events: DomainEvent) -> Given:
        """Exactly these events have happened; goes on with the table after them."""
        move = self._play()
        assert move.events == [*events]
        return replace(self.table, state=move.state)

    def then_among_others(self, *events: DomainEvent) -> Given:
        """These events have happened, in this order, others with them; goes on with the table after all."""
        move = self._play()
        assert [event for event in move.events if event in events] == [*events]
        return replace(self.table, state=move.state)

    def then_refused(self, error: type[RuleViolation]) -> Given:
        """The rules forbid it and nothing has changed; goes on with the same table."""
        before = msgspec.json.encode(self.table.state)
        with pytest.raises(error) as refused:
            self._decide()
        assert refused.type is error
        assert msgspec.json.encode(self.table.state) == before, "refused, but something has changed"
        assert not self._listed(), "refused, but listed as legal"
        return self.table

    def _play(self) -> Move:
        assert self.actor < 0 or self._listed(), "not listed as legal"
        return self._decide()

    def _decide(self) -> Move:
        return play(self.table.rules, self.table.state, self.actor, self.command, self.table.earlier)

    def _listed(self) -> bool:
        table = self.table
        choices = legal_commands(table.rules, table.state, self.actor, table.earlier, VERSIONS)
        return is_offered(choices, self.command)
