"""One timer for what is due at a moment: it asks when it is told to, and now and then in between."""

from events.store.errors import StoreUnavailable
from service.platform.timer import Due, Timer, every


class Clock:
    """A clock in milliseconds that stands still until it is moved on."""

    def __init__(self) -> None:
        self.milliseconds = 1_700_000_000_000

    def now(self) -> int:
        return self.milliseconds

    def passed(self) -> float:
        return self.milliseconds / 1000

    def timer(self, *declared: Due) -> Timer:
        return Timer(*declared, now=self.now, clock=self.passed)


class Alarm:
    """Something that is due at some moments, and notes when it was performed."""

    def __init__(self, *moments: int) -> None:
        self.moments = list(moments)
        self.performed: list[int] = []

    def perform(self, now: int) -> int | None:
        self.performed += [each for each in self.moments if each <= now]
        self.moments = [each for each in self.moments if each > now]
        return min(self.moments, default=None)


def test_what_is_due_is_performed_at_its_moment() -> None:
    """The loop is told how long it may wait: to the moment, and not longer than it wants to."""
    clock = Clock()
    alarm = Alarm(clock.milliseconds + 300, clock.milliseconds + 700)
    timer = clock.timer(Due("alarm", alarm.perform, poll_seconds=60))

    timer.run_due()
    assert alarm.performed == []
    assert round(timer.seconds_left(1.0), 3) == 0.3
    assert timer.seconds_left(0.1) == 0.1
    clock.milliseconds += 300
    assert timer.seconds_left(1.0) == 0
    timer.run_due()
    assert len(alarm.performed) == 1
    assert round(timer.seconds_left(1.0), 3) == 0.4


def test_what_was_due_while_nobody_looked_is_performed_at_once() -> None:
    """As after a restart: a new timer asks for everything at first."""
    clock = Clock()
    alarm = Alarm(clock.milliseconds - 3_600_000)

    clock.timer(Due("alarm", alarm.perform)).run_due()

    assert len(alarm.performed) == 1


def test_what_somebody_else_brings_in_is_found_in_between() -> None:
    """A timer asks again however far away the next moment seemed to be."""
    clock = Clock()
    alarm = Alarm(clock.milliseconds + 3_600_000)
    timer = clock.timer(Due("alarm", alarm.perform, poll_seconds=1))
    timer.run_due()

    alarm.moments.append(clock.milliseconds + 500)
    clock.milliseconds += 1000
    timer.run_due()

    assert len(alarm.performed) == 1


def test_what_fails_does_not_hold_up_the_others() -> None:
    """It is tried again a second later."""
    clock = Clock()
    alarm = Alarm(clock.milliseconds)
    tries: list[int] = []

    def fail(now: int) -> None:
        tries.append(now)
        raise StoreUnavailable("no answer")

    timer = clock.timer(Due("failing", fail, poll_seconds=60), Due("alarm", alarm.perform))
    timer.run_due()
    timer.run_due()
    assert (len(tries), len(alarm.performed)) == (1, 1)
    clock.milliseconds += 1000
    timer.run_due()
    assert len(tries) == 2


def test_what_is_due_and_cannot_be_done_is_tried_at_the_usual_pace() -> None:
    """A moment that has passed is no reason to ask without a pause."""
    clock = Clock()
    asked: list[int] = []

    def busy(now: int) -> int:
        asked.append(now)
        return now - 1000

    timer = clock.timer(Due("busy", busy, poll_seconds=2))
    for _ in range(3):
        timer.run_due()
    assert len(asked) == 1
    assert timer.seconds_left(10) == 2


def test_what_is_done_again_and_again_begins_at_once() -> None:
    """And then once in so many seconds."""
    clock = Clock()
    done: list[int] = []
    timer = clock.timer(every("sweeps", 15, lambda: done.append(clock.now())))
    for _ in range(31):
        timer.run_due()
        clock.milliseconds += 1000
    assert len(done) == 3


def test_a_timer_without_declarations_never_wakes_anybody() -> None:
    """Its loop waits as long as it wants to."""
    assert Timer().seconds_left(1.0) == 1.0


def test_the_pause_begins_when_the_work_is_done() -> None:
    """What waits long, as for a queue that hangs, is not due again at once: the loop gets on with the rest."""
    clock = Clock()
    calls = []

    def hang(now: int) -> None:
        calls.append(now)
        clock.milliseconds += 5_000

    timer = clock.timer(Due("sweep", hang, poll_seconds=1))
    timer.run_due()
    timer.run_due()
    assert len(calls) == 1
    assert timer.seconds_left(10) == 1
