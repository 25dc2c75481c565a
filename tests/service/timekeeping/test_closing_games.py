"""Games that nobody begins or plays on are closed, no sooner than their first event says, and recorded as such."""

from replay.verification.verify import verify_lines
from service.timekeeping.due_games import due_index
from service.timekeeping.sweeper import Sweeper
from tests.service.in_process import NAMES, InProcess
from tests.service.sweeping import catch_up
from tests.support.second_verifier import SecondVerifier
from tests.support.watched_time import WatchedTime

CLOSE_AFTER = 600


def sweep(api: InProcess, time: WatchedTime) -> None:
    """Note what has moved, and look at what is due."""
    catch_up(api)
    Sweeper(api.store).perform(time.now)


def status(api: InProcess, game: str) -> tuple[str, str | None]:
    """How a game stands, and why it has ended."""
    table = api.get(f"/v1/games/{game}")
    result = table.get("result")
    return table["status"], None if result is None else result["reason"]


def test_a_table_that_nobody_completes_is_closed(api: InProcess, time: WatchedTime) -> None:
    """Its log ends like that of every other game, and its record verifies with both verifiers."""
    game = api.create([{"name": "Ada"}, None, None], close_after=CLOSE_AFTER)["game"]
    sweep(api, time)
    time.watch(CLOSE_AFTER - 1)
    sweep(api, time)
    assert status(api, game) == ("open", None)
    time.watch(1)
    sweep(api, time)
    assert status(api, game) == ("finished", "never_begun")
    record = api.call("GET", f"/v1/games/{game}/record").body
    assert verify_lines(record.splitlines(keepends=True)).ok
    with SecondVerifier() as second:
        assert second.report(record)["ok"]


def test_a_game_that_somebody_plays_goes_on(api: InProcess, time: WatchedTime) -> None:
    """Also talk shows that somebody is there; then its time begins anew."""
    made = api.create([{"name": name} for name in NAMES[:3]], close_after=CLOSE_AFTER)
    game, token = made["game"], made["seats"][1]["token"]
    time.watch(CLOSE_AFTER - 1)
    said = api.call("POST", f"/v1/games/{game}/commands", {"type": "say", "text": "Still here."}, token=token)
    assert said.status == 200
    time.watch(CLOSE_AFTER - 1)
    sweep(api, time)
    assert status(api, game)[0] == "running"
    time.watch(1)
    sweep(api, time)
    assert status(api, game) == ("finished", "untouched")
    catch_up(api)
    assert due_index(api.store, list(range(api.store.partitions))).due(2**53) == {}


def test_a_game_that_a_dispute_holds_up_waits_for_its_arbiters(api: InProcess, time: WatchedTime) -> None:
    """However long that takes."""
    made = api.create([{"name": name} for name in NAMES[:3]], close_after=CLOSE_AFTER)
    game, token = made["game"], made["seats"][0]["token"]
    case = {"version": 1, "reason": "other", "text": "Look at this.", "pause": True}
    assert api.call("POST", f"/v1/games/{game}/disputes", case, token=token).status == 201
    sweep(api, time)
    time.watch(10 * CLOSE_AFTER)
    sweep(api, time)
    assert status(api, game)[0] == "running"


def test_while_nobody_could_play_no_game_grows_old(api: InProcess, time: WatchedTime) -> None:
    """After an outage it is waited as long as if something had happened when that ended."""
    made = api.create([{"name": name} for name in NAMES[:3]], close_after=CLOSE_AFTER)
    sweep(api, time)
    time.now += 2 * CLOSE_AFTER * 1000
    sweep(api, time)
    assert status(api, made["game"])[0] == "running"
    time.watch(CLOSE_AFTER - 1)
    sweep(api, time)
    assert status(api, made["game"])[0] == "running"
    time.watch(60)
    sweep(api, time)
    assert status(api, made["game"]) == ("finished", "untouched")
