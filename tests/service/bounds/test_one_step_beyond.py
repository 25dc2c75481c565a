"""Bounds for which no other test goes one step beyond; with small figures where the real ones are large."""

import time
from pathlib import Path
from typing import Any

import pytest
import redis

from events.game import record as records
from events.rules.definition.names import LONGEST_NAME
from replay.verification.verify import verify_lines
from service.access.game_access import LONGEST_DELAY, GamePolicy
from service.access.keys import LONGEST_NAME as LONGEST_KEY_NAME
from service.access.store import Keys
from service.annotations import store as annotations
from service.bot_seats import bot_memories, bot_players
from service.bot_seats.bot_memories import BotMemories, Remembered
from service.bot_seats.bot_players import BotPlayers
from service.catalogues import files
from service.catalogues.files import CataloguesRefused, catalogue_files
from service.disputes import queue as disputes
from service.http.context.counting import LONGEST_TOKEN
from service.http.context.identity import LONGEST_KEY
from service.http.messages.reading import LARGEST_BODY
from service.http.resources.game import branches
from service.http.schemas import keys as key_schemas
from service.http.schemas.disputes import QueueQuery
from service.http.schemas.keys import PageQuery
from service.http.schemas.new_games import LONGEST_SEED, LONGEST_VALUE, MOST_OPTIONS
from service.http.schemas.queries import MOST_EVENTS, EventsQuery, GamesQuery
from service.jobs import dispatching, jobs
from service.jobs.dispatching import Dispatcher
from service.projections import game_list
from service.storage.queues import validation_queue
from service.verification.store import MOST_REPORTS, Validations
from service.webhooks.webhook import LONGEST_URL
from tests.service.in_process import NAMES, InProcess
from tests.service.in_process_worker import work
from tests.service.projections.listing import project
from tests.support.http_play import Answer

SEATS = [{"name": name} for name in NAMES[:3]]
NEW: dict[str, Any] = {"system": "classic", "seats": SEATS}
REFUSED = (422, "schema_violation")


def told(answer: Answer) -> tuple[int, str]:
    """Status and code of a problem."""
    return answer.status, answer.json["code"]


def test_a_json_body_has_so_many_bytes(api: InProcess) -> None:
    """Spaces count too; with one byte fewer it is a command like any other."""
    party = api.people()
    body = b'{"type": "plant", "field": 0'.ljust(LARGEST_BODY - 1) + b"}"
    path = f"/v1/games/{party.game}/commands"
    assert told(api.call("POST", path, raw=b" " + body, token=party.tokens[0])) == (413, "body_too_large")
    assert api.call("POST", path, raw=body, token=party.tokens[0]).status == 200


TOO_MUCH: dict[str, dict[str, Any]] = {
    "name": {"seats": [{"name": "x" * (LONGEST_NAME + 1)}, *SEATS[1:]]},
    "seed": {"seats": [{"name": "x", "seed": "x" * (LONGEST_SEED + 1)}, *SEATS[1:]]},
    "options": {"options": {f"option_{number}": 1 for number in range(MOST_OPTIONS + 1)}},
    "value of an option": {"options": {"x": "x" * (LONGEST_VALUE + 1)}},
    "delay": {"spectator_delay": LONGEST_DELAY + 1},
}


@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_a_new_game_is_given_is_bounded(api: InProcess, what: str) -> None:
    """Names, seeds, options and the delay of spectators: each is as long as it may be, and one longer."""
    assert told(api.call("POST", "/v1/games", NEW | TOO_MUCH[what], token=api.key)) == REFUSED
    fits = {"seats": [{"name": "x" * LONGEST_NAME, "seed": "x" * LONGEST_SEED}, *SEATS[1:]]}
    game = api.call("POST", "/v1/games", {**NEW, **fits, "spectator_delay": LONGEST_DELAY}, token=api.key)
    assert game.status == 201


def test_names_of_keys_and_spectators_are_bounded(api: InProcess) -> None:
    """They are for those who look after them."""
    operator = Keys(api.store).create("operator", (), 1, "operator")
    party = api.people()
    for path, token in (("/v1/keys", operator), (f"/v1/games/{party.game}/spectators", party.tokens[0])):
        for length, status in ((LONGEST_KEY_NAME, 201), (LONGEST_KEY_NAME + 1, 422)):
            body = {"name": "x" * length} | ({"scopes": ["audit"]} if token == operator else {})
            assert api.call("POST", path, body, token=token).status == status, (path, length)


def test_keys_of_requests_and_tokens_are_bounded(api: InProcess) -> None:
    """One character more is no Idempotency-Key, and no token, whatever it begins with."""
    party = api.people()
    path, say = f"/v1/games/{party.game}/commands", {"type": "say", "text": "x"}
    for length, status in ((LONGEST_KEY, 200), (LONGEST_KEY + 1, 400)):
        sent = api.call("POST", path, say, token=party.tokens[0], headers={"Idempotency-Key": "x" * length})
        assert sent.status == status
    said = [
        api.call("GET", "/v1/keys/self", token="fbk_".ljust(length, "0")).json["detail"]
        for length in (LONGEST_TOKEN, LONGEST_TOKEN + 1)
    ]
    assert said == ["This key is not known here.", "This is no token of this service."]


def test_a_page_has_so_many_entries(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who asks for more gets as many as may be, and where to go on."""
    for schema, most in (
        (GamesQuery, game_list.MOST_LISTED),
        (EventsQuery, MOST_EVENTS),
        (QueueQuery, disputes.MOST_LISTED),
        (PageQuery, key_schemas.MOST_LISTED),
    ):
        assert [schema().load({"limit": str(most + more)})["limit"] for more in (-1, 0, 1)] == [
            most - 1,
            most,
            most,
        ]
    monkeypatch.setattr(game_list, "MOST_LISTED", 2)
    games = {api.people().game for _ in range(3)}
    project(api.store)
    page = api.get("/v1/games?limit=201")
    rest = api.get(f"/v1/games?limit=201&cursor={page['next']}")
    assert (len(page["games"]), rest["next"]) == (2, None)
    assert {each["game"] for each in page["games"] + rest["games"]} == games


def test_a_game_has_so_many_sets_of_annotations(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of all owners together; its creator has those that are kept for them."""
    monkeypatch.setattr(annotations, "MOST_SETS", annotations.KEPT_SETS + 2)
    creator = api.get("/v1/keys/self", api.key)["id"]
    game = api.stored(most_offers=12, policy=GamePolicy(creator=creator))
    note = {"kind": "note", "version": 1, "comment": "x"}
    path = f"/v1/games/{game.id}/annotations"
    first, second, third = [api.call("POST", path, note, token=token) for token in game.tokens[:3]]
    assert (first.status, second.status) == (201, 201)
    assert told(third) == (422, "annotations_full")
    assert api.call("POST", path, note, token=api.key).status == 201


def test_so_many_reports_of_a_game_are_kept(api: InProcess) -> None:
    """The oldest goes with the one that is too many."""
    game = api.people().game
    validations = Validations(api.store)
    for engine in range(MOST_REPORTS + 1):
        validations.add(game, {"ok": True, "version": 1, "engine_version": engine, "validated_at": engine})
    kept = [each["engine_version"] for each in validations.reports(game)]
    assert kept == list(range(MOST_REPORTS, 0, -1))


def test_so_many_branches_are_played_at_once(api: InProcess) -> None:
    """One more is asked to come again, whoever asks; with a place that is free again it is played."""
    game = api.stored(most_offers=12)
    everything = {"all": branches.AT_ONCE}
    ask = {"version": 20}
    for _ in range(branches.AT_ONCE):
        assert branches._places.take(everything) is None  # noqa: SLF001 - as others who play
    try:
        assert told(api.call("POST", f"/v1/games/{game.id}/branches", ask)) == (503, "too_many_branches")
        branches._places.give_back(everything)  # noqa: SLF001
        assert api.call("POST", f"/v1/games/{game.id}/branches", ask).status == 200
    finally:
        for _ in range(branches.AT_ONCE - 1):
            branches._places.give_back(everything)  # noqa: SLF001


def test_a_job_has_so_much_time(api: InProcess, queue: redis.Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that takes longer is ended and tried again; the game stays due, and is validated later."""
    monkeypatch.setattr(dispatching, "JOB_SECONDS", 1)
    monkeypatch.setattr(dispatching, "MOST_RETRIES", 1)
    game = api.stored(most_offers=12)
    project(api.store)
    ended = []

    def linger(*_arguments: object) -> None:
        until = time.monotonic() + 20
        try:
            while time.monotonic() < until:
                time.sleep(0.01)
        except BaseException as error:
            ended.append(type(error).__name__)
            raise

    Dispatcher(api.store).sweep()
    (job,) = validation_queue(queue).jobs
    assert job.timeout == 1
    with monkeypatch.context() as slow:
        slow.setattr(jobs, "validation_report", linger)
        work(queue)
    assert ended == ["JobTimeoutException"] * 2
    assert Validations(api.store).verdict(game.id) == "pending"
    jobs.validate_game(game.id)
    assert Validations(api.store).verdict(game.id) == "valid"


def test_a_folder_has_so_many_catalogues(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file more is refused before any is read."""
    monkeypatch.setattr(files, "MOST_FILES", 3)
    for number in range(3):
        (tmp_path / f"{number}.toml").touch()
    assert len(catalogue_files(tmp_path)) == 3
    (tmp_path / "more.toml").touch()
    with pytest.raises(CataloguesRefused, match="found 4"):
        catalogue_files(tmp_path)


def test_a_webhooks_address_has_so_many_characters(api: InProcess) -> None:
    """One more is refused by its length."""
    for more, expected in ((0, 201), (1, 422)):
        url = "https://example.org/".ljust(LONGEST_URL + more, "x")
        body = {"url": url, "events": ["game.finished"]}
        assert api.call("POST", "/v1/webhooks", body, token=api.key).status == expected, more


def test_bots_have_so_many_commands_in_a_turn(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then it is the next game's turn, and theirs comes again."""
    monkeypatch.setattr(bot_players, "COMMANDS_AT_ONCE", 3)
    seats = [{"name": name, "kind": "bot", "bot": "random"} for name in NAMES[:3]]
    made = api.create(seats)
    players = BotPlayers(api.store)
    for turns in (1, 2):
        assert not players._play_game(made["game"])  # noqa: SLF001 - one turn
        log = api.store.read(made["game"])
        assert sum(each.actor.startswith("seat:") and bool(each.command) for each in log) == 3 * turns


def test_the_memories_of_so_many_games_are_kept(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that was used longest ago is forgotten: it is made again from the log."""
    monkeypatch.setattr(bot_memories, "GAMES", 2)
    memories = BotMemories(api.store)
    for game in ("first", "second", "third"):
        memories.keep(game, Remembered(7))
    assert [memories.is_news(game, 7, 1) for game in ("first", "second", "third")] == [True, False, False]


@pytest.mark.parametrize(
    ("bound", "said"), [("MOST_ATTACHED", "bytes are attached"), ("MOST_ANNOTATED", "bytes are annotations")]
)
def test_what_a_record_brings_along_is_bounded(
    api: InProcess, monkeypatch: pytest.MonkeyPatch, bound: str, said: str
) -> None:
    """What is signed about it, and what people say about it: a finding, and it is not read on."""
    game = api.stored(most_offers=12)
    note = {"kind": "note", "version": 1, "comment": "x" * 1000}
    named = api.call("POST", f"/v1/games/{game.id}/annotations", note, token=game.tokens[0]).json["set"]
    shown = {"kind": "publication", "set": named, "title": "x"}
    assert api.call("POST", f"/v1/games/{game.id}/annotations", shown, token=game.tokens[0]).status == 201
    path = f"/v1/games/{game.id}/record?annotations=true"
    lines = api.call("GET", path, headers={"Accept": "application/x-ndjson"}).body.splitlines(keepends=True)
    assert verify_lines(lines).ok
    monkeypatch.setattr(records, bound, 100)
    assert said in verify_lines(lines).findings[0].reason
