"""A seat at a table: look, decide, send, and wait for the others."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from events.commands import Command
from events.log.codec import encode_command
from events.transparency.signed_note import NoteRefused
from replay.client.answers import Done, Event, Expiries, TableView
from replay.client.following import follow_events
from replay.client.legal import LegalCommands
from replay.client.problems import Problem
from replay.client.receipts import KeptReceipts
from replay.client.transport import Transport, once

WAIT: Final = 20
"""Seconds that one request waits for something new."""
_OVER: Final = frozenset({"ended", "finished"})
"""Statuses of a game in which nobody can do anything more."""


@dataclass(frozen=True)
class Turn:
    """A moment at which the seat may do something: the table, and what it may send."""

    table: TableView
    legal: LegalCommands

    @property
    def me(self) -> int:
        """The number of the seat."""
        return self.legal.seat


class PlayerSeat:
    """A seat of a game, by its token."""

    def __init__(self, transport: Transport, game: str, receipts: KeptReceipts) -> None:
        """Use `Fieldbook.take_seat` or `Fieldbook.seat`."""
        self.game = game
        self._receipts = receipts
        self._transport = transport
        self._path = f"/v1/games/{game}"

    def table(self, at: int | None = None) -> TableView:
        """The table as the seat sees it, now or at an earlier version."""
        seen = self._transport.read(self._path, TableView, at=at or None)
        self._receipts.hold(self.game, seen.version, seen.hash)
        return seen

    def legal_commands(self) -> LegalCommands:
        """What the seat may send now."""
        return self._transport.read(f"{self._path}/commands", LegalCommands)

    def send(
        self,
        command: Command | Sequence[Command],
        *,
        only_at: LegalCommands | TableView | None = None,
        dry_run: bool = False,
        key: str | None = None,
    ) -> Done:
        """Send a command, or several that are applied in order up to the first that is refused.

        Whatever it is counts once, however often it is sent.

        With `only_at` it counts only if the game is still as it was seen there. `key` is the Idempotency-Key; a
        program that must survive its own restart keeps it and sends the same command with it again.

        Raises:
            RefusedByTheRules: the move is not legal; nothing has happened.
            Stale: the game has moved on from `only_at`; nothing has happened.
            Problem: anything else that the service refuses.
            GameSwapped: the service goes on with another game than it has shown.
        """
        if isinstance(command, Command):
            body = encode_command(command)
        else:
            body = b"[" + b",".join(map(encode_command, command)) + b"]"
        headers = once(key)
        if only_at is not None:
            headers["If-Match"] = f'"{only_at.version}-{only_at.hash[:8]}"'
        path = f"{self._path}/commands{'?dry_run=true' if dry_run else ''}"
        done = self._transport.decode(self._transport.request("POST", path, body, headers), Done)
        if not done.dry_run:
            self._receipts.hold(self.game, done.version, done.hash)
            if self._receipts.wants_signature(self.game, done.version):
                self._fetch_receipt()
        return done

    def expire_time(self) -> Expiries:
        """Have recorded whose time is over, and what follows; the service does so by itself within seconds.

        Where nobody can say yet whether it is over, that is waited for.

        Raises:
            Problem: nobody's time is over (`nothing_expired`), or the game has no clock (`no_clock`).
        """
        return self._transport.send("POST", f"{self._path}/expiries", Expiries)

    def events(self, after: int = 0, *, wait: int = 0) -> Iterator[Event]:
        """The events after a version, each once, checked; with `wait` on and on until the game is over."""
        return self._receipts.held(self.game, follow_events(self._transport, self.game, after, wait))

    def turns(self) -> Iterator[Turn]:
        """Every moment at which the seat may act, until the game is over; ask `legal.awaited` whether it must.

        A game of a duplicate round is over when it has ended, though its secret stays closed for the others.
        What comes next is only waited for: nothing is yielded twice for the same version.
        """
        table = self.table()
        while table.status not in _OVER:
            if table.status == "running":
                legal = self.legal_commands()
                # Else somebody acted between the two questions, and the next answer shows the newer table at once.
                if legal.version == table.version:
                    yield Turn(table, legal)
            table = self._next_table(table.version)

    def _fetch_receipt(self) -> None:
        """Have the game's head signed; a command that counts is not undone by a service that does not sign."""
        with suppress(Problem, NoteRefused, UnicodeDecodeError):
            reply = self._transport.request("GET", f"{self._path}/receipt", headers={"Accept": "text/plain"})
            self._receipts.keep_signed(self.game, reply.body.decode())

    def _next_table(self, version: int) -> TableView:
        """The table as soon as the game has moved on from a version."""
        while True:
            seen = self._transport.read(self._path, TableView, after=version, wait=WAIT)
            if seen.version != version:
                self._receipts.hold(self.game, seen.version, seen.hash)
                return seen
