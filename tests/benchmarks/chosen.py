"""Games of which every command is chosen before it is sent.

Over HTTP a player has to look at an answer before it chooses, and that costs the one who measures more than the one
who is measured. So each game is set up over HTTP as usual; then its secret is read from the store, which whoever runs
the service can do, and the game is played to its end right here, by the same rules with the same shuffles. What is
left to do is to send those commands, and the service decides each of them as it decides any.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import msgspec

from events import commands as c
from events.bots.filling import fill_form
from events.commands.leaving import LEAVING
from events.game.dealing import dealers_command
from events.game.table import Table, open_table
from events.log.codec import encode_command
from events.log.recorded import RecordedEvent
from events.rules.decide import play
from events.rules.definition.forms import Form
from events.rules.legal import legal_commands
from events.rules.move import DEALER
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from service.access.game_access import SECRET
from service.catalogues.catalogues import catalogue_kept
from tests.benchmarks.own_service import HOST, OwnService
from tests.benchmarks.stored_games import Games

SYSTEM, PLAYERS = "classic", 4
MEDDLES = 0.3
"""How likely somebody for whom the game does not wait does something, while there is trading."""
OFFERS = 2
"""Offers and counter-offers of a seat in a turn at most: at random alone, most of a game would be offers."""


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One command: who sends it, and the whole request as bytes."""

    seat: int
    request: bytes


class ChosenGame(msgspec.Struct, frozen=True):
    """A game that is set up and running, and what is to be sent to it."""

    game: str
    steps: tuple[Step, ...]
    version: int
    """Its version when all of it is played."""


@dataclass(frozen=True)
class SetUp:
    """A game as the API answered it."""

    game: str
    tokens: tuple[str, ...]


def chosen_games(service: OwnService, count: int, seed: int = 1) -> list[ChosenGame]:
    """Set up games and choose all their commands."""
    made = [set_up(service) for _ in range(count)]
    with closing(service.stored_games()) as stored:
        return [
            chosen_game(stored, each, chance_of(f"{seed}/{place}"), service.port)
            for place, each in enumerate(made)
        ]


def chance_of(seed: str) -> random.Random:
    """What is chosen from: the same for the same seed."""
    return random.Random(seed)


def set_up(service: OwnService) -> SetUp:
    """A new game of people, over HTTP; it starts at once."""
    seats = [{"name": name} for name in ("Ann", "Ben", "Cat", "Dan")[:PLAYERS]]
    made = service.ask("POST", "/v1/games", {"system": SYSTEM, "seats": seats})
    return SetUp(made["game"], tuple(seat["token"] for seat in made["seats"]))


def chosen_game(stored: Games, made: SetUp, chance: random.Random, port: int) -> ChosenGame:
    """Play a game that was just set up to its end, without telling the service."""
    private = stored.private(made.game)
    table = open_table(stored.read(made.game), private[SECRET], catalogue_kept(private))
    steps, version = [], table.version
    for number, (seat, command, events) in enumerate(_played(table, chance)):
        steps.append(
            Step(seat, request_bytes(made.game, made.tokens[seat], number, encode_command(command), port))
        )
        version += events
    return ChosenGame(made.game, tuple(steps), version)


def request_bytes(game: str, token: str, number: int, body: bytes, port: int) -> bytes:
    """One request, as a careful client sends it: with an Idempotency-Key."""
    head = (
        f"POST /v1/games/{game}/commands HTTP/1.1\r\n"
        f"Host: {HOST}:{port}\r\n"
        f"Authorization: Bearer {token}\r\n"
        f"Idempotency-Key: {number}\r\n"
        "Content-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def recorded_commands(stored: Games, made: SetUp, chance: random.Random) -> list[list[RecordedEvent]]:
    """What the commands of a game that was just set up lead to in the log, without telling the service."""
    private = stored.private(made.game)
    table = open_table(stored.read(made.game), private[SECRET], catalogue_kept(private))
    recorded = []
    for number, (seat, command, _) in enumerate(_played(table, chance)):
        table, entries = table.submit(seat, command, number)
        recorded.append(entries)
    return recorded


def _played(table: Table, chance: random.Random) -> Iterator[tuple[int, c.Command, int]]:
    """Who does what until the game ends, and how many events it leads to."""
    rules, state = table.rules, table.state
    offers: dict[int, int] = {}
    turn = state.active
    while waiting_for(state):
        if state.active != turn:
            offers, turn = {}, state.active
        seat = _next_seat(state, chance)
        command = _command(legal_commands(rules, state, seat), chance, may_offer=offers.get(seat, 0) < OFFERS)
        if command is None:
            seat = waiting_for(state)[0]
            command = _command(
                legal_commands(rules, state, seat), chance, may_offer=offers.get(seat, 0) < OFFERS
            )
            if command is None:
                return
        if isinstance(command, c.Offer | c.Counter):
            offers[seat] = offers.get(seat, 0) + 1
        move = play(rules, state, seat, command)
        state, events = move.state, len(move.events)
        while state.due is not None:
            move = play(rules, state, DEALER, dealers_command(rules, state, table.secret))
            state, events = move.state, events + len(move.events)
        yield seat, command, events


def _next_seat(state: GameState, chance: random.Random) -> int:
    awaited = waiting_for(state)
    if state.phase == "trade" and chance.random() < MEDDLES:
        return chance.randrange(PLAYERS)
    return awaited[0]


def _command(
    listed: Sequence[c.Command | Form], chance: random.Random, *, may_offer: bool
) -> c.Command | None:
    """Anything listed but talk and leaving, each kind as likely as the others; None where there is nothing."""
    avoided = {c.Say} if may_offer else {c.Say, c.Offer, c.Counter}
    by_kind: dict[type[c.Command], list[c.Command | Form]] = {}
    for each in listed:
        kind = type(each) if isinstance(each, c.Command) else each.command
        if kind not in avoided and not issubclass(kind, LEAVING):
            by_kind.setdefault(kind, []).append(each)
    if not by_kind:
        return None
    chosen = chance.choice(by_kind[chance.choice(list(by_kind))])
    return chosen if isinstance(chosen, c.Command) else fill_form(chosen, chance)
