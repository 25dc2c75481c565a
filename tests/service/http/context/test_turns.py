"""Long pages and records are made one after the other: many of them at once hold up no command."""

from threading import Event, Thread

import pytest

from service.http.context import turns
from service.http.context.turns import LONG, Turns
from service.http.messages.problems import Problem
from tests.service.in_process import InProcess


def test_one_at_a_time_has_the_turn() -> None:
    """The next one begins when the one before has ended; who fails gives the turn back too."""
    found, began, ended = Turns(), Event(), Event()
    order: list[str] = []

    def second() -> None:
        began.set()
        with found.at_long_work():
            order.append("second")

    with found.at_long_work():
        waiting = Thread(target=second)
        waiting.start()
        assert began.wait(10)
        assert not ended.wait(0.05)
        order.append("first")
    waiting.join(10)
    assert order == ["first", "second"]
    with pytest.raises(ZeroDivisionError), found.at_long_work():
        raise ZeroDivisionError
    with found.at_long_work():
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
    with Turns().at_long_work(has_begun=True):
        pass
    with pytest.raises(Problem), Turns().at_long_work():
        pass
