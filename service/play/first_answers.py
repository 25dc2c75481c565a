"""What is answered to a request that was applied before: the same as at first, out of the log."""

from dataclasses import replace

from events.log.actors import actor_name
from events.log.disclosure import Disclosure
from events.store.errors import CommandIdReused, RequirementUnmet
from events.store.event_store import Appended, EventStore, IdempotencyRecord
from service.play.deciding import Request, decide_next
from service.play.outcome import Outcome
from service.play.tables import Tables


class FirstAnswers:
    """Answers requests again that a store knows."""

    def __init__(self, store: EventStore, tables: Tables) -> None:
        """Read the logs of this store; the tables say how things stand."""
        self._store = store
        self._tables = tables

    def find(self, game: str, request: Request) -> Outcome | None:
        """The outcome of the same request when it was applied before.

        Raises:
            GameNotFound, RequirementUnmet, CommandIdReused, StoreUnavailable
        """
        known = self._store.idempotency_record(game, request.command_id)
        return None if known is None else self.repeat_known(game, request, known)

    def repeat_known(self, game: str, request: Request, known: IdempotencyRecord) -> Outcome:
        """The outcome of a request, of which the store remembers this.

        Raises:
            RequirementUnmet, CommandIdReused, StoreUnavailable
        """
        self._check_required(game, request)
        if known.fingerprint != request.fingerprint:
            raise CommandIdReused(game, request.command_id)
        return self.repeat(game, known.answer, request)

    def repeat(self, game: str, answer: Appended, request: Request) -> Outcome:
        """The outcome of a request that the store had appended before, the same as it was at first.

        The log says which of its commands were applied; why the next one was not, the table that they led to says
        again, however far the game has come since.
        """
        count = answer.last_version - answer.first_version + 1
        entries = self._store.read(game, answer.first_version - 1, count)
        newest = self._tables.newest(game)
        actor = actor_name(request.actor)
        applied = sum(1 for entry in entries if entry.command and entry.actor == actor)
        stopped = clock = None
        if newest.table.log.clock is not None:
            clock = self._tables.at(newest, answer.last_version).log.clock
        if applied < len(request.commands):
            table = self._tables.at(newest, answer.last_version)
            earlier = self._tables.earlier(replace(newest, table=table))
            stopped = decide_next(table, entries, request, applied, earlier).stopped
        disclosures = [Disclosure(entry, newest.table.key) for entry in entries]
        return Outcome(
            newest, entries, disclosures, duplicate=True, applied=applied, stopped=stopped, clock=clock
        )

    def _check_required(self, game: str, request: Request) -> None:
        """As an append does."""
        private = self._store.private(game) if request.required else {}
        for name, value in request.required.items():
            if private.get(name) != value:
                raise RequirementUnmet(game, name)
