"""The problems that the contract names for an operation are those that the service answers: each is provoked here.

That it answers no others is checked wherever tests ask it (`tests.service.in_process`), and by schemathesis.
"""

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from events.redis_keys import GameKeys
from events.redis_store import RedisEventStore
from events.rules.errors import RuleViolation
from service.admission import PRIVATE_GAME, House
from service.checkpoints import Checkpoints
from service.game_tokens import MOST_SPECTATORS, GameTokens
from service.http.contract_operations import OPERATIONS
from service.http.contract_problems import BEFORE, PROBLEMS
from service.http.limits import EXTENSION as LIMITS
from service.keys import INTEGRATOR, OPERATOR, Keys, NewKey
from service.openapi import contract
from service.rate_limits import QUOTAS, Quota
from service.transparency_log import LOG
from service.web_settings import WebSettings
from service.web_worker import REFUSALS
from tests.service.in_process import InProcess, Stored
from tests.service.in_process_worker import replace_entry
from tests.service.test_limited_requests import away
from tests.service.test_verifications import RECORD
from tests.support.http_play import Answer
from tests.support.servers import RunningStore

ELSEWHERE: Final = {
    (503, "archive_unavailable"): "tests/archive/test_damage.py",
    (503, "game_busy"): "tests/service/test_sending_commands.py",
    (500, "internal_error"): "it has no cause that is known",
    (503, "store_refused"): "tests/faults",
    (503, "too_many_exports"): "tests/service/test_exports.py",
    (429, "too_many_streams"): "tests/service/test_limited_requests.py",
    (503, "too_many_streams"): "tests/service/test_streams.py",
    (503, "too_many_verifications"): "tests/service/test_verifications.py",
    (422, "verification_too_long"): "tests/service/test_verifications.py",
}
"""What cannot be provoked in a line, and where it is, or why not."""
PLACES: Final = {operation.id: place for place, operation in OPERATIONS.items()}
DESCRIBED: Final = contract()["paths"]
SEATS: Final = [{"name": "Ann"}, {"name": "Ben"}, {"name": "Cat"}]
PERSON: Final = {"type": "say", "text": "hello"}
BODIES: Final[dict[str, list[Any]]] = {
    "create_game": [
        {"system": "classic", "seats": SEATS},
        {"system": "classic", "seats": [*SEATS, None]},
        {"system": "whist", "seats": SEATS},
        {"system": "classic", "seats": [None]},
        {"system": "classic", "seats": SEATS, "catalogue": "none"},
        {"system": "classic", "seats": SEATS, "catalogue": "the-duel"},
        {"system": "classic", "seats": SEATS, "options": {"none": 1}},
        {"system": "classic", "seats": SEATS, "options": {"bean_protection": "none"}},
        {"system": "classic", "seats": [{"name": " "}, None, None]},
    ],
    "take_seat": [
        {"name": "Dan"},
        {"name": "Eve"},
        {"name": " "},
        {"name": "Eve", "seat": 0},
        {"name": "Eve", "seat": 9},
    ],
    "add_spectator": [{"name": "Dan"}, {"name": "Eve"}],
    "send_commands": [PERSON, [PERSON, PERSON]],
    "create_key": [
        {"name": "a", "scopes": ["audit"]},
        {"name": "b", "scopes": ["audit"]},
        {"name": "c", "scopes": ["audit"], "expires": 1},
    ],
}
"""Bodies by operation: the first two are good."""
HEADERS: Final[tuple[dict[str, str], ...]] = (
    {"Accept": "image/png"},
    {"Content-Type": "text/plain"},
    {"Content-Encoding": "br"},
    {"Idempotency-Key": '"'},
    {"Idempotency-Key": "short"},
    {"If-Match": "version 1"},
    {"If-Match": '"1-00000000"'},
    {"If-Match": '"99-00000000"'},
    {"Last-Event-ID": "the last"},
)
QUERIES: Final = (
    *("nonsense=1", "cursor=!", "after=!", "after=99", "after=1-00000000", "after=99-00000000", "at=99"),
    *("version=99", "size=99", "from=5&to=99", "checkpoint=99", "as=all", "as=seat:9", "ticket=fbt_none"),
)
STREAM: Final = {"Accept": "text/event-stream"}


class Asked:
    """Asks operations in good and in bad ways, and remembers which problems they answered."""

    def __init__(self, api: InProcess) -> None:
        """Make keys and games of every kind."""
        self.problems: set[tuple[str, int, str]] = set()
        self.api = api
        store, keys = api.store, Keys(api.store)
        self.operator = keys.create("operator", (), 1, OPERATOR)
        self.auditor = keys.create("auditor", ("audit",), 1)
        self.player = keys.create("player", ("create_games",), 1)
        revoked = keys.create("revoked", ("audit",), 1)
        self.key = keys.find(self.player)
        gone = keys.find(revoked)
        assert gone is not None
        keys.revoke(gone, 2)
        expired = NewKey(name="expired", kind=INTEGRATOR, scopes=("audit",), expires=2)
        party, other = api.people(), api.people()
        self.game, self.seats = party.game, party.tokens
        self.other = other.game
        self.open = api.create([{"name": "Ann"}, None, None, None])["game"]
        self.private = api.create(SEATS, visibility=PRIVATE_GAME)["game"]
        self.finished = api.stored(1, house=House())
        invited = GameTokens(store).invite(self.game, "", giver="seat:0", at=1, request="first")
        self.spectator = invited[1].spectator
        self.tokens = (
            *(None, "x", "fbk_" + "0" * 40, revoked, self.auditor, self.player, other.tokens[0], invited[0]),
            *(keys.issue(expired, at=1, by="", request="expired")[0], api.key, self.operator, self.seats[1]),
        )

    def good(self, name: str) -> dict[str, Any]:
        """What is asked for where nothing is wrong."""
        method, path = PLACES[name]
        security = OPERATIONS[method, path].security
        assert self.key is not None
        known = {
            "game": self.open if name == "take_seat" else self.game,
            "seat": "1",
            "spectator": self.spectator,
            "system": "classic",
            "key": self.key.id,
        }
        token = self.seats[0] if security == ({"seat": []},) else self.operator
        return {
            "name": name,
            "variables": known,
            "token": token if any(security) else None,
            "body": BODIES.get(name, [None])[0],
            "query": "from=0" if name == "fetch_consistency" else "",
            "headers": {"Content-Type": "application/x-ndjson"} if name == "verify_record" else {},
            "raw": RECORD if name == "verify_record" else None,
        }

    def ask(self, name: str, *, api: InProcess | None = None, **changes: Any) -> Answer:
        """One request, with something else than what would be good."""
        asked = {**self.good(name), **changes}
        variables: Mapping[str, str] = {**self.good(name)["variables"], **changes.get("variables", {})}
        method, path = PLACES[name]
        address = path.format(**variables) + ("?" + asked["query"] if asked["query"] else "")
        answer = (api or self.api).call(
            method.upper(),
            address,
            asked["body"],
            token=asked["token"],
            headers={**self.good(name)["headers"], **asked["headers"]},
            raw=asked["raw"],
        )
        if answer.status >= 400:
            self.problems.add((name, answer.status, answer.json["code"]))
        return answer


def ask_badly(asked: Asked, name: str) -> None:
    """Everything that can be wrong with any request."""
    method, path = PLACES[name]
    if any(OPERATIONS[method, path].security):
        ask_as_others(asked, name)
    described = DESCRIBED[path][method]
    for headers in HEADERS:
        asked.ask(name, headers=headers)
    parameters = {"nonsense", *(each["name"] for each in described.get("parameters", ()))}
    for query in (each for each in QUERIES if each.partition("=")[0] in parameters):
        asked.ask(name, query=query)
        asked.ask(name, query=query, variables={"game": asked.finished.id})
    for variable in asked.good(name)["variables"]:
        asked.ask(name, variables={variable: "none-such"})
        asked.ask(name, variables={variable: "a%2Fb"})
    if "requestBody" in described:
        ask_with_bodies(asked, name)


def ask_as_others(asked: Asked, name: str) -> None:
    """With every kind of token, and with tickets."""
    for token in asked.tokens:
        asked.ask(name, token=token)
        asked.ask(name, token=token, variables={"game": asked.private})
        asked.ask(name, token=token, query="as=seat:0")
        asked.ask(name, token=token, query=f"game={asked.game}")
    for token in (None, asked.operator):
        asked.ask(name, token=token, query="ticket=fbt_none", headers=STREAM)
    asked.ask(name, token=asked.seats[0], query="game=nobody")


def ask_with_bodies(asked: Asked, name: str) -> None:
    """With bodies that are refused, that cannot be read, and two with one Idempotency-Key."""
    for body in BODIES.get(name, []):
        asked.ask(name, body=body)
        asked.ask(name, body=body, variables={"game": asked.game})
    for raw in (b"{", b" " * (16 * 1024 * 1024 + 1)):
        asked.ask(name, raw=raw)
    for body in BODIES.get(name, [])[:2]:
        asked.ask(name, body=body, headers={"Idempotency-Key": f"the-same-for-{name}"})
    cut_off(asked, name)


class CutOff(io.RawIOBase):
    """A body that breaks off."""

    _place = 0

    def readable(self) -> bool:
        """It begins like any other."""
        return True

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        """It says that it is ten bytes long."""
        self._place = 10 if whence == io.SEEK_END else place
        return self._place

    def tell(self) -> int:
        """Where it is."""
        return self._place

    def readinto(self, _buffer: Any) -> int:
        """Fail, as a connection does that is gone."""
        raise OSError("the connection is gone")


def cut_off(asked: Asked, name: str) -> None:
    """A request whose body does not arrive."""
    good, (method, path) = asked.good(name), PLACES[name]
    headers = {"Content-Type": "application/json", **good["headers"]}
    if good["token"]:
        headers["Authorization"] = f"Bearer {good['token']}"
    answer = asked.api.app.test_client().open(
        path.format(**good["variables"]),
        method=method.upper(),
        headers=headers,
        input_stream=CutOff(),
        content_length=10,
    )
    if answer.status_code >= 400 and answer.json is not None:
        asked.problems.add((name, answer.status_code, answer.json["code"]))
    answer.close()


def ask_about_this_and_that(asked: Asked) -> None:
    """What only one operation answers, while the games are as they were set up."""
    for body in BODIES["take_seat"][2:]:
        asked.ask("take_seat", body=body)
    asked.ask("take_seat", body={"name": "Zoe"})
    asked.ask("fetch_proof")
    asked.ask("show_table", query="after=99")
    asked.ask("read_events", query="after=99")
    asked.ask("dismiss_spectator", token=asked.seats[1])
    asked.ask("replace_seat_token", variables={"seat": "9"})
    asked.ask("replace_seat_token", variables={"game": asked.open, "seat": "3"})
    asked.ask("replace_seat_token", variables={"game": asked.open}, token=asked.api.key)
    tag = asked.ask("show_table", query="at=1", token=None).headers["etag"]
    asked.ask("send_commands", headers={"If-Match": tag})
    asked.ask("send_commands", body={"type": "plant", "field": 0})
    turning_up = [{"type": "reveal"}, PERSON]
    asked.ask("send_commands", body=turning_up, query="atomic=true")


def ask_for_too_much(asked: Asked) -> None:
    """More spectators than a game may have."""
    given = GameTokens(asked.api.store)
    for number in range(MOST_SPECTATORS):
        asked.ask("add_spectator", headers={"Idempotency-Key": f"spectator-{number}"})
    assert len(given.spectators(asked.game)) == MOST_SPECTATORS


def ask_when_it_is_refused(asked: Asked) -> None:
    """With quotas that are used up, without counts, and in a quarantine."""
    one = Quota(1, 60)
    quotas = {name: {"address": one, "seat": one, "key": one} for name in QUOTAS}
    tight = InProcess(asked.api.store, settings=WebSettings(quotas=quotas))  # type: ignore[arg-type]
    for name in (*PROBLEMS, *PROBLEMS):
        asked.ask(name, api=tight, token=None)
    tight.close()
    uncounted = InProcess(asked.api.store, settings=WebSettings(quotas=QUOTAS))
    uncounted.app.extensions[LIMITS].rates.server = away()
    for name in PROBLEMS:
        asked.ask(name, api=uncounted)
    uncounted.close()
    store = asked.api.store
    for partition in range(store.partitions):
        store.quarantine.put(partition, "lost")
    for name in PROBLEMS:
        asked.ask(name)
    for partition in range(store.partitions):
        store.quarantine.release(partition)


def ask_about_damaged_games(asked: Asked) -> None:
    """Logs that are gone, or of a release to come, which no process has in memory."""
    for damage, named in (("gone", "damaged-table"), ("unreadable", "unreadable-table")):
        twice = {"Idempotency-Key": named}
        made = asked.ask("create_game", headers=twice).json
        game = Stored(made["game"], asked.finished.recorded, [made["seats"][0]["token"]])
        if damage == "gone":
            asked.api.store.connection.command("DEL", GameKeys(game.id, asked.api.store.partitions).log)
        else:
            replace_entry(asked.api, game, 1, v=9)
        fresh = InProcess(asked.api.store)
        for name in PROBLEMS:
            for token in (asked.good(name)["token"], game.tokens[0]):
                asked.ask(name, api=fresh, token=token, variables={"game": game.id})
        asked.ask("create_game", api=fresh, headers=twice)
        fresh.close()


def ask_about_a_damaged_log_of_games(asked: Asked) -> None:
    """A transparency log that has lost its entries."""
    asked.ask("fetch_proof", variables={"game": asked.finished.id})
    store = asked.api.store
    leaves = Checkpoints(store).read_model_key(0, LOG, "leaves")
    assert store.connection.command("DEL", leaves) == 1
    fresh = InProcess(store)
    for name in ("show_log", "fetch_checkpoint", "fetch_consistency", "list_log_entries"):
        asked.ask(name, api=fresh)
    fresh.close()


@pytest.fixture
def asked(store: RedisEventStore) -> Iterator[Asked]:
    """Somebody who asks, without limits."""
    api = InProcess(store, settings=WebSettings(quotas=None))
    yield Asked(api)
    api.close()


def test_every_problem_in_the_contract_is_one_that_the_service_answers(asked: Asked, tmp_path: Path) -> None:
    """By operation, status and code; what the rules refuse of a seat is proved by their own tests."""
    ask_about_this_and_that(asked)
    for name in PROBLEMS:
        ask_badly(asked, name)
    ask_for_too_much(asked)
    ask_when_it_is_refused(asked)
    ask_about_damaged_games(asked)
    ask_about_a_damaged_log_of_games(asked)
    asked.problems |= without_a_store(tmp_path)

    moves = {("send_commands", 422, each.code) for each in RuleViolation.__subclasses__()}
    named = {(name, *each) for name, known in PROBLEMS.items() for each in known - BEFORE - set(ELSEWHERE)}
    assert sorted(named - moves - asked.problems) == []


def without_a_store(folder: Path) -> set[tuple[str, int, str]]:
    """What is answered when the store has gone away."""
    with RunningStore(folder) as running:
        store = RedisEventStore.connect(running.url)
        api = InProcess(store, settings=WebSettings(quotas=None))
        asked = Asked(api)
        asked.ask("fetch_proof", variables={"game": asked.finished.id})
    asked.problems.clear()
    for name in PROBLEMS:
        asked.ask(name)
    api.close()
    store.close()
    return asked.problems


def test_what_is_refused_before_it_is_a_request_can_meet_every_operation() -> None:
    """The server's own refusals, as `service.web_worker` has them."""
    assert {(status, code) for _, status, code, _ in REFUSALS} == BEFORE
    assert all(known >= BEFORE for known in PROBLEMS.values())


def test_every_operation_has_its_problems() -> None:
    """By its id."""
    assert {operation.id for operation in OPERATIONS.values()} == set(PROBLEMS)
