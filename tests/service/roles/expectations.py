"""Who may do what: one line for each endpoint, and one cell for each role.

A line names method, address (with what is asked for), the games that it is about, and the roles' cells. An endpoint
without a line fails the tests, and so does a cell that is not what the service does.

`any` stands for public and unlisted games, `-` for what is not about a game. The cells:

yes     allowed; where it makes no sense just now, that is what the answer says
end     refused with 403 until the game has finished, then allowed
403     refused: this role never may
401     refused: a token is missing, or is good no more
404     there is no such game: the same answer as for a game that does not exist
"""

from dataclasses import dataclass
from typing import Final

ROLES: Final = {
    "nobody": "sends no token",
    "spectator": "a spectator's token of this game",
    "seat": "the token of a seat of this game",
    "other seat": "the token of a seat of another game",
    "creator": "the key that set this game up, with the scope `create_games`",
    "create": "another key with the scope `create_games`",
    "read": "a key with the scope `read_games`",
    "arbitrate": "a key with the scope `arbitrate`",
    "audit": "a key with the scope `audit`",
    "webhooks": "a key with the scope `webhooks`",
    "operator": "an operator's key",
    "revoked": "a key that was an operator's, and was revoked",
    "malformed": "something that is no token",
}
TABLE: Final = """
# a game:                              nobody spect seat other creator create read arbit audit hooks oper revoked malf
GET    /v1/games/{game}         any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}         private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
GET    /v1/games/{game}?as=all  any     end  end  end  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}?as=all  private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}?as=seat:0 any     end  end  yes  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}?as=seat:0 private 404  end  yes  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/scene  any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/scene  private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
GET    /v1/games/{game}/scene?as=all any     end  end  end  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/scene?as=all private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/scene?as=seat:0 any     end  end  yes  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/scene?as=seat:0 private 404  end  yes  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/history any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/history private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
GET    /v1/games/{game}/history?as=all any     end  end  end  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/history?as=all private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/history?as=seat:0 any     end  end  yes  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/history?as=seat:0 private 404  end  yes  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/events  any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/events  private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
GET    /v1/games/{game}/events?as=all any     end  end  end  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/events?as=all private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
POST   /v1/games/{game}/tickets any     401  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
POST   /v1/games/{game}/tickets private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
POST   /v1/games/{game}/tickets?as=all any     401  end  end  403  end  end  end  yes  end  end  yes  401  401
POST   /v1/games/{game}/tickets?as=all private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/record  any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/record  private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
GET    /v1/games/{game}/record?as=all any     end  end  end  403  end  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/record?as=all private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/catalogue any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/catalogue private 404  yes  yes  404  yes  404  yes  yes  yes  404  yes  401  401
GET    /v1/games/{game}/validations any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/validations private 404  yes  yes  404  yes  404  yes  yes  yes  404  yes  401  401
GET    /v1/games/{game}/receipt any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/receipt private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
GET    /v1/games/{game}/proof   any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/proof   private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
POST   /v1/games/{game}/branches any     end  end  end  403  end  end  end  yes  end  end  yes  401  401
POST   /v1/games/{game}/branches private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
GET /v1/games/{game}/record?annotations=true any yes yes yes 403 yes yes yes yes yes yes yes 401 401
GET /v1/games/{game}/record?annotations=true private 404 yes yes 404 yes 404 yes yes end 404 yes 401 401
GET    /games/{game}           any     yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /games/{game}           private yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /games/{game}/page.html  any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /games/{game}/page.html  private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401

# annotations
GET    /v1/games/{game}/annotations any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/games/{game}/annotations private 404  yes  yes  404  yes  404  yes  yes  end  404  yes  401  401
POST   /v1/games/{game}/annotations any     401  end  end  403  end  end  end  yes  end  end  yes  401  401
POST   /v1/games/{game}/annotations private 404  end  end  404  end  404  end  yes  end  404  yes  401  401
POST   /v1/games/{game}/annotations/imports any     401  end  end  403  end  end  end  yes  end  end  yes  401  401
POST   /v1/games/{game}/annotations/imports private 404  end  end  404  end  404  end  yes  end  404  yes  401  401

# disputes
GET    /v1/games/{game}/disputes any     end  end  yes  403  yes  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/disputes private 404  end  yes  404  yes  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/disputes/{dispute} any     end  end  yes  403  yes  end  end  yes  end  end  yes  401  401
GET    /v1/games/{game}/disputes/{dispute} private 404  end  yes  404  yes  404  end  yes  end  404  yes  401  401
GET    /v1/games/{game}/disputes/{dispute}/evidence-pack any end end end 403 end end end yes end end yes 401 401
GET    /v1/games/{game}/disputes/{dispute}/evidence-pack private 404 end end 404 end 404 end yes end 404 yes 401 401
POST   /v1/games/{game}/disputes any     401  403  yes  403  yes  403  403  403  403  403  403  401  401
POST   /v1/games/{game}/disputes private 404  403  yes  404  yes  404  403  403  403  404  403  401  401
POST   /v1/games/{game}/disputes/{dispute}/evidence any 401 403 yes 403 yes 403 403 yes 403 403 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/evidence private 404 403 yes 404 yes 404 403 yes 403 404 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/withdrawal any 401 403 yes 403 yes 403 403 403 403 403 403 401 401
POST   /v1/games/{game}/disputes/{dispute}/withdrawal private 404 403 yes 404 yes 404 403 403 403 404 403 401 401
POST   /v1/games/{game}/disputes/{dispute}/resumption any 401 403 yes 403 yes 403 403 403 403 403 403 401 401
POST   /v1/games/{game}/disputes/{dispute}/resumption private 404 403 yes 404 yes 404 403 403 403 404 403 401 401
POST   /v1/games/{game}/disputes/{dispute}/claim any 401 403 403 403 403 403 403 yes 403 403 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/claim private 404 403 403 404 403 404 403 yes 403 404 yes 401 401
DELETE /v1/games/{game}/disputes/{dispute}/claim any 401 403 403 403 403 403 403 yes 403 403 yes 401 401
DELETE /v1/games/{game}/disputes/{dispute}/claim private 404 403 403 404 403 404 403 yes 403 404 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/rulings any 401 403 403 403 403 403 403 yes 403 403 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/rulings private 404 403 403 404 403 404 403 yes 403 404 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/previews any 401 403 403 403 403 403 403 yes 403 403 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/previews private 404 403 403 404 403 404 403 yes 403 404 yes 401 401
POST   /v1/games/{game}/disputes/{dispute}/acceptance any 401 403 yes 403 yes 403 403 403 403 403 403 401 401
POST   /v1/games/{game}/disputes/{dispute}/acceptance private 404 403 yes 404 yes 404 403 403 403 404 403 401 401
POST   /v1/games/{game}/disputes/{dispute}/appeal any 401 403 yes 403 yes 403 403 403 403 403 403 401 401
POST   /v1/games/{game}/disputes/{dispute}/appeal private 404 403 yes 404 yes 404 403 403 403 404 403 401 401
GET    /v1/disputes             -       401  401  401  401  403  403  403  yes  403  403  yes  401  401

# playing
GET    /v1/games/{game}/commands any     401  403  yes  403  403  403  403  403  403  403  403  401  401
GET    /v1/games/{game}/commands private 404  403  yes  404  403  404  403  403  403  404  403  401  401
POST   /v1/games/{game}/commands any     401  403  yes  403  403  403  403  403  403  403  403  401  401
POST   /v1/games/{game}/commands private 404  403  yes  404  403  404  403  403  403  404  403  401  401
POST /v1/games/{game}/expiries any      401  end  yes  403  yes  403  403  403  403  403  yes  401  401
POST /v1/games/{game}/expiries private  404  end  yes  404  yes  404  403  403  403  404  yes  401  401
GET /v1/games/{game}/take-backs any     401  403  yes  403  403  403  403  403  403  403  403  401  401
GET /v1/games/{game}/take-backs private 404  403  yes  404  403  404  403  403  403  404  403  401  401
POST /v1/games/{game}/take-backs any     401  403  yes  403  403  403  403  403  403  403  403  401  401
POST /v1/games/{game}/take-backs private 404  403  yes  404  403  404  403  403  403  404  403  401  401
POST /v1/games/{game}/take-backs/agreement any     401  403  yes  403  403  403  403  403  403  403  403  401  401
POST /v1/games/{game}/take-backs/agreement private 404  403  yes  404  403  404  403  403  403  404  403  401  401
POST /v1/games/{game}/take-backs/refusal any     401  403  yes  403  403  403  403  403  403  403  403  401  401
POST /v1/games/{game}/take-backs/refusal private 404  403  yes  404  403  404  403  403  403  404  403  401  401
POST   /v1/games/{game}/seats   any     yes  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
POST   /v1/games/{game}/seats   private 404  yes  yes  404  yes  404  yes  yes  yes  404  yes  401  401

POST /v1/games/{game}/rematch   any     401  403  end  403  end  403  403  403  403  403  end  401  401
POST /v1/games/{game}/rematch   private 404  403  end  404  end  404  403  403  403  404  end  401  401

# tokens of a game
POST /v1/games/{game}/seats/{seat}/token any 401 403 403 403 yes 403 403 403 403 403 yes 401 401
POST /v1/games/{game}/seats/{seat}/token private 404 403 403 404 yes 404 403 403 403 404 yes 401 401
GET    /v1/games/{game}/spectators any     401  403  yes  403  yes  403  403  403  403  403  yes  401  401
GET    /v1/games/{game}/spectators private 404  403  yes  404  yes  404  403  403  403  404  yes  401  401
POST   /v1/games/{game}/spectators any     401  403  yes  403  yes  403  403  403  403  403  yes  401  401
POST   /v1/games/{game}/spectators private 404  403  yes  404  yes  404  403  403  403  404  yes  401  401
DELETE /v1/games/{game}/spectators/{spectator} any 401 403 yes 403 yes 403 403 403 403 403 yes 401 401
DELETE /v1/games/{game}/spectators/{spectator} private 404 403 yes 404 yes 404 403 403 403 404 yes 401 401
GET    /v1/keys/self?game={game} any     401  yes  yes  403  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/keys/self?game={game} private 401  yes  yes  404  yes  yes  yes  yes  yes  yes  yes  401  401

# all games
GET    /v1/games                -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  401  401
POST   /v1/games                -       yes  401  401  401  yes  yes  403  403  403  403  yes  401  401
POST   /v1/reservations         -       401  401  401  401  yes  yes  403  403  403  403  yes  401  401
GET    /v1/exports/games        -       401  401  401  401  403  403  403  403  yes  403  yes  401  401
GET    /v1/dataset?table=games  -       401  401  401  401  403  403  403  403  yes  403  yes  401  401
GET    /v1/ratings/inputs       -       401  401  401  401  403  403  403  403  yes  403  yes  401  401

# tournaments, of which `creator` has announced this one; what everybody may see of one, everybody may
GET    /v1/tournaments          -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
POST   /v1/tournaments          -       401  401  401  401  yes  yes  403  403  403  403  yes  401  401
GET    /v1/tournaments/{tournament} -   yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/tournaments/{tournament}/log - yes yes yes yes yes  yes  yes  yes  yes  yes  yes  yes  yes
POST   /v1/tournaments/{tournament}/players - 401 401 401 401 yes 403 403 403 403  403  yes  401  401
DELETE /v1/tournaments/{tournament}/players/{player} - 401 401 401 401 yes 403 403 403 403 403 yes 401 401
POST   /v1/tournaments/{tournament}/start - 401 401 401 401 yes 403  403  403  403  403  yes  401  401
POST   /v1/tournaments/{tournament}/seat -  yes yes yes yes yes  yes  yes  yes  yes  yes  yes  yes  yes

# keys and operators
GET    /v1/keys/self            -       401  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  401  401
GET    /v1/keys                 -       401  401  401  401  403  403  403  403  403  403  yes  401  401
POST   /v1/keys                 -       401  401  401  401  403  403  403  403  403  403  yes  401  401
GET    /v1/keys/{key}           -       401  401  401  401  403  403  403  403  403  403  yes  401  401
DELETE /v1/keys/{key}           -       401  401  401  401  403  403  403  403  403  403  yes  401  401
GET    /v1/operator-acts        -       401  401  401  401  403  403  403  403  403  403  yes  401  401

# players
GET    /v1/players/{player}     -       401  401  401  401  yes  yes  403  403  403  403  yes  401  401
PUT    /v1/players/{player}     -       401  401  401  401  yes  yes  403  403  403  403  yes  401  401
DELETE /v1/players/{player}     -       401  401  401  401  yes  yes  403  403  403  403  yes  401  401
POST   /v1/players/{player}/merge -     401  401  401  401  yes  yes  403  403  403  403  yes  401  401

# webhooks
GET    /v1/webhooks             -       401  401  401  401  403  403  403  403  403  yes  yes  401  401
POST   /v1/webhooks             -       401  401  401  401  403  403  403  403  403  yes  yes  401  401
GET    /v1/webhooks/{webhook}   -       401  401  401  401  403  403  403  403  403  yes  yes  401  401
DELETE /v1/webhooks/{webhook}   -       401  401  401  401  403  403  403  403  403  yes  yes  401  401
POST   /v1/webhooks/{webhook}/verify -       401  401  401  401  403  403  403  403  403  yes  yes  401  401
POST   /v1/webhooks/{webhook}/disable -       401  401  401  401  403  403  403  403  403  yes  yes  401  401
GET    /v1/webhooks/{webhook}/deliveries -       401  401  401  401  403  403  403  403  403  yes  yes  401  401
POST /v1/webhooks/{webhook}/deliveries/{delivery}/redeliver - 401 401 401 401 403 403 403 403 403 yes yes 401 401

# for everybody: tokens are not looked at
GET    /v1/systems              -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/systems/{system}     -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/ratings?system=classic -     yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/ratings/{player}?system=classic - yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/ratings/{player}/boards - yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/signing-keys         -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/log                  -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/log/checkpoint       -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/log/consistency?from=0 -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /v1/log/entries          -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
POST   /v1/verifications        -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /healthz                 -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /readyz                  -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /metrics                 -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /openapi.yaml            -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /openapi.json            -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /docs                    -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /docs/problems.md        -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /docs/{name}             -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /                        -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /assets/{release}/{file} -     yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /desk                   -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /compare                 -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /tournaments             -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /tournaments/{tournament} -      yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /ratings                 -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /ratings/{player}        -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /verify                  -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /verifier.mjs            -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
GET    /unknown.mjs             -       yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes  yes
"""


@dataclass(frozen=True)
class Line:
    """One line of the table."""

    method: str
    address: str
    games: str
    """`any`, `private` or `-`."""
    cells: dict[str, str]
    """By role."""

    @property
    def endpoint(self) -> tuple[str, str]:
        """Method and address without what is asked for."""
        return self.method, self.address.partition("?")[0]

    @property
    def name(self) -> str:
        """What the line is called in a test's name."""
        return f"{self.method} {self.address} {self.games}"


def _lines() -> list[Line]:
    found = []
    for text in TABLE.splitlines():
        if text and not text.startswith("#"):
            method, address, games, *cells = text.split()
            found.append(Line(method, address, games, dict(zip(ROLES, cells, strict=True))))
    return found


LINES: Final = _lines()


def document() -> str:
    """docs/roles.md."""
    roles = "".join(f"| {role} | {meaning} |\n" for role, meaning in ROLES.items())
    head = "| | games | " + " | ".join(ROLES) + " |\n|---|---|" + "---|" * len(ROLES) + "\n"
    rows = "".join(
        f"| `{line.method} {line.address}` | {line.games} | {' | '.join(line.cells.values())} |\n"
        for line in LINES
    )
    return _TEXT.format(roles=roles, table=head + rows)


_TEXT: Final = """\
# Who may do what

Written by `python -m tests.service.roles` from a table of which the tests try every cell, in open, running and
finished games of each visibility, and search every answer for cards that its role must not see. What keys, scopes and
visibility are is in [the walk-through](http-api.md#keys).

| role | |
|---|---|
{roles}
| cell | |
|---|---|
| yes | allowed; where it makes no sense just now, that is what the answer says |
| end | refused with 403 until the game has finished, then allowed |
| 403 | refused: this role never may |
| 401 | refused: a token is missing, or is good no more |
| 404 | there is no such game: the same answer as for a game that does not exist |

`any` stands for public and unlisted games, `-` for what is not about a game. HEAD is answered as GET is.

{table}"""
