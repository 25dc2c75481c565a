"""The list of games: projected from the feeds by a process of its own, whatever becomes of that process."""

from datetime import UTC, datetime
from threading import Event
from typing import Any
from urllib.parse import quote

import pytest

from service.jobs.dispatching import Dispatcher
from service.projections.generations import generation_name
from service.projector import Projector
from service.storage.checkpoints import Checkpoints
from tests.service.http.messages.test_keeping import links
from tests.service.in_process import InProcess


class Recorded(Dispatcher):
    """Notes what would be enqueued."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.enqueued: list[tuple[str, int]] = []

    def enqueue(self, game: str, version: int) -> bool:
        """Note a game."""
        self.enqueued.append((game, version))
        return True


def projected(api: InProcess) -> Recorded:
    """Let a fresh projector catch up, and return what it enqueued."""
    dispatcher = Recorded()
    Projector(api.store, dispatcher).catch_up(range(api.store.partitions))
    return dispatcher


def listed(api: InProcess, query: str = "") -> list[str]:
    """The ids in the list, through all pages."""
    found: list[str] = []
    cursor = ""
    while True:
        page = api.get(f"/v1/games?{query}{cursor}")
        found += [game["game"] for game in page["games"]]
        if page["next"] is None:
            return found
        cursor = f"&cursor={page['next']}"


def test_a_game_is_listed_with_what_is_known_of_it(api: InProcess) -> None:
    """Open, running and finished games, each with its players; scores when there are any."""
    waiting = api.create([{"name": "Ada"}, None, None])["game"]
    party, stored = api.people(), api.stored()
    projected(api)
    games = {game["game"]: game for game in api.get("/v1/games")["games"]}
    assert {name: game["status"] for name, game in games.items()} == {
        waiting: "open",
        party.game: "running",
        stored.id: "finished",
    }
    assert games[waiting]["players"] == ["Ada", None, None]
    assert games[stored.id]["scores"] == api.get(f"/v1/games/{stored.id}")["result"]["scores"]
    assert games[stored.id]["validation"] == "pending"
    for game in games.values():
        assert game["version"] == api.get(f"/v1/games/{game['game']}")["version"]


def test_each_filter_and_all_of_them_together(api: InProcess) -> None:
    """System, status, player and verdict narrow the list down."""
    waiting = api.create([{"name": "Zoë"}, None, None])["game"]
    party, stored = api.people(), api.stored()
    projected(api)
    assert set(listed(api)) == {waiting, party.game, stored.id}
    assert listed(api, "status=open") == [waiting]
    assert listed(api, "status=running") == [party.game]
    assert listed(api, "status=finished") == [stored.id]
    assert listed(api, "player=Zo%C3%AB") == [waiting]
    assert listed(api, "player=nobody") == []
    assert listed(api, "system=classic&status=running&player=Ada&validation=pending") == [party.game]
    assert listed(api, "system=other") == []
    assert listed(api, "validation=valid") == []


def test_pages_hold_every_game_once_while_games_are_added(api: InProcess) -> None:
    """Newest first; a cursor goes on after the last game listed, whatever is new since."""
    old = [api.create([None] * 3)["game"] for _ in range(12)]
    projected(api)
    for limit in (1, 5, 12, 1000):
        assert listed(api, f"limit={limit}") == listed(api)
    found: list[str] = []
    cursor = ""
    while len(found) < 12:
        page = api.get(f"/v1/games?limit=5{cursor}")
        found += [game["game"] for game in page["games"]]
        cursor = f"&cursor={page['next']}"
        api.create([None] * 3)
        projected(api)
    assert sorted(found) == sorted(old)
    created = [game["created"] for game in api.get("/v1/games")["games"]]
    assert created == sorted(created, reverse=True)


@pytest.mark.parametrize("cursor", ["x", "%00", "bm8", "MS8yLzM", "LS8t", "bmFuL2E"])
def test_a_cursor_of_somebody_elses_is_refused(api: InProcess, cursor: str) -> None:
    """What this list did not hand out is a 400."""
    answer = api.call("GET", f"/v1/games?cursor={cursor}")
    assert (answer.status, answer.json["code"]) == (400, "bad_cursor")


def test_a_killed_projector_goes_on_where_it_stood(api: InProcess) -> None:
    """Checkpoint and list move together: after any number of steps a new one brings the same list."""
    for seed in range(4):
        api.people(seed=seed).play(6)
    for steps in (0, 1, 2, 5):
        killed = Projector(api.store, Recorded(), batch=3)
        for partition in range(api.store.partitions):
            for _ in range(steps):
                killed.project(partition)
    projected(api)
    expected = api.get("/v1/games")
    assert [game["version"] for game in expected["games"]] == [
        api.get(f"/v1/games/{game['game']}")["version"] for game in expected["games"]
    ]
    assert api.get("/readyz")["projection_lag"] == 0


def test_a_projector_that_is_to_stop_leaves_the_rest(api: InProcess) -> None:
    """It may be far behind, as after a loss; the next one goes on there."""
    game = api.stored()
    projector = Projector(api.store, Recorded())
    stopping = Event()
    stopping.set()
    projector.catch_up(projector.partitions(), stopping)
    assert listed(api) == []
    projector.catch_up(projector.partitions())
    assert listed(api) == [game.id]


def test_two_projectors_at_once_do_no_harm(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two that apply the same batch one gives way; the list is what one alone would have made."""
    for seed in range(3):
        api.people(seed=seed).play(5)
    one, two = Projector(api.store, Recorded(), batch=2), Projector(api.store, Recorded(), batch=2)
    checkpoint = Checkpoints.checkpoint

    def overtaken(self: Checkpoints, partition: int, projection: str) -> int:
        """Let the other projector go on between this one's reading and writing."""
        position = checkpoint(self, partition, projection)
        monkeypatch.setattr(Checkpoints, "checkpoint", checkpoint)
        two.project(partition)
        monkeypatch.setattr(Checkpoints, "checkpoint", overtaken)
        return position

    monkeypatch.setattr(Checkpoints, "checkpoint", overtaken)
    one.catch_up(range(api.store.partitions))
    monkeypatch.setattr(Checkpoints, "checkpoint", checkpoint)
    assert api.get("/readyz")["projection_lag"] == 0
    for game in api.get("/v1/games")["games"]:
        assert game["version"] == api.get(f"/v1/games/{game['game']}")["version"]


def test_the_end_of_a_game_is_passed_on_once_it_is_projected(api: InProcess) -> None:
    """A finished game is handed to the dispatcher with its version, and again only by the sweep."""
    stored = api.stored()
    api.people()
    assert projected(api).enqueued == [(stored.id, len(stored.recorded.log))]
    assert projected(api).enqueued == []


def test_a_game_that_cannot_be_read_does_not_stop_the_others(api: InProcess) -> None:
    """A log that does not hold together is in quarantine; the games after it in the same feed are listed as ever."""
    broken = api.stored()
    partition = api.store.partition_of(broken.id)
    log = f"{{p{partition:02}}}:game:{broken.id}:log"
    api.store.connection.command("XDEL", log, "1-0")
    others = [api.create([None] * 3)["game"] for _ in range(40)]
    while partition not in {api.store.partition_of(game) for game in others}:
        others.append(api.create([None] * 3)["game"])
    projected(api)
    assert set(listed(api)) == {broken.id, *others}
    assert listed(api, "quarantined=true") == [broken.id]
    assert set(listed(api, "quarantined=false")) == set(others)
    position: Any = Checkpoints(api.store).checkpoint(partition, generation_name(1))
    assert position == api.store.feed_end(partition)


def test_the_list_is_filtered_by_all_that_is_asked_for(api: InProcess) -> None:
    """System, status, player, validation and time of creation together; times as numbers or RFC 3339."""
    party = api.people()
    waiting = api.create([{"name": "Ada"}, None, None])["game"]
    projected(api)
    created = {game["game"]: game["created"] for game in api.get("/v1/games")["games"]}
    moment = datetime.fromtimestamp(created[waiting] / 1000, UTC)
    exactly = quote(moment.isoformat(timespec="milliseconds"))
    for query, found in (
        (f"created_after={created[waiting]}&created_before={created[waiting] + 1}&status=open", {waiting}),
        (f"created_after={exactly}&status=open", {waiting}),
        (f"created_before={created[party.game]}", set()),
        (f"created_after={created[waiting] + 1}", set()),
        ("system=classic&status=running&player=Ada&validation=pending&created_after=0", {party.game}),
        ("system=classic&status=running&player=Nobody&created_after=0", set()),
    ):
        assert set(listed(api, query)) == found, query


@pytest.mark.parametrize(
    "time", ["yesterday", "2026-11-21", "2026-11-21T08:00:00", "-1", "1e9", "9" * 16, ""]
)
def test_a_time_without_its_meaning_is_refused(api: InProcess, time: str) -> None:
    """A time has its offset, or is a number of milliseconds."""
    answer = api.call("GET", f"/v1/games?created_after={time}")
    assert (answer.status, answer.json["errors"][0]["parameter"]) == (422, "created_after")


def test_links_lead_through_the_list(api: InProcess) -> None:
    """`next` keeps the filters, `first` goes back to the beginning; the last page has no next one."""
    games = {api.people(seed=seed).game for seed in range(5)}
    projected(api)
    where, found = "/v1/games?player=Ada&limit=2", []
    while where:
        page = api.call("GET", where)
        found += [game["game"] for game in page.json["games"]]
        assert links(page)["first"] == "/v1/games?player=Ada&limit=2"
        assert links(page)["describedby"] == "/openapi.yaml"
        where = links(page).get("next", "")
    assert len(found) == 5
    assert set(found) == games


def test_a_cursor_is_a_place_and_serves_any_filter(api: InProcess) -> None:
    """With another filter the list goes on from the same place, with what that filter lets through."""
    for seed in range(4):
        api.people(seed=seed)
    projected(api)
    page = api.get("/v1/games?limit=2")
    assert len(api.get(f"/v1/games?player=Bob&cursor={page['next']}")["games"]) == 2
    assert api.get(f"/v1/games?player=Nobody&cursor={page['next']}") == {"games": [], "next": None}
