"""What can come back instead of an answer, as exceptions.

    Problem             any problem document of the service: `status`, `code`, `detail`, and its other members
    ├─ RefusedByTheRules    422, a move that the rules refuse: the booklet's section and what would be legal
    ├─ Invalid              422, what was sent is none of what the service knows: a member, or a system, misspelt
    ├─ Stale                412, the game has moved on from the version that was named
    ├─ NotPermitted         401 and 403
    ├─ NotFound             404
    ├─ NotTheService        no answer of a Fieldbook service: a redirect, a page of a proxy, unreadable content
    └─ Unreachable          no answer, or "try again later", for longer than the client's patience; at once where
                            nobody listens at the address

None of them has changed anything in a game, except Unreachable, after which only the same request tells.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

_LONGEST_EXCERPT: Final = 4000
_LONGEST_SHOWN: Final = 80
_TITLE: Final = re.compile(r"<title[^>]*>([^<]*)", re.IGNORECASE)


class Problem(Exception):
    """A problem document (RFC 9457) of the service."""

    def __init__(
        self,
        status: int,
        code: str,
        detail: str,
        members: Mapping[str, Any] | None = None,
        *,
        address: str = "",
    ) -> None:
        """Status of the answer, stable code, a sentence for people, the whole document, and who was asked."""
        super().__init__(f"{status} {code}: {detail}{address and f' ({address})'}")
        self.address = address
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


class Invalid(Problem):
    """What was sent breaks the contract; sent again unchanged it does so again."""


class Stale(Problem):
    """The game has moved on; `members["events"]` is the first of what was missed, up to version `next`."""

    @property
    def next(self) -> int:
        """The version after which to read on (`PlayerSeat.events`); the game's where no more was missed."""
        return int(self.members.get("next", self.members.get("version", 0)))


class NotPermitted(Problem):
    """No token, a wrong one, or one that does not permit this."""


class NotFound(Problem):
    """No such game, version or address."""


class NotTheService(Problem):
    """An answer that no Fieldbook service gives, in `detail`; another server or a proxy answers at the address."""


class Unreachable(Problem):
    """There was no answer within the client's patience; status is 0 where there was none at all."""


def parse_problem(status: int, headers: Mapping[str, str], body: bytes, address: str = "") -> Problem:
    """Return the exception for an answer that is an error; names of headers are in lower case."""
    try:
        members = msgspec.json.decode(body, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        members = {}
    if "code" not in members:
        return NotTheService(status, "unknown", describe_answer(status, headers, body), address=address)
    code, detail = str(members["code"]), str(members.get("detail", ""))
    return _kind(status, members)(status, code, detail, members, address=address)


def describe_answer(status: int, headers: Mapping[str, str], body: bytes) -> str:
    """Return what an answer is, as a phrase: status, content type, size, and the title or beginning of its text."""
    content_type = headers.get("content-type", "").partition(";")[0].strip() or "no content type"
    if not body:
        return f"{status} and no content"
    encoding = headers.get("content-encoding", "identity")
    if encoding != "identity":
        return f"{status} and {len(body)} bytes of {content_type}, compressed with {encoding}"
    text = body[:_LONGEST_EXCERPT].decode("utf-8", "replace")
    title = _TITLE.search(text)
    shown = " ".join((title[1] if title else text).split())[:_LONGEST_SHOWN]
    return f"{status} and {len(body)} bytes of {content_type}, “{shown}”"


NOT_UNDERSTOOD: Final = frozenset({"schema_violation", "unknown_system", "unknown_option", "bad_option"})
"""The codes of 422 where a name or a value is none that the service knows."""


def _kind(status: int, members: Mapping[str, Any]) -> type[Problem]:
    match status:
        case 422 if members.get("code") in NOT_UNDERSTOOD:
            return Invalid
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
