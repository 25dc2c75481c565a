"""A process gives signs of life only while all of its loops turn."""

from threading import Event, Thread

from events.store.redis.redis_store import RedisEventStore
from service.platform.watchdog import STANDSTILL_SECONDS, Turns
from service.projector import Projector
from service.storage.heartbeats import Heartbeat, living
from tests.service.sweeping import NoQueue
from tests.support.servers import eventually


class Noted(Turns):
    """Notes which loops there are, by a time that is set by hand."""

    def __init__(self) -> None:
        """Begin with none, at the beginning of time."""
        self.seconds = 0.0
        self.loops = set[str]()
        super().__init__(lambda: self.seconds)

    def turn(self, loop: str) -> None:
        """Note a loop."""
        super().turn(loop)
        self.loops.add(loop)


def test_a_loop_that_has_turned_for_long_no_more_lets_no_sign_be_given(store: RedisEventStore) -> None:
    """And lets it be given again when it turns."""
    turns = Noted()
    turns.turn("clocks")
    turns.seconds = STANDSTILL_SECONDS + 1
    Heartbeat(store, "projector", turns).beat()
    assert not living(store)["projector"]
    turns.turn("clocks")
    Heartbeat(store, "projector", turns).beat()
    assert living(store)["projector"]


def test_both_of_a_projectors_further_loops_are_known_and_missed_when_they_end(
    store: RedisEventStore,
) -> None:
    """The one that watches the time, and the one that drives tournaments."""
    turns, stopping = Noted(), Event()
    running = Thread(target=Projector(store, NoQueue(), turns=turns).run, args=(stopping,))
    running.start()
    eventually(lambda: living(store)["projector"] and len(turns.loops) == 2)
    assert turns.standing() == []
    stopping.set()
    running.join()
    turns.seconds = STANDSTILL_SECONDS + 1
    assert sorted(turns.standing()) == ["clocks", "tournaments"]
