"""What schemathesis has to know of this service: games that there are, and who asks.

It is loaded by schemathesis in its own process. `FIELDBOOK_CONTRACT_CAST` holds, as JSON, who asks, keys, and games
with tokens of their seats and spectators. Tokens that answers hand out are remembered, so that a game which a test
has set up can be played by it.
"""

import json
import os
from typing import Any, Final

import schemathesis

REAL: Final = 3
"""In three of four requests a generated game, seat or system is replaced by one that there is."""
CAST: Final = json.loads(os.environ["FIELDBOOK_CONTRACT_CAST"])
tokens: dict[str, str] = dict(CAST["tokens"])
"""The token of a seat by its game; the newest that was handed out."""
spectators: dict[str, str] = CAST["spectators"]
"""The token of a spectator by its game."""


@schemathesis.serializer("application/x-ndjson", "application/gzip")
def as_it_is(_context: Any, value: Any) -> bytes:
    """Send a generated record as text."""
    return str(value).encode("utf-8", "replace")


@schemathesis.auth()
class Tokens:
    """The caller's token for an operation."""

    def get(self, case: schemathesis.Case[Any], _context: schemathesis.AuthContext) -> str | None:
        """The token for a request; of another game where the caller has none of this one."""
        game = str((case.path_parameters or {}).get("game"))
        match CAST["caller"]:
            case "nobody":
                return None
            case "seat":
                return tokens.get(game, next(iter(tokens.values())))
            case "spectator":
                return spectators.get(game, next(iter(spectators.values())))
            case holder:
                only_seats = case.operation.definition.raw.get("security") == [{"seat": []}]
                return tokens[game] if only_seats and game in tokens else str(CAST["keys"][holder])

    def set(self, case: schemathesis.Case[Any], data: str | None, _context: schemathesis.AuthContext) -> None:
        """Put it into the request."""
        if data is not None:
            case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Name things that there are, most of the time; which, depends on what was generated, so runs repeat."""
    if not path_parameters:
        return path_parameters
    known = {"game": sorted(CAST["tokens"]), "system": ["classic", "the-duel"], "seat": [0, 1, 2]}
    for name, values in known.items():
        chance = sum(str(path_parameters.get(name, "")).encode())
        if name in path_parameters and chance % (REAL + 1):
            path_parameters[name] = values[chance % len(values)]
    return path_parameters


@schemathesis.hook
def after_call(_context: Any, _case: schemathesis.Case[Any], response: schemathesis.Response) -> None:
    """Remember the tokens of seats that an answer hands out."""
    if response.status_code != 201 or "json" not in response.headers.get("content-type", [""])[0]:
        return
    answer = response.json()
    game = answer.get("game")
    for seat in [answer, *answer.get("seats", [])]:
        if game and str(seat.get("token", "")).startswith("fbs_"):
            tokens[game] = seat["token"]
