"""Bots that play on for who has left: as any bot does, with a seed that follows from the game."""

from dataclasses import replace

import msgspec

from events import commands as c
from events.bots.memory import BotMemory
from events.chain.commitments import salt, salt_key
from events.commands.leaving import LEAVING
from events.game.bot_driver import next_bot_command, situation_of
from events.game.forcing import bot_seed
from events.game.table import Table
from events.log.codec import decode_event
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from tests.support.tables import SECRET, new_game


def left_by(*seats: int) -> Table:
    """A game of three people that these have left."""
    table, _ = new_game()
    for seat in seats:
        table, _ = table.submit(seat, c.Resign(), table.log.at + 1)
    return table


def test_a_seat_that_was_left_is_played() -> None:
    """It is its turn, and the bot does what there is to do."""
    table, memory = left_by(0), BotMemory()
    while table.state.active == 0 and waiting_for(table.state) == (0,):
        step = next_bot_command(table, memory, alone=True)
        assert step is not None
        assert step[0] == 0
        table, entries = table.submit(*step, table.log.at + 1)
        memory = memory.follow(map(decode_event, entries))
    assert table.version > left_by(0).version


def test_who_is_there_is_not_played() -> None:
    """Nor is a seat any more to which somebody has come back."""
    assert next_bot_command(left_by(1), BotMemory(), alone=True) is None
    back, _ = left_by(0).submit(0, c.ComeBack(), left_by(0).log.at + 1)
    assert next_bot_command(back, BotMemory(), alone=True) is None


def test_the_rest_of_a_game_is_played_by_the_bots_of_those_who_left() -> None:
    """One person who only does what must be done is enough for it to come to its end."""
    table, memory = left_by(0, 1), BotMemory()
    for _ in range(2_000):
        if table.state.status != "running":
            break
        person = replace(table, state=_as_bot(table, 2))
        step = next_bot_command(person, memory, alone=True)
        assert step is not None
        table, entries = table.submit(*step, table.log.at + 1)
        memory = memory.follow(map(decode_event, entries))
    assert table.state.result is not None
    assert table.state.result.winners == (2,)


def _as_bot(table: Table, seat: int) -> GameState:
    """The table with a bot in place of this person."""
    seats = list(table.state.seats)
    seats[seat] = msgspec.structs.replace(seats[seat], kind="bot", bot="greedy")
    return msgspec.structs.replace(table.state, seats=tuple(seats))


def test_no_bot_is_asked_whether_to_leave_or_to_come_back() -> None:
    """That is for people to say: it stands among the legal commands of the seat, and no bot is told."""
    table = left_by(0)
    for seat in range(3):
        told = situation_of(table, BotMemory(), seat, alone=True).legal
        assert told or seat
        assert not any(isinstance(each, LEAVING) for each in told)


def test_its_seed_follows_from_the_secret() -> None:
    """Whoever has the secret can play the bot again; before the end nobody else can."""
    table = left_by(0)
    assert bot_seed(table.key, 0) == salt(salt_key(SECRET), 0, "bot/0")
    assert bot_seed(table.key, 1) != bot_seed(table.key, 0)
