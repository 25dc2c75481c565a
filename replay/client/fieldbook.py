"""A Fieldbook service, as an integrator sees it."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from replay.client.annotations import GameAnnotations
from replay.client.answers import (
    DeliveriesPage,
    Delivery,
    Event,
    GamesPage,
    GameSummary,
    NewGame,
    NewWebhook,
    Reservation,
    System,
    Systems,
    TableView,
    TakenSeat,
    Verdict,
    Webhook,
)
from replay.client.branches import Branch, Plays, branch_request
from replay.client.clocks import ClockSettings
from replay.client.disputes import Disputes
from replay.client.following import follow_events
from replay.client.receipts import KeptReceipts
from replay.client.seat import PlayerSeat
from replay.client.transport import Transport

PATIENCE: Final = 60.0
"""Seconds for which a request without an answer is repeated, so that a service may start again in the middle."""
TIMEOUT: Final = 90.0
"""Seconds that one try may be silent: longer than the longest wait for an event."""
SeatRequest = Mapping[str, Any] | str | None
"""Who sits down: a person's name, None for a seat to be taken later, or all that the contract has."""


class Fieldbook:
    """The service at an address; without a key one can look, take seats and play, with one set up games too."""

    def __init__(
        self,
        address: str,
        token: str | None = None,
        *,
        patience: float = PATIENCE,
        timeout: float = TIMEOUT,
        receipts: Path | None = None,
    ) -> None:
        """`token` is a key (fbk_...), or any other token of the service.

        What the service shows of a game is kept in memory, and with a folder for `receipts` there too, signed.
        """
        self.receipts = KeptReceipts(receipts)
        self._transport = Transport(address, token, patience=patience, timeout=timeout)

    def systems(self) -> tuple[System, ...]:
        """All rule systems."""
        return self._transport.read("/v1/systems", Systems).systems

    def clocks(self) -> dict[str, ClockSettings]:
        """The clocks that a new game can name, as in `create_game(..., clock="live")`."""
        return self._transport.read("/v1/systems", Systems).clocks

    def system(self, system: str) -> System:
        """One rule system."""
        return self._transport.read(f"/v1/systems/{system}", System)

    def reserve_game(self) -> Reservation:
        """The id and the commitment of a game, before anybody names a seed; its signed note is kept as a receipt."""
        reserved = self._transport.send("POST", "/v1/reservations", Reservation)
        self.receipts.keep_commitment(reserved.note)
        return reserved

    def create_game(
        self,
        system: str,
        seats: Sequence[SeatRequest],
        *,
        options: Mapping[str, Any] | None = None,
        key: str | None = None,
        **more: Any,
    ) -> NewGame:
        """Set up a game; the same `key` sets up the same game once, however often it is asked for.

        Where seats bring seeds and there is no `key`, the game is reserved first, so that they fit no secret.

        Raises:
            GameSwapped: the game has another commitment than was reserved.
        """
        asked = [{"name": each} if isinstance(each, str) else each for each in seats]
        if key is None and "reservation" not in more and any(each and each.get("seed") for each in asked):
            more["reservation"] = self.reserve_game().reservation
        body = {"system": system, "seats": asked, "options": dict(options or {}), **more}
        made = self._transport.send("POST", "/v1/games", NewGame, body, key)
        self.receipts.hold_commitment(made.game, made.commitment)
        self.receipts.hold(made.game, made.version, made.hash)
        return made

    def take_seat(
        self,
        game: str,
        name: str,
        *,
        seat: int | None = None,
        seed: str = "",
        program: tuple[str, str] | None = None,
        key: str | None = None,
    ) -> PlayerSeat:
        """Sit down, on this seat or the first that is free; `seed` is the seat's share in the shuffle.

        `program` is the name and the version of the bot that plays: it is recorded, and others do not wait for it.
        """
        body: dict[str, Any] = {"name": name, "seed": seed, **({} if seat is None else {"seat": seat})}
        if program is not None:
            body |= {"kind": "program", "program": {"name": program[0], "version": program[1]}}
        taken = self._transport.send("POST", f"/v1/games/{game}/seats", TakenSeat, body, key)
        self.receipts.hold(game, taken.version, taken.hash)
        return self.seat(game, taken.token)

    def seat(self, game: str, token: str) -> PlayerSeat:
        """The seat of this token."""
        return PlayerSeat(self._transport.bearing(token), game, self.receipts)

    @property
    def disputes(self) -> Disputes:
        """The disputes of the service, as this token sees and settles them."""
        return Disputes(self._transport)

    def annotations(self, game: str) -> GameAnnotations:
        """What is said about a game, as this token sees and writes it."""
        return GameAnnotations(self._transport, game)

    def games(self, **filters: str | int) -> Iterator[GameSummary]:
        """The games that match `system`, `status`, `player`, `validation`, newest first, page after page."""
        for page in self._transport.pages("/v1/games", GamesPage, filters):
            yield from page.games

    def table(self, game: str, *, viewer: str | None = None, at: int | None = None) -> TableView:
        """The table as the caller may see it; `viewer` is `public`, `seat:0` and so on, or `all`."""
        asked = {"as": viewer or None, "at": at or None}
        seen = self._transport.read(f"/v1/games/{game}", TableView, **asked)
        self.receipts.hold(game, seen.version, seen.hash)
        return seen

    def events(
        self, game: str, after: int = 0, *, wait: int = 0, viewer: str | None = None
    ) -> Iterator[Event]:
        """The events after a version, each once, checked; with `wait` on and on until the game is over."""
        return self.receipts.held(game, follow_events(self._transport, game, after, wait, viewer=viewer))

    def record(self, game: str) -> bytes:
        """The record of a game as NDJSON, to be kept or verified; it is held against what was seen of the game here.

        Raises:
            GameSwapped: it is not the game that this client has played or watched.
            RecordBroken: it cannot be read, or its chain does not hold together.
        """
        record = self._transport.request(
            "GET", f"/v1/games/{game}/record", headers={"Accept": "application/x-ndjson"}
        ).body
        self.receipts.check_record(game, record)
        return record

    def verdict(self, game: str) -> Verdict:
        """What the validator found."""
        return self._transport.read(f"/v1/games/{game}/validations", Verdict)

    def create_webhook(self, url: str, *, key: str | None = None, **more: Any) -> NewWebhook:
        """Have an address told of games; `events`, `games` and `game` are as the contract has them."""
        return self._transport.send("POST", "/v1/webhooks", NewWebhook, {"url": url, **more}, key)

    def webhooks(self) -> tuple[Webhook, ...]:
        """The webhooks of the key."""
        return self._transport.read("/v1/webhooks", dict[str, tuple[Webhook, ...]])["webhooks"]

    def webhook(self, webhook: str) -> Webhook:
        """One webhook, without its secret."""
        return self._transport.read(f"/v1/webhooks/{webhook}", Webhook)

    def verify_webhook(self, webhook: str) -> Webhook:
        """Have the endpoint asked again whether it wants to be told."""
        return self._transport.send("POST", f"/v1/webhooks/{webhook}/verify", Webhook)

    def deliveries(self, webhook: str, **query: str | int) -> tuple[Delivery, ...]:
        """The newest deliveries of a webhook; `status` is `waiting`, `delivered` or `dead`."""
        return self._transport.read(f"/v1/webhooks/{webhook}/deliveries", DeliveriesPage, **query).deliveries

    def redeliver(self, webhook: str, delivery: str) -> Delivery:
        """Have something told once more."""
        path = f"/v1/webhooks/{webhook}/deliveries/{delivery}/redeliver"
        return self._transport.send("POST", path, Delivery)

    def delete_webhook(self, webhook: str) -> None:
        """Have an address told nothing more."""
        self._transport.request("DELETE", f"/v1/webhooks/{webhook}")

    def branch(
        self,
        game: str,
        at: int | str,
        plays: Plays = (),
        *,
        seed: str | None = None,
        go: int | None = None,
        undo: int | None = None,
        bots: Mapping[str, Any] | None = None,
        after: int | None = None,
    ) -> Branch:
        """Play on from a version, or in the branch of a token: commands of seats, then `bots`, as in the contract.

        The service keeps nothing; the answer's `token` goes on with the branch.
        """
        body = branch_request(at, plays, seed=seed, go=go, undo=undo, bots=bots, after=after)
        answer = self._transport.request("POST", f"/v1/games/{game}/branches", body)
        return self._transport.decode(answer, Branch)
