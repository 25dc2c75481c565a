"""Games that use what only the newer release knows, and what the older one says of them."""

import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from tests.faults.installation import TableKind
from tests.support.http_play import Answer, Api, Party
from tests.upgrades.fleet import SYSTEMS, Fleet

CLOCK: Final = {"bank": 3600, "increment": 10, "cap": 3600, "answer": 600}
"""So long that nobody's time is over in a rehearsal."""
BEGUN: Final = 6
"""Commands that are played at once in each of them."""
GONE_ON: Final = 12
"""And so many when it is back."""
UNREADABLE: Final = "501 game_unreadable"
UNKNOWN: Final = "422 schema_violation"


class Refused(NamedTuple):
    """How a release refuses something."""

    what: str
    answers: tuple[str, ...]
    """Status and code, each one once."""


def clocked_games(fleet: Fleet, key: str) -> list[Party]:
    """A game with a clock of every rule system, under way."""
    return [_clocked(fleet.service.api, kind, key) for kind in SYSTEMS]


def _clocked(api: Api, kind: TableKind, key: str) -> Party:
    seats = [{"name": f"Late {seat}"} for seat in range(kind.players)]
    answer = api.call("POST", "/v1/games", kind.body(seats) | {"clock": CLOCK}, token=key)
    if answer.status != 201:
        raise AssertionError(f"the newer release begins no game with a clock: {answer.body!r}")
    tokens = [seat["token"] for seat in answer.json["seats"]]
    party = Party(api, answer.json["game"], tokens, random.Random(kind.system))
    party.play(BEGUN)
    return party


def refusals(fleet: Fleet, parties: Sequence[Party], key: str) -> list[Refused]:
    """What both webs answer where they are asked for these games, or for another one."""
    asked: list[tuple[str, str, str, Any, str]] = [
        ("a new game with a clock", "POST", "/v1/games", _new(), key)
    ]
    for party in parties:
        path, token = f"/v1/games/{party.game}", party.tokens[0]
        asked += [
            ("its table", "GET", path, None, token),
            ("its events", "GET", f"{path}/events", None, token),
            ("its record", "GET", f"{path}/record", None, token),
            ("a command", "POST", f"{path}/commands", {"type": "say", "text": "Hello?"}, token),
        ]
    found: dict[str, set[str]] = {}
    for what, method, path, body, token in asked:
        for host in fleet.hosts.all:
            told = found.setdefault(what, set())
            told.add(_told(host.api.call(method, path, body, token=token)))
    return [Refused(what, tuple(sorted(told))) for what, told in found.items()]


def refusal_findings(refused: Sequence[Refused]) -> Iterator[str]:
    """An older release that cannot read a game says so by a code, and says it of everything."""
    for each in refused:
        wanted = UNKNOWN if each.what.startswith("a new game") else UNREADABLE
        if each.answers != (wanted,):
            yield f"of {each.what} the older release says {', '.join(each.answers)}, and not {wanted}"


def going_on_findings(parties: Sequence[Party]) -> Iterator[str]:
    """With the newer release back they are played on, from where they stood."""
    for party in parties:
        before = dict(party.acknowledged)
        try:
            party.play(GONE_ON)
        except AssertionError as wrong:
            yield f"game {party.game} does not go on: {wrong}"
        if len(party.acknowledged) == len(before):
            yield f"game {party.game} does not go on"


def _new() -> Any:
    seats = [{"name": f"Late {seat}"} for seat in range(SYSTEMS[0].players)]
    return SYSTEMS[0].body(seats) | {"clock": CLOCK}


def _told(answer: Answer) -> str:
    is_problem = answer.headers.get("content-type") == "application/problem+json"
    return f"{answer.status} {answer.json['code']}" if is_problem else str(answer.status)
