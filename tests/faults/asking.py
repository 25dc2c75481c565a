"""Asking until there is an answer: what fails or passes is asked again, with the same key."""

import time
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from itertools import cycle
from threading import Event
from typing import Any

from tests.faults.ledger import Ledger
from tests.support.http_play import Answer, OverHttp

ANSWER_SECONDS = 30.0
"""An attempt without an answer by then counts as hanging, which no fault excuses."""
PERSISTENCE_SECONDS = 120.0
"""How long a request is repeated before the client says that it never got an answer."""
MOST_TRIES = 6
"""How often it is asked for an answer that somebody else may give otherwise."""
PAUSE_SECONDS = 0.1
"""Between two attempts at the same request."""
SUCCESS, REFUSALS, PASSING = {200, 201}, {412, 422}, {503}


class Stopped(Exception):
    """The client was told to stop while it waited for an answer."""


class Asking:
    """Requests of one client."""

    def __init__(
        self, ports: Sequence[int], ledger: Ledger, stopping: Event, passing: frozenset[str] = frozenset()
    ) -> None:
        """Ask at these ports in turn until told to stop; the ledger counts what came of each attempt.

        After problems of the codes `passing` it is asked again, as after 503, but only some times.
        """
        self._apis = cycle([OverHttp(port, ANSWER_SECONDS) for port in ports])
        self._passing = passing
        self._ledger = ledger
        self._stopping = stopping

    def ask(
        self, method: str, path: str, body: Any, token: str, headers: Mapping[str, str] | None = None
    ) -> Answer:
        """Ask until there is an answer that is not passing.

        Raises:
            Stopped: the client was told to stop before.
        """
        deadline, tries = time.monotonic() + PERSISTENCE_SECONDS, 0
        while time.monotonic() < deadline:
            answer = self.try_once(method, path, body, token, headers)
            tries += answer is not None
            if answer is not None and (tries >= MOST_TRIES or not self._is_passing(answer)):
                return answer
            if self._stopping.wait(PAUSE_SECONDS):
                raise Stopped
        self._ledger.find(f"{method} {path} had no answer within {PERSISTENCE_SECONDS:.0f} s")
        raise Stopped

    def try_once(
        self, method: str, path: str, body: Any, token: str, headers: Mapping[str, str] | None = None
    ) -> Answer | None:
        """Ask once; None where there was no answer, or a passing one."""
        begun = time.monotonic()
        try:
            answer = next(self._apis).call(method, path, body, token=token, headers=headers)
        except TimeoutError:
            self._ledger.find(f"{method} {path} hung for {ANSWER_SECONDS:.0f} s")
            return None
        except (OSError, HTTPException, ValueError) as error:
            self._ledger.answer(type(error).__name__, time.monotonic() - begun)
            return None
        self._ledger.answer(_kind(answer), time.monotonic() - begun)
        if answer.status not in PASSING:
            return answer
        if "retry-after" not in answer.headers:
            self._ledger.find(f"{method} {path} was answered 503 without Retry-After: {answer.body!r}")
        return None

    def _is_passing(self, answer: Answer) -> bool:
        """Whether the next one that is asked may answer otherwise."""
        return bool(self._passing) and _kind(answer).partition(" ")[2] in self._passing


def _kind(answer: Answer) -> str:
    """How an answer is counted: its status, and its code where it is a problem."""
    if answer.headers.get("content-type") == "application/problem+json":
        return f"{answer.status} {answer.json['code']}" if answer.status not in REFUSALS else "refused"
    return str(answer.status)
