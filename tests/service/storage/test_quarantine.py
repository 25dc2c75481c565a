"""A quarantined partition, as clients, bots and operators meet it: said, read on, and the others go on."""

from pathlib import Path

import pytest
import redis
from click.testing import CliRunner, Result

from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from service.access.store import AuditLog
from service.command_line import main
from service.jobs.dispatching import Dispatcher
from service.projections.generations import generation_name
from service.storage.checkpoints import Checkpoints
from service.storage.feed_watermarks import FeedWatermarks
from service.storage.partition_watch import PartitionWatch
from tests.events.store.server_contract import setting
from tests.service.in_process import InProcess
from tests.service.play.test_lost_history import say
from tests.service.projections.test_projector import projected
from tests.support.http_play import Party
from tests.support.rolled_back import Moment

THREE = [{"name": "Ada"}, {"name": "Bob"}, {"name": "Cleo"}]


@pytest.fixture
def environment(
    store_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, redis_url: str
) -> Path:
    """Let commands find this test's store, with a data folder of their own, which is returned."""
    for name, value in store_environment.items():
        if name.startswith("FIELDBOOK_"):
            monkeypatch.setenv(name, value)
    monkeypatch.setenv("REDIS_URL", redis_url)
    monkeypatch.setenv("FIELDBOOK_DATA", str(tmp_path))
    return tmp_path


def run(*arguments: str, answer: str = "") -> Result:
    """`fieldbook partitions` with these arguments."""
    return CliRunner().invoke(main, ["partitions", *arguments], input=answer)


def test_commands_are_refused_and_reading_goes_on(api: InProcess, store: RedisEventStore) -> None:
    """503 with what to do and when; a repeated command gets its answer; games elsewhere are played on."""
    party = api.people()
    others = next(
        each for each in iter(api.people, None) if partition(store, each) != partition(store, party)
    )
    store.quarantine.put(partition(store, party), "lost")

    answer = say(party, "hello")

    assert (answer.status, answer.json["code"]) == (503, "partition_quarantined")
    assert int(answer.headers["retry-after"]) > 0
    for path in ("", "/events", "/record"):
        assert api.call("GET", f"/v1/games/{party.game}{path}").status == 200
    assert say(others, "hello").status == 200
    store.quarantine.release(partition(store, party))
    assert say(party, "hello").status == 200


def partition(store: RedisEventStore, party: Party) -> int:
    """The partition of a party's game."""
    return store.partition_of(party.game)


def test_new_games_go_to_healthy_partitions(api: InProcess, store: RedisEventStore) -> None:
    """With an Idempotency-Key to one of a few, which may all be quarantined: then it is 503 until the release."""
    for number in range(store.partitions - 1):
        store.quarantine.put(number, "lost")
    assert {store.partition_of(api.create(THREE)["game"]) for _ in range(8)} == {15}

    body = {"system": "classic", "seats": THREE}
    names = iter(f"table-{number}" for number in range(1000))
    answers = (
        (name, api.call("POST", "/v1/games", body, token=api.key, headers={"Idempotency-Key": name}))
        for name in names
    )
    name, refused = next(each for each in answers if each[1].status != 201)
    assert (refused.status, refused.json["code"]) == (503, "partition_quarantined")
    for number in range(store.partitions - 1):
        store.quarantine.release(number)
    first, again = (api.create(THREE, {"Idempotency-Key": name}) for _ in range(2))
    assert first["game"] == again["game"]


def test_a_request_that_is_sent_again_finds_the_game_that_went_elsewhere(
    api: InProcess, store: RedisEventStore
) -> None:
    """Also when the partition that it would have gone to takes games again."""
    headers = {"Idempotency-Key": "one-game-and-no-other"}
    body = {"system": "classic", "seats": THREE}
    first_choice = api.create(THREE, {"Idempotency-Key": "another-game"})
    ids = []
    for number in range(3):
        made = api.call("POST", "/v1/games", body, token=api.key, headers=headers)
        assert made.status == 201, made.body
        ids.append(made.json["game"])
        partition = store.partition_of(ids[0])
        if number == 0:
            store.quarantine.put(partition, "lost")
        else:
            store.quarantine.release(partition)
    assert set(ids) == {ids[0]}
    assert first_choice["game"] not in ids

    similar = {"Idempotency-Key": "one-game-and-no-other/1"}
    assert api.create(THREE, similar)["game"] not in ids
    assert api.create(THREE, headers)["game"] == ids[0]

    named = {"Idempotency-Key": "goes-elsewhere"}
    for each in range(store.partitions // 2):
        store.quarantine.put(each, "lost")
    elsewhere = api.call("POST", "/v1/games", body, token=api.key, headers=named)
    for each in range(store.partitions // 2):
        store.quarantine.release(each)
    again = api.call("POST", "/v1/games", body, token=api.key, headers=named)
    assert (elsewhere.status, again.status, again.json["game"]) == (201, 201, elsewhere.json["game"])


def test_with_every_partition_quarantined_nothing_is_ready(api: InProcess, store: RedisEventStore) -> None:
    """`/readyz` names each with its reason: degraded while others go on, 503 when there are none."""
    assert api.get("/readyz")["status"] == "ready"
    store.quarantine.put(3, "it has lost 2 appends")
    told = api.get("/readyz")
    assert (told["status"], told["quarantined"]) == (
        "degraded",
        [{"partition": 3, "reason": "it has lost 2 appends"}],
    )
    for number in range(store.partitions):
        store.quarantine.put(number, "gone")
    answer = api.call("GET", "/readyz")
    assert (answer.status, answer.json["code"]) == (503, "not_ready")
    assert "Every partition is quarantined" in answer.json["detail"]
    created = api.call("POST", "/v1/games", {"system": "classic", "seats": THREE}, token=api.key)
    assert (created.status, created.json["code"]) == (503, "partition_quarantined")


def test_what_is_ready_says_which_durability_holds(api: InProcess) -> None:
    """By the server's settings of now."""
    told = api.get("/readyz")
    assert (told["durability"], told["durability_held"]) == ("memory", "memory")
    assert told["settings"]["appendonly"] == "no"


def test_bots_play_on_after_the_release(
    api: InProcess, store: RedisEventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a partition is quarantined its bots wait, and those of the others play."""
    monkeypatch.setattr("service.bot_seats.bot_players.QUARANTINE_MILLISECONDS", 200)
    with api.with_a_bot("random") as party:
        held = partition(store, party)
        store.quarantine.put(held, "lost")
        with api.with_a_bot("random") as other:
            if partition(store, other) != held:
                other.play(12)
        store.quarantine.release(held)
        party.play(12)
    assert api.get(f"/v1/games/{party.game}")["version"] > 20


def test_the_sweep_leaves_a_quarantined_partition_alone(
    api: InProcess, store: RedisEventStore, queue: redis.Redis
) -> None:
    """Finished games there are enqueued once it is released."""
    game = api.stored()
    projected(api)
    dispatcher = Dispatcher(store)
    store.quarantine.put(store.partition_of(game.id), "lost")
    assert dispatcher.sweep() == 0
    store.quarantine.release(store.partition_of(game.id))
    assert dispatcher.sweep() == 1


def test_the_operator_lists_checks_and_releases(
    api: InProcess, store: RedisEventStore, environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 1 for a finding and for a release that was not agreed to; a release says what it accepts."""
    monkeypatch.setenv("FIELDBOOK_DURABILITY", "local")
    server = store.connection
    with setting(server, "appendfsync", "everysec"), setting(server, "appendonly", "yes"):
        watch = PartitionWatch(store, FeedWatermarks(environment, store.installation.installation_id))
        party = api.people()
        number = partition(store, party)
        before = Moment(store.connection)
        say(party, "lost")
        watch.seen(number, store.read_feed(number))
        watch.close()
        assert (run("list").exit_code, run("check").exit_code) == (0, 0)

        before.return_to()
        found = run("check", str(number))
        assert found.exit_code == 1
        assert "has lost 1 append" in found.output
        assert "from position 2" in found.output
        assert run("list").exit_code == 0, "a check changes nothing"

        watch.healthy()
        listed = run("list")
        assert listed.exit_code == 1
        assert "has lost 1 append" in listed.output
        assert say(party, "hello").status == 503
        assert run("release", str(number), answer="n\n").exit_code == 1
        assert say(party, "hello").status == 503
        done = run("release", str(number), answer="y\n")
        assert done.exit_code == 0, done.output
        assert "its feed ends at position 1" in done.output
        assert say(party, "hello").status == 200
        assert run("check").exit_code == 0
        written, _ = AuditLog(store).page(9)
        assert [(each.act.what, each.act.about) for each in written] == [("partition_released", str(number))]
        assert "has lost 1 append" in written[0].act.detail


def test_a_release_names_the_damage_that_stays(
    store: RedisEventStore, api: InProcess, environment: Path
) -> None:
    """The damaged game takes nothing, the others of its partition play on, and the next start accepts it."""
    party = api.people()
    number = partition(store, party)
    store.connection.command("DEL", GameKeys(party.game, store.partitions).log)
    PartitionWatch(store).healthy()

    done = run("release", str(number), "--yes")

    assert done.exit_code == 0
    assert f"game {party.game}: the head says version" in done.output
    assert number in PartitionWatch(store).healthy()
    assert run("check", str(number)).exit_code == 1
    assert "not quarantined" in run("release", str(number), "--yes").output


def test_a_release_says_that_the_list_is_to_be_built_anew(
    store: RedisEventStore, api: InProcess, environment: Path
) -> None:
    """Where more is listed than the feed holds; the list of such a partition is projected no further."""
    number = partition(store, api.people())
    store.quarantine.put(number, "lost")
    assert "rebuild" not in run("release", str(number), "--yes").output
    Checkpoints(store).project(number, generation_name(1), 0, store.feed_end(number) + 9, ())
    store.quarantine.put(number, "lost")

    done = run("release", str(number), "--yes")

    assert done.exit_code == 0
    assert "fieldbook projections rebuild" in done.output


@pytest.mark.parametrize(
    "arguments", [("check", "99"), ("release", "16", "--yes"), ("release",), ("check", "-1")]
)
def test_wrong_use_is_status_2(store: RedisEventStore, environment: Path, arguments: tuple[str, ...]) -> None:
    """A partition that there is not, or none at all."""
    assert run(*arguments).exit_code == 2
