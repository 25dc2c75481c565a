"""A follower of the feeds looks at what has moved, and at everything once a second."""

from service.feeds.poll_schedule import ROUND_SECONDS, PollSchedule


class Clock:
    """A clock that stands still until it is moved on."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_first_all_partitions_are_looked_at_and_then_those_that_have_moved() -> None:
    """The order is that of the partitions that are followed."""
    schedule = PollSchedule(clock=Clock())

    assert schedule.due(range(4)) == [0, 1, 2, 3]
    schedule.look_at({2, 1})
    assert schedule.due(range(4)) == [1, 2]
    schedule.look_at({3})
    assert schedule.due([0, 1, 2]) == []


def test_once_a_second_all_are_looked_at_however_much_goes_on_in_one_of_them() -> None:
    """Else what is no news of a feed, such as a partition's release, would wait for a quiet moment."""
    clock = Clock()
    schedule = PollSchedule(clock=clock)
    schedule.due(range(3))
    schedule.look_at([0])

    clock.now += ROUND_SECONDS

    assert schedule.due(range(3)) == [0, 1, 2]
    assert schedule.due(range(3)) == [0]


def test_after_trouble_all_are_looked_at_at_once() -> None:
    """Who did not hear what moved must not wait for the next round."""
    schedule = PollSchedule(clock=Clock())
    schedule.due(range(3))
    schedule.look_at([])

    schedule.restart()

    assert schedule.due(range(3)) == [0, 1, 2]
