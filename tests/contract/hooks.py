"""What schemathesis has to know of this service: games that there are, and who asks.

It is loaded by schemathesis in its own process. `FIELDBOOK_CONTRACT_CAST` holds, as JSON, a key and games with the
tokens of their seats. Tokens that answers hand out are remembered, so that a game which a test has set up can be
played by it.
"""

import json
import os
from typing import Any, Final

import schemathesis

KEYS: Final = ("/v1/keys", "/v1/operator-acts")
REAL: Final = 3
"""In three of four requests a generated game, seat or system is replaced by one that there is."""
CAST: Final = json.loads(os.environ["FIELDBOOK_CONTRACT_CAST"])
tokens: dict[str, str] = dict(CAST["tokens"])
"""The token of a seat by its game; the newest that was handed out."""


@schemathesis.serializer("application/x-ndjson", "application/gzip")
def as_it_is(_context: Any, value: Any) -> bytes:
    """Send a generated record as text."""
    return str(value).encode("utf-8", "replace")


@schemathesis.auth()
class Tokens:
    """The token that fits an operation: a seat's for commands, and else the operator's key."""

    def get(self, case: schemathesis.Case[Any], _context: schemathesis.AuthContext) -> str:
        """The token for a request."""
        wanted = [name for each in case.operation.definition.raw.get("security", []) for name in each]
        game = (case.path_parameters or {}).get("game")
        if "seat" in wanted and game in tokens and ("key" not in wanted or len(str(game)) % 2):
            return tokens[game]
        return str(CAST["key"])

    def set(self, case: schemathesis.Case[Any], data: str, _context: schemathesis.AuthContext) -> None:
        """Put it into the request."""
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
