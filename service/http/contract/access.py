"""Who may call an operation: how they are found before anything else of the request is read, and described."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from inspect import signature
from typing import Any, Final

from service.http.context.annotators import annotator
from service.http.context.bearers import key_holder, operator, token_holder
from service.http.context.callers import (
    Caller,
    admit,
    admit_holder,
    admit_host,
    admit_insider,
    admit_witness,
    audience,
    seat_at,
    viewpoint,
)
from service.http.context.creators import creator
from service.http.context.disputants import (
    ARBITRATE,
    adds_to_cases,
    check_finished,
    find_disputant,
    is_party,
    may_arbitrate,
    sees_cases,
)
from service.http.context.seats import with_authenticated_seat
from service.http.contract.problems import (
    COUNTED,
    EYES,
    GAME,
    NONE,
    OPERATOR,
    SCOPED,
    SEEN,
    TABLE,
    TOKEN,
    Problems,
    of,
)

Security = dict[str, list[str]]
SCHEMES: Final = {
    "key": "A key of an integrator or operator: `fbk_...`. `fieldbook keys` makes them, as does `POST /v1/keys`.",
    "seat": "The token of a seat of this game, from setting the game up or taking the seat: `fbs_...`.",
    "spectator": "The token of a spectator of this game: `fbw_...`.",
}
_KEY: Final[Security] = {"key": []}
_SEAT: Final[Security] = {"seat": []}
_SPECTATOR: Final[Security] = {"spectator": []}
_NOBODY: Final[Security] = {}
View = Callable[..., Any]


@dataclass(frozen=True)
class Access:
    """Who may call."""

    security: tuple[Security, ...]
    """Any one of these."""
    problems: Problems = NONE
    """What everybody else is told."""
    find: Callable[..., Any] | None = None
    """Finds the caller, by the variables of the address; raises a `Problem` for everybody else."""
    name: str = "caller"
    """As what the caller is handed to a view that asks for it."""

    def authorize_first(self, view: View) -> View:
        """The view, called once the caller is found: who may not do a thing is told so, and not what is wrong."""
        find = self.find
        if find is None:
            return view
        is_wanted = self.name in signature(view).parameters

        @wraps(view)
        def authorized(*arguments: Any, **variables: Any) -> Any:
            found = find(**variables)
            return view(*arguments, **({self.name: found} if is_wanted else {}), **variables)

        return authorized


class _ActingSeats(Access):
    """Seats whose commands are appended."""

    def authorize_first(self, view: View) -> View:
        """The view, called for the seat as it is remembered."""
        return with_authenticated_seat(view)


def holders_of(scope: str) -> Access:
    """Keys with this scope, as `holder`."""
    return Access((_KEY,), SCOPED, lambda **_variables: key_holder(scope), "holder")


ANYBODY: Final = Access((_NOBODY,))
_WATCHERS: Final = (_NOBODY, _KEY, _SEAT, _SPECTATOR)
"""Who may look at a public game; at a private one the same, but for callers without a token."""
_TOKENS: Final = (_KEY, _SEAT, _SPECTATOR)
_TOKEN_REQUIRED: Final = of(401, "token_required")
_AT_TABLE: Final = (_KEY, _SEAT)

AUDIENCE: Final = Access(_WATCHERS, TOKEN, lambda **_variables: audience(), "audience")
"""Everybody; which games they may find depends on who they are."""
OPERATORS: Final = Access((_KEY,), OPERATOR, lambda **_variables: operator(), "holder")
CREATORS: Final = Access((_NOBODY, _KEY), SCOPED | COUNTED, lambda **_variables: creator(), "creator")
"""Keys that may set games up, and guests where the operator lets them."""
TOKEN_HOLDERS: Final = Access(_TOKENS, TOKEN | _TOKEN_REQUIRED, lambda **_variables: token_holder(), "sender")

GUESTS: Final = Access(_WATCHERS, GAME, admit)
"""Whoever may know of the game."""
TICKET_HOLDERS: Final = Access(_WATCHERS, EYES | of(401, "bad_ticket"))
"""Who may see the game, by a token or a ticket: the view finds out by which."""
VIEWERS: Final = Access(_WATCHERS, SEEN, viewpoint, "seen")
"""Who may see the game, with their own eyes."""
MEMBERS: Final = Access(_TOKENS, GAME | _TOKEN_REQUIRED, admit_holder)
"""Who shows a token, of whatever kind."""
INSIDERS: Final = Access(_AT_TABLE, GAME | _TOKEN_REQUIRED | of(403, "insider_required"), admit_insider)
WITNESSES: Final = Access(_TOKENS, TABLE | _TOKEN_REQUIRED, admit_witness)
"""Who has a token of this game, and who decides for the table."""
HOSTS: Final = Access((_KEY,), GAME | _TOKEN_REQUIRED | of(403, "host_required"), admit_host, "host")
SEATS: Final = Access((_SEAT,), TABLE | of(401, "seat_required") | of(403, "seat_required"), seat_at, "seat")
ACTING_SEATS: Final = _ActingSeats(SEATS.security, SEATS.problems)
"""Seats that send commands, as `seated`: an append proves who they are."""
ANNOTATORS: Final = Access(_TOKENS, SEEN | _TOKEN_REQUIRED, annotator, "writer")

CASE_VIEWERS: Final = Access(
    _WATCHERS,
    SEEN,
    check_finished(
        sees_cases, "Until a game has finished its cases are for the table, its creator and arbiters."
    ),
)
EVIDENCE_VIEWERS: Final = Access(
    _WATCHERS,
    SEEN,
    check_finished(
        may_arbitrate,
        "An evidence pack shows hidden cards: until the game has finished it is for arbiters.",
    ),
)


def _disputants(
    security: tuple[Security, ...], may: Callable[[Caller], bool], code: str, detail: str
) -> Access:
    problems = TABLE | _TOKEN_REQUIRED | of(403, code)
    return Access(security, problems, find_disputant(may, code, detail), "sender")


_NO_PARTY: Final = (
    "not_a_party",
    "This is for the parties: the people at the table and, once it sees the case, the key that set the game up.",
)
OPENERS: Final = _disputants(
    _AT_TABLE,
    is_party,
    "not_at_table",
    "Cases are opened by the people at the table and, once it sees the game as it stands, the key that set it up.",
)
PARTIES: Final = _disputants(_AT_TABLE, is_party, *_NO_PARTY)
PARTIES_AND_ARBITERS: Final = _disputants(_AT_TABLE, adds_to_cases, *_NO_PARTY)
ARBITERS: Final = _disputants(
    (_KEY,), may_arbitrate, "scope_missing", f"This needs a key with the scope '{ARBITRATE}'."
)
