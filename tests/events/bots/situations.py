"""Situations put together by hand, and situations out of the bots' games."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from events import commands as c
from events.bots import choose
from events.bots.memory import BotMemory
from events.bots.situation import Situation
from events.domain_events import Card
from events.game.bot_driver import expected_seats
from events.game.table import Table, open_table
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from events.rules.table.state import Field, GameState, OpenOffer, Seat
from tests.events.bots.games import Seating, played
from tests.support.given import Given
from tests.support.tables import classic_rules, seat_with


def table_of(
    *seats: Seat,
    phase: str = "trade",
    active: int = 0,
    revealed: tuple[Card, ...] = (),
    offers: tuple[OpenOffer, ...] = (),
    draw_pile: int = 40,
    planted: int = 0,
) -> tuple[Rules, GameState]:
    """A running table of three; seats not given hold one chili bean and grow nothing."""
    rules = classic_rules()
    missing = tuple(seat_with(hand=("chili",)) for _ in range(3 - len(seats)))
    state = GameState(
        game="game",
        system="classic",
        status="running",
        seats=(*seats, *missing),
        active=active,
        turn=1,
        phase=phase,
        planted=planted,
        revealed=tuple(enumerate(revealed, 1)),
        next_revealed=len(revealed) + 1,
        offers=offers,
        next_offer=len(offers) + 1,
        draw_pile=("blue",) * draw_pile,
        shuffles=1,
    )
    return rules, state


def bot_seat(hand: tuple[Card, ...] = (), fields: tuple[Field, ...] = ((), ()), coins: int = 0) -> Seat:
    """A bot's side of a table."""
    return msgspec.structs.replace(seat_with(hand, fields, ("blue",) * coins), kind="bot", bot="greedy")


def greedy_choice(
    table: tuple[Rules, GameState], seat: int = 0, *, memory: BotMemory | None = None, alone: bool = True
) -> c.Command | None:
    """What the greedy bot does on this seat."""
    rules, state = table
    memory = memory or BotMemory()
    situation = Situation(
        rules=rules,
        seat=seat,
        view=player_view(state, seat),
        legal=legal_commands(rules, state, seat),
        offers_made=memory.offers_by(seat),
        turn_events=memory.seen_by(seat),
        alone=alone,
        expected=expected_seats(state),
    )
    return choose("greedy", situation, "seed", 1)


def situation_at(before: Given, seat: int = 0, memory: BotMemory | None = None) -> Situation:
    """What the bot on this seat is told at a table of any rule system."""
    view, legal = player_view(before.state, seat), legal_commands(before.rules, before.state, seat)
    memory = memory or BotMemory()
    return Situation(before.rules, seat, view, legal, memory.offers_by(seat), memory.seen_by(seat))


def choice_at(before: Given, seat: int = 0, memory: BotMemory | None = None) -> c.Command | None:
    """What the greedy bot does there."""
    return choose("greedy", situation_at(before, seat, memory), "seed", 1)


def moments(seating: Seating, every: int) -> Iterator[tuple[Table, BotMemory]]:
    """Every so many versions of a game of `classic`, as in `moments_of`."""
    return moments_of(*played(seating), every)


def moments_of(end: Table, log: Sequence[RecordedEvent], every: int) -> Iterator[tuple[Table, BotMemory]]:
    """Every so many versions of a game, if a command came next: the table, and what bots remember there."""
    table = open_table(log[:1], end.secret, lambda _: end.rules.catalogue)
    memory = BotMemory()
    for moment, (entry, following) in enumerate(pairwise(log[1:])):
        table = table.follow([entry])
        memory = memory.follow([decode_event(entry)])
        if moment % every == 0 and following.actor.startswith("seat:") and following.command:
            yield table, memory
