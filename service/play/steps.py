"""What a command asks of the store on its way, said apart from how the answer is waited for.

Deciding is a matter of this process; between its steps the store is asked. The steps are a generator that yields each
question and is sent the answer: a thread waits for it (`complete`), an event loop goes on with others meanwhile
(`complete_in_loop`). So there is one way to apply a command, whoever waits.
"""

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from events.log.recorded import RecordedEvent
from events.store.event_store import EventStore
from service.storage.pipelining import PipelinedStore


@dataclass(frozen=True, slots=True)
class Append:
    """To append; as `events.store.event_store.EventStore.append` takes it."""

    game: str
    events: Sequence[RecordedEvent]
    expected_version: int
    expected_hash: str
    command_id: str
    fingerprint: str
    private: Mapping[str, str]
    required: Mapping[str, str]

    def ask(self, store: EventStore | PipelinedStore) -> Any:
        """What appending returns, or what is to be awaited for it."""
        return store.append(
            self.game,
            self.events,
            expected_version=self.expected_version,
            expected_hash=self.expected_hash,
            command_id=self.command_id,
            fingerprint=self.fingerprint,
            private=self.private,
            required=self.required,
        )


@dataclass(frozen=True, slots=True)
class LookAgain:
    """To read on from a version, and whether a command is known; as `EventStore.read_with_command` takes it."""

    game: str
    version: int
    command_id: str

    def ask(self, store: EventStore | PipelinedStore) -> Any:
        """What looking returns, or what is to be awaited for it."""
        return store.read_with_command(self.game, self.version, self.command_id)


@dataclass(frozen=True, slots=True)
class Call:
    """To call what asks the store by itself, or works for long."""

    function: Callable[[], Any]

    def ask(self, store: EventStore | PipelinedStore) -> Any:
        """What calling it returns, or what is to be awaited for it."""
        return store.wait_for(self.function) if isinstance(store, PipelinedStore) else self.function()


Question = Append | LookAgain | Call
_T = TypeVar("_T")
Steps = Generator[Question, Any, _T]
"""Steps that lead to an outcome: an answer that is an exception is raised where the question was asked."""


def complete(steps: Steps[_T], store: EventStore) -> _T:
    """Go through steps, waiting for each answer of this store.

    Raises whatever the steps do not catch.
    """
    try:
        question = next(steps)
        while True:
            try:
                answer = question.ask(store)
            except Exception as error:  # noqa: BLE001 - the step that asked decides about it
                question = steps.throw(error)
            else:
                question = steps.send(answer)
    except StopIteration as done:
        outcome: _T = done.value
        return outcome


async def complete_in_loop(steps: Steps[_T], store: PipelinedStore) -> _T:
    """Go through steps in an event loop, which does other things while this store is asked.

    Raises whatever the steps do not catch.
    """
    try:
        question = next(steps)
        while True:
            try:
                answer = await question.ask(store)
            except Exception as error:  # noqa: BLE001 - the step that asked decides about it
                question = steps.throw(error)
            else:
                question = steps.send(answer)
    except StopIteration as done:
        outcome: _T = done.value
        return outcome
