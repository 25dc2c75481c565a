"""Games that are measured: played by random bots or by the bare rules, and the same on every machine."""

import hashlib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from events import commands as c
from events.bots.filling import fill_form
from events.commands import TakeSeat
from events.commands.dealing import Dealing
from events.commands.leaving import LEAVING
from events.game.record import header_for, write_record
from events.game.table import Table, new_table
from events.log.disclosure import form_for
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.definition.forms import Form, SayForm
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.move import HOST
from events.rules.systems.registry import system_named
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from service.simulation.self_play import self_play

SYSTEM: Final = "classic"
PLAYERS: Final = 4
GAMES: Final = 20
"""The number of games: about 16,000 events, more than any cache of a processor holds."""
LONG_PLAYERS: Final = 5
LONG_MOVES: Final = 350
"""Fewer commands than a game of five has; between two of them there is talk, to make it long."""
MEDDLES: Final = 0.5
"""The probability that another seat than the awaited one acts while there is trading."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game: its last table, and every entry of its log."""

    table: Table
    log: tuple[RecordedEvent, ...]


def record_of(table: Table, log: Sequence[RecordedEvent], viewer: int) -> tuple[bytes, ...]:
    """Return the lines of a game's record in a viewer's scope."""
    forms = (form_for(entry, table.key, viewer) for entry in log)
    return tuple(write_record(header_for(table, viewer), forms))


@cache
def played_games(count: int = GAMES) -> tuple[PlayedGame, ...]:
    """Return games of four random bots."""
    bots = ["random"] * PLAYERS
    played = (self_play(SYSTEM, PLAYERS, bots, f"bench/{number}", {}) for number in range(count))
    return tuple(PlayedGame(table, tuple(log)) for table, log in played)


def coins(
    system: str, bots: Sequence[str], seed: str, deal: tuple[str, Dealing] | None = None
) -> tuple[float, ...]:
    """Play a game between bots, and return the coins of each seat."""
    played, _ = self_play(system, len(bots), bots, seed, {}, deal=deal)
    result = played.state.result
    if result is None:
        raise RuntimeError(f"the game of {seed} has no result")
    unit = 100 if system_named(system).unit == "cents" else 1
    return tuple(score / unit for score in result.scores)


def start_table(game: str, system: str, players: int) -> tuple[Table, list[RecordedEvent]]:
    """Return a game that has just begun, and its log; the deal follows from the game's id."""
    table, log = new_table(
        game,
        system,
        players,
        options={},
        catalogue=shipped_catalogue(system_named(system).catalogue),
        secret=hashlib.sha256(game.encode()).hexdigest(),
        at=1,
    )
    for seat in range(players):
        table, seated = table.submit(HOST, TakeSeat(seat, f"Player {seat}", "human"), 1)
        log += seated
    return table, log


def random_command(rules: Rules, state: GameState, chance: random.Random) -> tuple[int, c.Command]:
    """Choose who acts next and how: one of all legal commands of that seat but talk, each with the same probability.

    Bots see only what their seat may see, which takes them time; here chance sees all.
    """
    awaited = chance.choice(waiting_for(state))
    meddles = state.phase == "trade" and chance.random() < MEDDLES
    seat = chance.randrange(rules.players) if meddles else awaited
    legal = _serious(rules, state, seat)
    if not legal:
        seat, legal = awaited, _serious(rules, state, awaited)
    chosen = chance.choice(legal)
    return seat, chosen if isinstance(chosen, c.Command) else fill_form(chosen, chance)


def _serious(rules: Rules, state: GameState, seat: int) -> list[c.Command | Form]:
    return [each for each in legal_commands(rules, state, seat) if not isinstance(each, SayForm | LEAVING)]


def long_game(
    entries: int, *, to_its_end: bool = True, game: str = "long"
) -> tuple[Table, list[RecordedEvent]]:
    """Return a game of five with about this number of entries: played to its end, or still running.

    Only the rules bound it, so it may be longer than a service lets a game become.
    """
    chance = random.Random(game)
    table, log = start_table(game, SYSTEM, LONG_PLAYERS)
    at = 1
    while table.state.status == "running" and (to_its_end or len(log) < entries):
        for sender, command in _talk(table, chance, entries // LONG_MOVES):
            if len(log) >= entries:
                break
            table, new = table.submit(sender, command, at := at + 700)
            log += new
        if to_its_end or len(log) < entries:
            table, new = table.submit(*random_command(table.rules, table.state, chance), at := at + 4_000)
            log += new
    return table, log


def _talk(table: Table, chance: random.Random, count: int) -> Iterator[tuple[int, c.Command]]:
    """Yield offers of the front card that are withdrawn at once, while there is trading; else talk."""
    state = table.state
    active, hand = state.active, state.seats[state.active].hand
    if state.phase == "trade" and hand and all(each.seat != active for each in state.offers):
        for number in range(state.next_offer, state.next_offer + count // 2):
            yield active, c.Offer(None, hand=(hand[0][0],))
            yield active, c.Withdraw(number)
        return
    for _ in range(count):
        yield (
            chance.choice(range(LONG_PLAYERS)),
            c.Say(chance.choice(("Anyone for wax beans?", "No.", "Hm."))),
        )
