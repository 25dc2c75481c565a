"""Laws about whole games: turns go round, and the game ends when and as the rules say."""

from collections.abc import Sequence

from events import domain_events as e
from events.domain_events import DomainEvent
from events.rules.definition.rule_system import Rules
from events.rules.table.state import GameState
from events.rules.table.waiting import waiting_for
from tests.laws.particulars import particulars


def turns_go_round(rules: Rules, events: Sequence[DomainEvent], end: GameState) -> None:
    """Seats take turns clockwise from the starting seat; the turns are counted."""
    turns = [event for event in events if isinstance(event, e.TurnBegan)]
    assert [event.turn for event in turns] == [*range(1, end.turn + 1)]
    assert all(event.seat == (end.start_seat + event.turn - 1) % rules.players for event in turns)


def the_game_ends_with_the_last_exhaustion(rules: Rules, events: Sequence[DomainEvent]) -> None:
    """The draw pile runs out as often as the game lasts, in order, and then there is no further turn but one.

    In `the-duel` a pile that runs out in phase 4 leaves one more turn.
    """
    exhausted = [event for event in events if isinstance(event, e.PileExhausted) and event.pile == "draw"]
    assert [event.times for event in exhausted] == [*range(1, rules.setup.exhaustions + 1)]
    late = events[events.index(exhausted[-1]) :]
    turns = sum(isinstance(event, e.TurnBegan) for event in late)
    assert turns <= particulars(rules.system.key).turns_after_the_end


def the_best_score_wins(rules: Rules, end: GameState) -> None:
    """Nothing is left on the fields, the result is counted right, and nobody is waited for.

    Who has left has not won.
    """
    assert end.status == "finished"
    assert end.result is not None
    if particulars(rules.system.key).scores_are_coins:
        assert end.result.scores == tuple(len(seat.coins) for seat in end.seats)
    there = [seat for seat, player in enumerate(end.seats) if not player.away]
    most = max(end.result.scores[seat] for seat in there)
    best = tuple(seat for seat in there if end.result.scores[seat] == most)
    assert end.result.winners == (best if len(best) == 1 else rules.system.break_tie(end, best))
    assert end.result.winners
    assert not any(field for seat in end.seats for field in seat.fields)
    assert waiting_for(end) == ()


def ended_early(end: GameState) -> bool:
    """Whether everybody left, or all agreed to end the game."""
    return end.result is not None and end.result.reason in {"abandoned", "drawn", "called_off"}


def an_early_end_is_what_it_says(rules: Rules, events: Sequence[DomainEvent], end: GameState) -> None:
    """Everybody has left, or nobody is against it; the scores are what each seat has earned until then."""
    assert end.status == "finished"
    assert end.result is not None
    there = tuple(seat for seat, player in enumerate(end.seats) if not player.away)
    if end.result.reason == "abandoned":
        assert isinstance(events[-4], e.SeatTakenOver)
        assert not any(player.kind in {"human", "program"} for player in end.seats)
    else:
        assert end.end_offer is not None
        assert sorted(end.end_offer.agreed) == [*range(rules.players)]
        assert end.end_offer.kind == end.result.reason
    assert end.result.winners == (there if end.result.reason == "drawn" else ())
    assert end.result.scores == tuple(rules.system.score(rules, end, seat) for seat in range(rules.players))
    assert waiting_for(end) == ()


def the_game_ends_as_it_may(rules: Rules, events: Sequence[DomainEvent], end: GameState) -> None:
    """With the last exhaustion and the best score, or before its time; `events` are those that count."""
    turns_go_round(rules, events, end)
    if ended_early(end):
        an_early_end_is_what_it_says(rules, events, end)
    else:
        the_game_ends_with_the_last_exhaustion(rules, events)
        the_best_score_wins(rules, end)
