"""The answers of the service as structs; members that a newer service adds are left aside.

What every rule system has is named here; what only one has (gifts, fans, misses) is not. A test
compares each struct with the contract.
"""

from typing import Any

import msgspec

from replay.client.answer import Answer
from replay.client.clocks import Clock, ClockSettings

Card = str
"""A card's key in the catalogue, such as `blue`."""


class Systems(Answer, frozen=True):
    """All rule systems."""

    systems: tuple["System", ...]
    clocks: dict[str, ClockSettings] = msgspec.field(default_factory=dict)
    """Those that a new game can name."""


class System(Answer, frozen=True):
    """A rule system: who can play it, with which options and cards."""

    system: str
    title: str
    version: int
    players: tuple[int, ...]
    options: dict[str, Any]
    catalogue: dict[str, Any]
    names: dict[str, Any]


class NewSeat(Answer, frozen=True):
    """A seat of a new game; a person's has a token, which is not shown again."""

    seat: int
    name: str | None = None
    kind: str | None = None
    token: str | None = None


class Reservation(Answer, frozen=True):
    """A game that can be set up until it expires (milliseconds since the epoch); `note` is its signed commitment."""

    game: str
    commitment: str
    expires: int
    reservation: str
    note: str


class NewGame(Answer, frozen=True):
    """A game that was set up."""

    game: str
    version: int
    hash: str
    commitment: str
    seats: tuple[NewSeat, ...]
    clock: ClockSettings | None = None
    close_after: int | None = None
    """Seconds without an event after which it may be closed."""


class TakenSeat(Answer, frozen=True):
    """A seat that was taken, and its token."""

    game: str
    version: int
    hash: str
    seat: int
    token: str


class Ruled(Answer, frozen=True):
    """The result that a ruling gave a finished game, instead of the one in its log."""

    kind: str
    winners: tuple[int, ...]
    scores: tuple[int, ...]


class GameSummary(Answer, frozen=True):
    """A game in the list."""

    game: str
    system: str
    status: str
    players: tuple[str | None, ...]
    version: int
    created: int
    validation: str
    kinds: tuple[str | None, ...] = ()
    away: tuple[str | None, ...] | None = ()
    """By seat, who has left it while a bot plays on."""
    ruled: Ruled | None = None


class Page(Answer, frozen=True):
    """A page of a list; `next` is the cursor of the following one."""

    next: str | None


class GamesPage(Page, frozen=True):
    """A page of the list of games."""

    games: tuple[GameSummary, ...]


class NumberedCard(Answer, frozen=True):
    """A card with the number that it keeps while it lies there."""

    number: int
    card: Card


class Hand(Answer, frozen=True):
    """A hand, front card first; `cards` only for who may see them."""

    size: int
    cards: tuple[NumberedCard, ...] = ()


class Program(Answer, frozen=True):
    """A program that plays a seat."""

    name: str
    version: str


class SeatView(Answer, frozen=True):
    """A seat at the table; the cards of a field from bottom to top."""

    seat: int
    name: str | None
    kind: str | None
    bot: str | None
    hand: Hand
    fields: tuple[tuple[Card, ...], ...]
    third_field: bool
    coins: tuple[Card, ...]
    aside: tuple[NumberedCard, ...]
    program: Program | None = None
    away: str | None = None
    """The kind of who has left the seat, while a bot plays on."""


class Offer(Answer, frozen=True):
    """An open offer: who makes it to whom (None: to all), what it gives and what it wants."""

    offer: int
    seat: int
    to: int | None
    hand_cards: tuple[Card, ...]
    revealed: tuple[int, ...]
    want: dict[Card, int]
    want_revealed: tuple[int, ...]
    counters: int | None
    declined: tuple[int, ...]


class DrawPile(Answer, frozen=True):
    """How many cards are left, and how often the pile has run out."""

    size: int
    exhaustions: int


class Result(Answer, frozen=True):
    """How the game ended."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    reason: str
    unit: str


class TableView(Answer, frozen=True):
    """The table as the caller may see it."""

    game: str
    version: int
    hash: str
    viewer: str
    system: str
    options: dict[str, Any]
    status: str
    turn: int
    phase: str | None
    active: int | None
    waiting_for: tuple[int, ...]
    seats: tuple[SeatView, ...]
    revealed: tuple[NumberedCard, ...]
    offers: tuple[Offer, ...]
    draw_pile: DrawPile
    discard_pile: tuple[Card, ...]
    result: Result | None
    ready: tuple[int, ...] = ()
    clock: Clock | None = None
    """In a game that is played with one."""


class Entry(Answer, frozen=True):
    """An entry of the log; hidden values in `data` and `command` are `{"commitment": "<hex>"}`."""

    version: int
    type: str
    schema: int
    at: int
    actor: str
    data: dict[str, Any]
    state: str
    command: dict[str, Any] | None = None


class Event(Answer, frozen=True):
    """An entry as the caller may see it, the salts that open its commitments, and the chain hash after it."""

    entry: Entry
    salts: dict[str, str]
    hash: str


class EventsPage(Answer, frozen=True):
    """A page of events; `next` is where to go on."""

    game: str
    version: int
    hash: str
    events: tuple[Event, ...]
    next: int
    cursor: str
    clock: Clock | None = None
    """After the last of these events, where that is the game's newest."""


class Done(Answer, frozen=True):
    """What commands brought about: how many of them count, and why the next one does not."""

    game: str
    version: int
    hash: str
    dry_run: bool
    withheld: bool
    applied: int
    stopped: dict[str, Any] | None
    events: tuple[Event, ...]
    clock: Clock | None = None


class Expiries(Answer, frozen=True):
    """What was recorded in the name of a game's clock: how much, and the events."""

    game: str
    version: int
    hash: str
    recorded: int
    events: tuple[Event, ...]


class Webhook(Answer, frozen=True):
    """An address that is told of games."""

    id: str
    url: str
    events: tuple[str, ...]
    games: str
    game: str | None
    state: str
    reason: str | None
    waiting: int
    failing_since: int | None
    last_delivered: int | None


class NewWebhook(Webhook, frozen=True, kw_only=True):
    """A webhook that was made, with the secret that signs what it is told, which does not come again."""

    secret: str


class Delivery(Answer, frozen=True):
    """Something that a webhook was told, or has to be told."""

    id: str
    type: str
    game: str | None
    version: int | None
    payload: dict[str, Any] | None
    status: str
    attempts: int
    error: str | None
    answered: int | None


class DeliveriesPage(Answer, frozen=True):
    """The newest deliveries of a webhook."""

    webhook: str
    deliveries: tuple[Delivery, ...]


class Verdict(Answer, frozen=True):
    """What the validator found; `pending` until it has looked."""

    game: str
    validation: str
    reports: tuple[dict[str, Any], ...]
