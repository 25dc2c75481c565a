"""What a log knows about time around a version, for those who judge whether it was over."""

from collections.abc import Iterator

from events import domain_events as e
from events.commands import CreditTime
from events.game.clock import SECOND
from events.game.explaining_time import Moment, explain_time
from events.game.folding import Folding
from events.log.codec import decode_event
from events.log.recorded import RecordedEvent
from events.rules.move import CLOCK
from tests.support.clocked_games import QUICK, ClockedGame
from tests.support.recorded_games import recorded_game


def moments(log: list[RecordedEvent] | tuple[RecordedEvent, ...]) -> Iterator[Moment]:
    """The entries of a log as they are explained."""
    folding = Folding()
    for entry in log:
        event = decode_event(entry)
        yield Moment(entry.version, entry.at, event, folding.follow(event, begins=bool(entry.command)))


def test_it_names_the_deadline_and_when_the_command_came() -> None:
    """Of a move in time, and of what was recorded when time was over."""
    game = ClockedGame(1, "classic", 3)
    began = game.at
    game.at += 70 * SECOND
    game.send(CLOCK, CreditTime(began + 5 * SECOND, began + 15 * SECOND, "outage"))
    game.at = game.clock.over_at(game.clock.waits[0])
    game.expire_all()
    version = next(each.version for each in game.log if each.type == "time_expired")

    told = explain_time(moments(game.log), version)

    assert told is not None
    (running,) = told.running
    assert (running.seat, running.kind, running.credited) == (game.table.state.active, "bank", 10 * SECOND)
    assert running.deadline == began + (QUICK.bank + 10) * SECOND
    assert running.over_at == running.deadline + QUICK.grace * SECOND == told.arrived
    given_back, expired = told.told[:2]
    assert (given_back.what, given_back.since, given_back.reason) == (
        "credited",
        began + 5 * SECOND,
        "outage",
    )
    assert (expired.what, expired.until, expired.version) == ("expired", running.deadline, version)


def test_what_it_says_of_any_version_is_what_the_clock_says() -> None:
    """The deadlines before an expiry hold the one that it names."""
    game = ClockedGame(2, "classic", 3).play(frozenset({0}))
    for entry in game.log:
        event = decode_event(entry)
        if isinstance(event, e.TimeExpired):
            told = explain_time(moments(game.log[: entry.version + 30]), entry.version)
            assert told is not None
            running = {(each.seat, each.offer): each.deadline for each in told.running}
            assert running[event.seat, event.offer] == event.deadline <= told.arrived


def test_a_game_without_a_clock_and_a_version_to_come_have_no_explanation() -> None:
    """There is nothing to say."""
    assert explain_time(moments(recorded_game(1, stop_at=40).log), 20) is None
    game = ClockedGame(1, "classic", 3)
    assert explain_time(moments(game.log), len(game.log) + 1) is None
