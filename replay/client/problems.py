"""What can come back instead of an answer, as exceptions.

    Problem             any problem document of the service: `status`, `code`, `detail`, and its other members
    ├─ RefusedByTheRules    422, a move that the rules refuse: the booklet's section and what would be legal
    ├─ Stale                412, the game has moved on from the version that was named
    ├─ NotPermitted         401 and 403
    ├─ NotFound             404
    └─ Unreachable          no answer, or "try again later", for longer than the client's patience

None of them has changed anything in a game, except Unreachable, after which only the same request tells.
"""

from collections.abc import Mapping
from typing import Any

import msgspec


class Problem(Exception):
    """A problem document (RFC 9457) of the service."""

    def __init__(self, status: int, code: str, detail: str, members: Mapping[str, Any] | None = None) -> None:
        """Status of the answer, stable code, a sentence for people, and the whole document."""
        super().__init__(f"{status} {code}: {detail}")
        self.status = status
        self.code = code
        self.detail = detail
        self.members = members or {}


class RefusedByTheRules(Problem):
    """A move that the rules refuse; the game is as it was."""

    @property
    def section(self) -> str:
        """The booklet and its section that has the rule."""
        return str(self.members.get("section", ""))


class Stale(Problem):
    """The game has moved on; `members["events"]` is what was missed."""


class NotPermitted(Problem):
    """No token, a wrong one, or one that does not permit this."""


class NotFound(Problem):
    """No such game, version or address."""


class Unreachable(Problem):
    """There was no answer within the client's patience; status is 0 where there was none at all."""


def parse_problem(status: int, body: bytes) -> Problem:
    """The exception for an answer that is an error, whoever wrote it: a proxy in between writes no problems."""
    try:
        members = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        members = {}
    code, detail = str(members.get("code", "unknown")), str(members.get("detail", ""))
    return _kind(status, members)(status, code, detail, members)


def _kind(status: int, members: Mapping[str, Any]) -> type[Problem]:
    match status:
        case 401 | 403:
            return NotPermitted
        case 404:
            return NotFound
        case 412:
            return Stale
        case 422 if "section" in members:
            return RefusedByTheRules
        case _:
            return Problem
