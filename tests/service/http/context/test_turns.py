"""Long pages and records are made one after the other: many of them at once hold up no command."""

import time
from threading import Event, Thread

import pytest

from service.http.context import turns
from service.http.context.turns import LONG, OF_ONE, Turns
from service.http.messages.problems import Problem
from service.http.resources.game import histories, records
from tests.service.in_process import InProcess
from tests.support.servers import eventually


def test_one_at_a_time_has_the_turn() -> None:
    """The next one begins when the one before has ended; who fails gives the turn back too."""
    found, began, ended = Turns(), Event(), Event()
    order: list[str] = []

    def second() -> None:
        began.set()
        with found.at_long_work(("seat/a", "address/a")):
            order.append("second")

    with found.at_long_work(("seat/b", "address/a")):
        waiting = Thread(target=second)
        waiting.start()
        assert began.wait(10)
        assert not ended.wait(0.05)
        order.append("first")
    waiting.join(10)
    assert order == ["first", "second"]
    with pytest.raises(ZeroDivisionError), found.at_long_work(("seat/b", "address/a")):
        raise ZeroDivisionError
    with found.at_long_work(("seat/b", "address/a")):
        pass


def test_so_many_wait_for_their_turn_and_no_more(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """503 with Retry-After; short pages need no turn, and what has begun to be sent is sent to its end."""
    game = api.stored()
    path = f"/v1/games/{game.id}"
    monkeypatch.setattr(turns, "MOST_WAITING", 0)
    for long in (f"{path}/events?limit={LONG + 1}", f"{path}/record"):
        refused = api.call("GET", long)
        assert (refused.status, refused.json["code"]) == (503, "too_many_pages")
        assert refused.headers["retry-after"]
    assert api.call("GET", f"{path}/events?limit={LONG}").status == 200
    with Turns().at_long_work(None):
        pass
    with pytest.raises(Problem), Turns().at_long_work(("seat/a", "address/b")):
        pass


def test_one_caller_and_one_address_have_a_share_of_the_turns() -> None:
    """However many others ask from there, whoever asks from elsewhere waits for a turn, and gets it."""
    found, ended = Turns(), list[str]()

    def work(*whose: str) -> None:
        with found.at_long_work(whose):
            ended.append(whose[0])

    with found.at_long_work(None):
        waiting = [Thread(target=work, args=(f"seat/{number}", "address/a")) for number in range(OF_ONE)]
        for each in waiting:
            each.start()
        eventually(lambda: found._waiting == OF_ONE, seconds=10)  # noqa: SLF001 - nobody else tells
        with pytest.raises(Problem) as refused, found.at_long_work(("seat/another", "address/a")):
            pass
        assert (refused.value.status, refused.value.code) == (503, "too_many_pages")
        other = Thread(target=work, args=("seat/elsewhere", "address/b"))
        other.start()
    for each in (*waiting, other):
        each.join(10)
    assert "seat/elsewhere" in ended
    assert len(ended) == OF_ONE + 1
    with found.at_long_work(("seat/another", "address/a")):
        pass


def test_work_in_pieces_gives_way_between_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever waits has the turn before it goes on, however much of it is left; then it goes on."""
    monkeypatch.setattr(turns, "LONGEST_TURN_SECONDS", 0.0)
    monkeypatch.setattr(turns, "LONGEST_REST_SECONDS", 60.0)
    found, order = Turns(), list[str]()

    def second() -> None:
        with found.at_long_work(("seat/b", "address/b")):
            order.append("second")

    waiting = Thread(target=second)
    with found.in_pieces(("seat/a", "address/a")) as give_way:
        order.append("first")
        waiting.start()
        eventually(lambda: found._waiting == 1, seconds=10)  # noqa: SLF001 - nobody else tells
        while waiting.is_alive():
            give_way(1)
        order.append("first again")
    waiting.join(10)
    assert order == ["first", "second", "first again"]
    with pytest.raises(ZeroDivisionError), found.in_pieces(("seat/a", "address/a")):
        raise ZeroDivisionError
    with found.at_long_work(("seat/a", "address/a")):
        pass


@pytest.mark.parametrize(("is_alone", "rests"), [(True, 0), (False, 2)])
def test_work_in_pieces_rests_while_others_are_answered(
    monkeypatch: pytest.MonkeyPatch, *, is_alone: bool, rests: int
) -> None:
    """As long as it worked; where nobody else is there it goes on at once."""
    monkeypatch.setattr(turns, "WORKED_SECONDS", 0.0)
    rested: list[float] = []
    monkeypatch.setattr(time, "sleep", rested.append)
    with Turns().in_pieces(("seat/a", "address/a"), lambda: is_alone) as give_way:
        give_way(1)
        give_way(2)
    assert len(rested) == rests
    assert all(0 <= each <= turns.LONGEST_REST_SECONDS for each in rested)


def test_a_finished_game_s_history_is_made_once(api: InProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    """It will never be another one: then it is there for everybody, however many others are being made."""
    path = f"/v1/games/{api.stored().id}/history"
    whole = api.call("GET", path)
    assert whole.status == 200
    monkeypatch.setattr(histories, "AT_ONCE", 0)
    again = api.call("GET", path)
    assert (again.body, again.headers["etag"]) == (whole.body, whole.headers["etag"])
    assert api.call("GET", f"{path}?text=de").status == 503, "in another language it has to be made"


def test_what_a_seat_could_know_takes_a_place_among_histories(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes through as much of the game; the scene alone does not."""
    path = f"/v1/games/{api.stored().id}/scene?at=40&as=seat:0"
    monkeypatch.setattr(histories, "OF_ONE", 0)
    refused = api.call("GET", f"{path}&knowledge=true")
    assert (refused.status, refused.json["code"]) == (503, "too_many_pages")
    assert api.call("GET", path).status == 200


def test_one_caller_does_not_take_all_places_for_histories(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with Retry-After; whoever has the history is told so without one being made, and a failure gives back."""
    path = f"/v1/games/{api.stored(stop_at=40).id}/history"
    whole = api.call("GET", path)
    for _ in range(3):
        assert api.call("GET", path).body == whole.body
    monkeypatch.setattr(histories, "OF_ONE", 0)
    refused = api.call("GET", path)
    assert (refused.status, refused.json["code"]) == (503, "too_many_pages")
    assert refused.headers["retry-after"]
    assert api.call("GET", path, headers={"If-None-Match": whole.headers["etag"]}).status == 304


def test_one_caller_does_not_take_all_places_for_downloads(
    api: InProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 with Retry-After while as many of theirs are under way; what is done, or HEAD, holds nothing."""
    monkeypatch.setattr(records, "OF_ONE", 2)
    path = f"/v1/games/{api.stored().id}/record"
    client = api.app.test_client()
    whole = api.call("GET", path)
    under_way = [client.get(path) for _ in range(2)]
    refused = api.call("GET", path)
    assert (refused.status, refused.json["code"]) == (503, "too_many_pages")
    assert refused.headers["retry-after"]
    assert api.call("GET", path, token=api.key).status == 503, "it is the same address"
    elsewhere = client.get(path, environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert (elsewhere.status_code, elsewhere.data) == (200, whole.body)
    for each in (*under_way, elsewhere):
        each.close()
    for _ in range(3):
        assert api.call("HEAD", path).status == 200
        assert api.call("GET", path, headers={"If-None-Match": whole.headers["etag"]}).status == 304
    assert api.call("GET", path).body == whole.body
