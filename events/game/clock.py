"""The clock of a game as a pure function of its log: whose time runs, how much is left, and when it is over.

A game waits for somebody from the entry on that made it so, by that entry's time. While it waits for the active
player alone, that player's bank runs; who is asked for something besides, or is waited for together with others, has
a limit for the answer, and all who are waited for from the same moment on have it from that moment. Nobody's bank
runs while an answer of somebody else is due, or while a dispute holds the game up. Bots have no clock.

What players ask of each other cannot stretch time. In one turn a seat has the limit once for all answers to offers,
and once for all answers to take-backs: another offer, a counter-offer or a withdrawal restarts nothing. Once a seat
has used up its time for offers, or has said that it is ready, the active player's bank runs while an offer is open.

Where the game goes back, what was used up stays used up, and what it waits for then begins anew.
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
TAKE_BACK: Final = "take_back"
Goes = Callable[["Wait"], bool]
Kind = Literal["bank", "answer"]


class Awaited(NamedTuple):
    """What a game waits for: a seat's move, or its answer to the offer of this number."""

    seat: int
    offer: int | None = None
    kind: Kind = "answer"
    about: str = ""
    """The phase in which an answer is due, or that a take-back is open: for each of them time runs anew."""


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
        return self.deadline - self.given // LOW_PART


class Clock(msgspec.Struct, frozen=True):
    """The clock at one version of a game."""

    settings: ClockSettings
    banks: tuple[int, ...]
    """Milliseconds that each seat had left when its bank ran last."""
    answers: tuple[int, ...] = ()
    """Milliseconds that each seat had left in this turn for answers to offers, when they ran last."""
    questions: tuple[int, ...] = ()
    """Milliseconds that each seat had left in this turn for answers to take-backs, when they ran last."""
    waits: tuple[Wait, ...] = ()
    credited_until: int = 0
    """Time before this was given back already."""
    turn: int = 0
    active: int = 0

    def after(self, at: int, event: e.DomainEvent, state: GameState) -> "Clock":
        """The clock once this event has happened at `at`; `state` is the table after it.

        While the dealer has to act the command is not done yet: what the game waits for is seen afterwards.
        """
        clock = self
        if isinstance(event, e.TimeCredited):
            clock = clock.give_back(event.since, event.until)
        elif isinstance(event, e.TimeExpired) and event.offer is None:
            clock = _stop_waits(clock, at, lambda wait: wait.awaited.seat != event.seat)
            if state.take_back is None:  # whoever only did not answer a question has not moved
                clock = _fill_bank(clock, event.seat, self.settings.answer * SECOND)
        elif isinstance(event, e.GameRewound):
            clock = _stop_waits(clock, at, lambda _wait: False)
        if state.due is not None:
            return clock
        clock = _begin_turn(clock, at, state)
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

    def left(self, seat: int, at: int) -> int:
        """Milliseconds that a seat has in its bank at a moment."""
        wait = self.wait_for(seat)
        if wait is None or wait.awaited.kind != "bank":
            return self.banks[seat]
        return max(0, min(wait.given, wait.deadline - at))

    def as_json(self) -> dict[str, Any]:
        """The same for whoever is told of it; moments are milliseconds since the epoch."""
        return {
            "settings": msgspec.structs.asdict(self.settings),
            "banks": list(self.banks),
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
    """Yield what a game waits for at this table, of seats with a clock; `answers`: the time they have for offers."""
    seats = waiting_for(state)
    if state.take_back is None and state.phase == TRADE and seats:
        due = tuple(each for each in _answers_due(state) if answers[each.seat] > 0)
        if due:
            yield from due
            return
    if state.take_back is None and state.phase != PLANT_ASIDE and seats == (state.active,):
        if _has_clock(state, state.active):
            yield Awaited(state.active, kind="bank")
        return
    about = state.phase if state.take_back is None else TAKE_BACK
    yield from (Awaited(seat, about=about) for seat in seats if _has_clock(state, seat))


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
    each_answer = (clock.settings.answer * SECOND,) * len(clock.banks)
    clock = replace(clock, turn=state.turn, active=state.active, answers=each_answer, questions=each_answer)
    return _fill_bank(clock, state.active, clock.settings.answer * SECOND)


def _stop_waits(clock: Clock, at: int, goes_on: Goes) -> Clock:
    """End the waits that do not go on, and note what is left of the time that they ran in."""
    kept = tuple(filter(goes_on, clock.waits))
    if len(kept) == len(clock.waits):
        return clock
    answering = {each.awaited.seat for each in kept if each.awaited.offer is not None}
    for wait in clock.waits:
        if wait in kept or (wait.awaited.offer is not None and wait.awaited.seat in answering):
            continue
        seat, left = wait.awaited.seat, max(0, min(wait.given, wait.deadline - at))
        if wait.awaited.kind == "bank":
            clock = _set_bank(clock, seat, left)
        elif wait.awaited.offer is not None:
            clock = replace(clock, answers=_with(clock.answers, seat, left))
        elif wait.awaited.about == TAKE_BACK:
            clock = replace(clock, questions=_with(clock.questions, seat, left))
    return replace(clock, waits=kept)


def _start_waits(clock: Clock, at: int, due: tuple[Awaited, ...]) -> Clock:
    """Begin what the game waits for from now on."""
    running = {each.awaited for each in clock.waits}
    begun = tuple(_new_wait(clock, at, each) for each in due if each not in running)
    return replace(clock, waits=(*clock.waits, *begun)) if begun else clock


def _new_wait(clock: Clock, at: int, awaited: Awaited) -> Wait:
    """Return a wait from now on; for one more offer, the time of the seat's answers that runs already."""
    seat = awaited.seat
    if awaited.kind == "bank":
        return Wait(awaited, at, clock.banks[seat])
    if awaited.offer is not None:
        running = (each for each in clock.waits if each.awaited.seat == seat)
        earlier = next((each for each in running if each.awaited.offer is not None), None)
        return (
            Wait(awaited, at, clock.answers[seat]) if earlier is None else replace(earlier, awaited=awaited)
        )
    if awaited.about == TAKE_BACK:
        return Wait(awaited, at, clock.questions[seat])
    return Wait(awaited, at, clock.settings.answer * SECOND)


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
