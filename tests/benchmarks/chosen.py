"""Games whose commands are all chosen before they are sent.

Over HTTP a player chooses after reading an answer, which would cost the measuring side more than the measured one. So
each game is set up over HTTP; then its secret is read from the store, as its operator can, and the game is played to
its end in this process, by the same rules with the same shuffles. The chosen commands are sent later, and the service
decides each of them as it decides any.
"""

import random
from collections.abc import Iterator, Sequence
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
from events.rules.table.waiting import waiting_for
from events.store.event_store import EventStore
from service.access.game_access import SECRET
from service.catalogues.catalogues import catalogue_kept
from tests.benchmarks.own_service import HOST, OwnService

SYSTEM, PLAYERS = "classic", 4
MEDDLES = 0.3
"""The probability that another seat than the awaited one acts while there is trading."""
OFFERS = 2
"""The most offers and counter-offers of a seat in a turn: at random alone, most of a game would be offers."""


class Step(msgspec.Struct, frozen=True, array_like=True):
    """One command: its seat, and the whole request as bytes."""

    seat: int
    request: bytes


class ChosenGame(msgspec.Struct, frozen=True):
    """A running game, the commands to send to it, and its version after all of them."""

    game: str
    steps: tuple[Step, ...]
    version: int


@dataclass(frozen=True)
class SetUp:
    """A new game and the tokens of its seats."""

    game: str
    tokens: tuple[str, ...]


def chosen_games(service: OwnService, count: int, seed: int = 1) -> list[ChosenGame]:
    """Set up games and choose all their commands; the same seed chooses alike."""
    made = [set_up(service) for _ in range(count)]
    with service.opened_store() as store:
        return [
            chosen_game(store, each, random.Random(f"{seed}/{place}"), service.port)
            for place, each in enumerate(made)
        ]


def set_up(service: OwnService) -> SetUp:
    """Create a game of people over HTTP; it starts at once."""
    seats = [{"name": name} for name in ("Ann", "Ben", "Cat", "Dan")[:PLAYERS]]
    made = service.ask("POST", "/v1/games", {"system": SYSTEM, "seats": seats})
    return SetUp(made["game"], tuple(seat["token"] for seat in made["seats"]))


def chosen_game(store: EventStore, made: SetUp, chance: random.Random, port: int) -> ChosenGame:
    """Choose the commands of a new game to its end."""
    table = _open_game(store, made)
    steps, version = [], table.version
    for number, (seat, command, events) in enumerate(_played(table, chance)):
        body = encode_command(command)
        steps.append(Step(seat, request_bytes(made.game, made.tokens[seat], number, body, port)))
        version += events
    return ChosenGame(made.game, tuple(steps), version)


def request_bytes(game: str, token: str, number: int, body: bytes, port: int) -> bytes:
    """Return one request as a careful client sends it, with an Idempotency-Key."""
    head = (
        f"POST /v1/games/{game}/commands HTTP/1.1\r\n"
        f"Host: {HOST}:{port}\r\n"
        f"Authorization: Bearer {token}\r\n"
        f"Idempotency-Key: {number}\r\n"
        "Content-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def recorded_commands(store: EventStore, made: SetUp, chance: random.Random) -> list[list[RecordedEvent]]:
    """Return the entries that the chosen commands of a new game lead to."""
    table, recorded = _open_game(store, made), []
    for number, (seat, command, _) in enumerate(_played(table, chance)):
        table, entries = table.submit(seat, command, number)
        recorded.append(entries)
    return recorded


def _open_game(store: EventStore, made: SetUp) -> Table:
    private = store.private(made.game)
    return open_table(store.read(made.game), private[SECRET], catalogue_kept(private))


def _played(table: Table, chance: random.Random) -> Iterator[tuple[int, c.Command, int]]:
    """Yield each seat's command until the game ends, and the number of events it leads to."""
    rules, state = table.rules, table.state
    offers: dict[int, int] = {}
    turn = state.active
    while waiting_for(state):
        if state.active != turn:
            offers, turn = {}, state.active
        meddles = state.phase == "trade" and chance.random() < MEDDLES
        awaited = waiting_for(state)[0]
        for seat in (chance.randrange(PLAYERS) if meddles else awaited, awaited):
            listed = legal_commands(rules, state, seat)
            command = _command(listed, chance, may_offer=offers.get(seat, 0) < OFFERS)
            if command is not None:
                break
        else:
            return
        if isinstance(command, c.Offer | c.Counter):
            offers[seat] = offers.get(seat, 0) + 1
        move = play(rules, state, seat, command)
        state, events = move.state, len(move.events)
        while state.due is not None:
            move = play(rules, state, DEALER, dealers_command(rules, state, table.secret))
            state, events = move.state, events + len(move.events)
        yield seat, command, events


def _command(
    listed: Sequence[c.Command | Form], chance: random.Random, *, may_offer: bool
) -> c.Command | None:
    """Choose a listed command except talk and leaving, each kind with the same probability; None if there is none."""
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
