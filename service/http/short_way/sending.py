"""A command of a seat in an event loop: understood, applied, and answered."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

from events import commands as c
from events.commands import Command
from service.http.context.identity import fingerprint_of, read_expected_version
from service.http.context.services import Services
from service.http.follow.command_answers import command_answer
from service.http.messages.reading import LARGEST_BODY, decode_json
from service.http.schemas.commands import load_command
from service.http.short_way.hot_request import HotRequest
from service.platform.clock import now_milliseconds
from service.play.deciding import Request
from service.play.outcome import Outcome
from service.play.steps import complete_in_loop
from service.storage.pipelining import PipelinedStore

SHORT_BODY: Final = 128
"""Bytes of a body at most of which it is remembered what it says: most commands are the same few ones."""
MOST_REMEMBERED: Final = 512
"""So many of these bodies are remembered: offers are different ones each time, and push one another out."""
_LONG: Final = (c.AskTakeBack, c.AgreeTakeBack)
"""Commands that look far back in the log."""


class Understood(NamedTuple):
    """A command that was understood."""

    command: Command
    fingerprint: str
    expected: tuple[int, str] | None


class Sending:
    """Applies commands of seats that this process knows; their tokens are proved by the append itself."""

    def __init__(self, services: Services, store: PipelinedStore) -> None:
        """Wait for this store."""
        self._services = services
        self._store = store

    def understand(self, asked: HotRequest, body: bytes) -> Understood | None:
        """The command that a body is; None for one that the long way has to take.

        Raises:
            Problem, marshmallow.ValidationError: it is none.
        """
        if len(body) > LARGEST_BODY:
            return None
        value, command = _read_often(body) if len(body) <= SHORT_BODY else _read(body)
        if command is None or isinstance(command, _LONG):
            return None
        fingerprint = fingerprint_of("POST", asked.path, value)
        return Understood(command, fingerprint, read_expected_version(asked.header(b"if-match")))

    async def apply(
        self, game: str, seat: int, field: str, understood: Understood, request_id: str
    ) -> Outcome:
        """Apply it for a seat, whose token stands under this private field.

        Raises:
            Refused, HiddenInformationRevealed, Stale, TooBusy, StoreError
        """
        request = Request(
            seat,
            (understood.command,),
            now_milliseconds(),
            request_id,
            understood.fingerprint,
            understood.expected,
            required={field: str(seat)},
        )
        handling = self._services.handling
        outcome = await complete_in_loop(handling.steps(game, request), self._store)
        handling.count(request, outcome)
        return outcome

    def form(self, game: str, seat: int, outcome: Outcome) -> dict[str, Any]:
        """What the answer says."""
        return command_answer(game, seat, outcome)


def _read(body: bytes) -> tuple[Any, Command | None]:
    """A body as a JSON value, and the one command that it is, if it is one.

    Raises:
        Problem, marshmallow.ValidationError: it is none.
    """
    value = decode_json(body)
    return value, load_command(value) if isinstance(value, dict) else None


_read_often = lru_cache(MOST_REMEMBERED)(_read)
