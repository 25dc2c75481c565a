"""The clock of a game as a pure function of its log: whose time runs, how much is left, and when it is over.

A game waits for somebody from the entry on that made it so, by that entry's time. While it waits for the active
player alone, that player's bank runs; who is asked for something besides, or is waited for together with others, has
a limit for the answer, and all who are waited for from the same moment on have it from that moment. Nobody's bank
runs while an answer of somebody else is due, or while a dispute holds the game up. Bots have no clock.

Interruptions cannot stretch time. In each phase a seat has the limit once for all its answers: another offer, a
counter-offer, a withdrawal or a pause does not restart it. Once a seat has used up its answer time, or is ready, the
active player's bank runs while an offer is open. While a take-back is open, only the bank of the seat that asked for
it runs. Time left may be negative: then it is the used part of the grace, which is granted once.

Rewinding returns no time to a bank; answer times restart.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from events import domain_events as e
from events.commands import ClockSettings
from events.rules.table.state import GameState
from events.rules.table.waiting import PLANT_ASIDE, waiting_for

SECOND: Final = 1000
"""Milliseconds, in which the log counts."""
LOW_PART: Final = 5
"""Time is low when one part in so many is left of what there was."""
TRADE: Final = "trade"
Goes = Callable[["Wait"], bool]
Kind = Literal["bank", "answer"]


class Awaited(NamedTuple):
    """What a game waits for: a seat's move, or its answer to the offer of this number."""

    seat: int
    offer: int | None = None
    kind: Kind = "answer"


class Wait(msgspec.Struct, frozen=True, gc=False):
    """Something that the game waits for, and until when (milliseconds since the epoch)."""

    awaited: Awaited
    since: int
    given: int
    """Milliseconds that there were for it."""
    credited: int = 0
    """Milliseconds that were given back meanwhile."""

    @property
    def deadline(self) -> int:
        """When the time for it is over."""
        return self.since + self.given + self.credited

    @property
    def low_at(self) -> int:
        """When a fifth of what there was for it is left; what is given back moves this with the deadline."""
        return self.deadline - max(0, self.given) // LOW_PART


class Clock(msgspec.Struct, frozen=True):
    """The clock at one version of a game."""

    settings: ClockSettings
    banks: tuple[int, ...]
    """Milliseconds that each seat had left when its bank ran last; negative where part of the grace is used."""
    answers: tuple[int, ...] = ()
    """The same for the answers of each seat in this phase."""
    waits: tuple[Wait, ...] = ()
    credited_until: int = 0
    """Time before this was given back already."""
    turn: int = 0
    phase: str = ""
    active: int = 0

    def after(self, at: int, event: e.DomainEvent, state: GameState) -> "Clock":
        """The clock once this event has happened at `at`; `state` is the table after it.

        While the dealer has to act the command is not done yet: what the game waits for is seen afterwards.
        """
        clock = self
        if isinstance(event, e.TimeCredited):
            clock = clock.give_back(event.since, event.until)
        elif isinstance(event, e.TimeExpired) and event.offer is None and state.take_back is None:
            # While a take-back is open the expiry only closes it: a late move stays late.
            answer = self.settings.answer * SECOND
            clock = _stop_waits(clock, at, lambda wait: wait.awaited.seat != event.seat)
            clock = replace(clock, answers=_with(clock.answers, event.seat, answer))
            clock = _fill_bank(clock, event.seat, answer)
        elif isinstance(event, e.GameRewound):
            clock = replace(_stop_waits(clock, at, lambda _wait: False), phase="")
        if state.due is not None:
            return clock
        clock = _begin_phase(_begin_turn(clock, at, state), at, state)
        due = tuple(awaited_in(state, clock.answers))
        clock = _stop_waits(clock, at, lambda wait: wait.awaited in due)
        return _start_waits(clock, at, due)

    def give_back(self, since: int, until: int) -> "Clock":
        """The clock once nothing of this span counts, nor of it what was credited before."""
        waits = []
        for wait in self.waits:
            lost = until - max(since, wait.since, self.credited_until)
            waits.append(replace(wait, credited=wait.credited + max(0, lost)))
        return replace(self, waits=tuple(waits), credited_until=max(self.credited_until, until))

    def wait_for(self, seat: int, offer: int | None = None) -> Wait | None:
        """What runs for a seat: its move, or its answer to an offer; None where nothing does."""
        return next(
            (each for each in self.waits if (each.awaited.seat, each.awaited.offer) == (seat, offer)), None
        )

    def over_at(self, wait: Wait) -> int:
        """From when on it may be recorded that the time is over: the deadline, and the grace."""
        return wait.deadline + self.settings.grace * SECOND

    @property
    def banks_left(self) -> tuple[int, ...]:
        """Milliseconds that each seat had left when its bank ran last, 0 where it was used up."""
        return tuple(max(0, each) for each in self.banks)

    def left(self, seat: int, at: int) -> int:
        """Milliseconds that a seat has in its bank at a moment."""
        wait = self.wait_for(seat)
        if wait is None or wait.awaited.kind != "bank":
            return self.banks_left[seat]
        return max(0, min(wait.given, wait.deadline - at))

    def as_json(self) -> dict[str, Any]:
        """The same for whoever is told of it; moments are milliseconds since the epoch."""
        return {
            "settings": msgspec.structs.asdict(self.settings),
            "banks": list(self.banks_left),
            "waits": [
                {
                    "seat": each.awaited.seat,
                    **({} if each.awaited.offer is None else {"offer": each.awaited.offer}),
                    "kind": each.awaited.kind,
                    "since": each.since,
                    "low_at": each.low_at,
                    "deadline": each.deadline,
                    "over_at": self.over_at(each),
                }
                for each in self.waits
            ],
            "credited_until": self.credited_until,
        }


def begin_clock(event: e.GameCreated) -> Clock | None:
    """The clock of a game that was just created; None where it is played without one."""
    if event.clock is None:
        return None
    return Clock(event.clock, (event.clock.bank * SECOND,) * event.players)


def awaited_in(state: GameState, answers: tuple[int, ...]) -> Iterator[Awaited]:
    """Yield what a game waits for, of seats with a clock; `answers` is the answer time that each has left."""
    seats = waiting_for(state)
    if seats and state.take_back is not None:
        due: tuple[Awaited, ...] = (Awaited(state.take_back.seat, kind="bank"),)
    else:
        offered = _answers_due(state) if seats and state.phase == TRADE else ()
        is_bank = state.phase != PLANT_ASIDE and seats == (state.active,)
        moves = (Awaited(seat, kind="bank" if is_bank else "answer") for seat in seats)
        due = tuple(each for each in offered if answers[each.seat] > 0) or tuple(moves)
    yield from (each for each in due if _has_clock(state, each.seat))


def _answers_due(state: GameState) -> Iterator[Awaited]:
    """Answers of others to what the active player offers; what is offered to that player is its own time."""
    for offer in state.offers:
        if offer.seat != state.active:
            continue
        asked = range(len(state.seats)) if offer.to is None else (offer.to,)
        answered = {offer.seat, *offer.declined, *_countering(state, offer.number), *state.ready}
        for seat in asked:
            if seat not in answered and _has_clock(state, seat):
                yield Awaited(seat, offer.number)


def _countering(state: GameState, number: int) -> Iterator[int]:
    """Who has answered an offer with another one, on which it is for the active player to say something."""
    return (each.seat for each in state.offers if each.counters == number)


def _has_clock(state: GameState, seat: int) -> bool:
    return state.seats[seat].kind != "bot"


def _begin_turn(clock: Clock, at: int, state: GameState) -> Clock:
    """A new turn: who had the last one saves something for it, and whoever has this one has time for it."""
    if state.turn == clock.turn:
        return clock
    clock = _stop_waits(clock, at, lambda _wait: False)
    if state.turn == clock.turn + 1 and clock.turn:
        clock = _add_to_bank(clock, clock.active, clock.settings.increment * SECOND)
    clock = replace(clock, turn=state.turn, phase="", active=state.active)
    return _fill_bank(clock, state.active, clock.settings.answer * SECOND)


def _begin_phase(clock: Clock, at: int, state: GameState) -> Clock:
    """Give each seat its answer time in a new phase; a bank runs on."""
    if state.phase == clock.phase:
        return clock
    clock = _stop_waits(clock, at, lambda wait: wait.awaited.kind == "bank")
    each_answer = (clock.settings.answer * SECOND,) * len(clock.banks)
    return replace(clock, phase=state.phase, answers=each_answer)


def _stop_waits(clock: Clock, at: int, goes_on: Goes) -> Clock:
    """End the waits that do not go on, and note what is left of their time."""
    kept = tuple(filter(goes_on, clock.waits))
    if len(kept) == len(clock.waits):
        return clock
    for wait in clock.waits:
        seat, left = wait.awaited.seat, wait.deadline - at
        if wait in kept:
            continue
        if wait.awaited.kind == "bank":
            clock = _set_bank(clock, seat, left)
        elif all(each.awaited.seat != seat for each in kept):
            clock = replace(clock, answers=_with(clock.answers, seat, left))
    return replace(clock, waits=kept)


def _start_waits(clock: Clock, at: int, due: tuple[Awaited, ...]) -> Clock:
    """Begin what the game waits for from now on; another offer shares the answer time that runs already."""
    waits = list(clock.waits)
    for awaited in due:
        running = [each for each in waits if each.awaited.seat == awaited.seat]
        if any(each.awaited == awaited for each in running):
            continue
        times = clock.banks if awaited.kind == "bank" else clock.answers
        new = running[0] if running else Wait(awaited, at, times[awaited.seat])
        waits.append(replace(new, awaited=awaited))
    return replace(clock, waits=tuple(waits)) if len(waits) > len(clock.waits) else clock


def _fill_bank(clock: Clock, seat: int, least: int) -> Clock:
    return _set_bank(clock, seat, max(clock.banks[seat], least))


def _add_to_bank(clock: Clock, seat: int, more: int) -> Clock:
    return _set_bank(
        clock, seat, max(clock.banks[seat], min(clock.settings.cap * SECOND, clock.banks[seat] + more))
    )


def _set_bank(clock: Clock, seat: int, left: int) -> Clock:
    return clock if clock.banks[seat] == left else replace(clock, banks=_with(clock.banks, seat, left))


def _with(times: tuple[int, ...], seat: int, left: int) -> tuple[int, ...]:
    return (*times[:seat], left, *times[seat + 1 :])
