"""Every turn of whole random games, read off the log: what happened, how often, and in which order.

The other tests set up one moment each. Here the booklets' course of a turn is written down once more, as a pattern of
letters, and nothing of the engine is asked but the events that it recorded.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from events import domain_events as e
from events.domain_events import DomainEvent
from events.rules.table.state import GameState
from tests.laws.games import SETUPS, Setup, happenings, whole_log

LETTERS: dict[type[DomainEvent], str] = {
    e.BeanPlanted: "p",
    e.CardsRevealed: "r",
    e.TradeMade: "t",
    e.TradingEnded: "e",
    e.AsidePlanted: "a",
    e.CardsDrawn: "d",
    e.RevealedPlanted: "o",
    e.RevealedDiscarded: "k",
    e.HandCardDiscarded: "h",
    e.DiscardsJoined: "j",
}
"""The events that belong to a phase; harvests, purchases, offers, talk and shuffles are left out."""

STANDARD = [setup for setup in SETUPS if setup.system in {"classic", "extended"}]
DUELS = [setup for setup in SETUPS if setup.system == "bean-duel"]


class Turn(NamedTuple):
    """One turn of a game."""

    before: GameState
    """The table when the turn began."""
    after: GameState
    """The table when the next one began, or at the end of the game."""
    events: tuple[DomainEvent, ...]

    @property
    def course(self) -> str:
        """What happened, as letters."""
        return "".join(LETTERS.get(type(event), "") for event in self.events)

    def cards(self, kind: type[e.CardsDrawn | e.CardsRevealed]) -> int:
        """How many cards were drawn or revealed."""
        return sum(len(event.cards) for event in self.events if type(event) is kind)

    @property
    def is_last(self) -> bool:
        """Whether the game ended in this turn."""
        return any(isinstance(event, e.GameEnded) for event in self.events)


def turns(setup: Setup) -> Iterator[Turn]:
    """The turns of the random game of this setup."""
    _, log = whole_log(setup)
    begun: GameState | None = None
    events: list[DomainEvent] = []
    state = GameState()
    for before, event, after in happenings(log):
        if isinstance(event, e.TurnBegan):
            if begun is not None:
                yield Turn(begun, before, tuple(events))
            begun, events = after, []
        events.append(event)
        state = after
    assert begun is not None
    yield Turn(begun, state, tuple(events))


def is_short(turn: Turn) -> bool:
    """Whether the piles could give less than was owed in this turn."""
    return turn.is_last or any(isinstance(event, e.PileExhausted) for event in turn.events) or (
        not turn.before.draw_pile
    )  # fmt: skip


@pytest.mark.parametrize("setup", STANDARD, ids=str)
def test_every_standard_turn_takes_its_course(setup: Setup) -> None:
    """Bohnanza (104 and 154), course of the game: plant one or two, reveal, trade, plant what lies aside, draw."""
    drawn = 4 if setup.players > 5 else 3
    for turn in turns(setup):
        hand = turn.before.seats[turn.before.active].hand
        plantings = "p" if len(hand) == 1 else "p{1,2}" if hand else ""
        assert re.fullmatch(f"{plantings}r+t*ea*d*", turn.course), turn.course
        assert turn.cards(e.CardsRevealed) == 2 or is_short(turn)
        assert turn.cards(e.CardsDrawn) == drawn or is_short(turn)
        assert turn.cards(e.CardsRevealed) <= 2
        assert turn.cards(e.CardsDrawn) <= drawn


@pytest.mark.parametrize("setup", STANDARD, ids=str)
def test_everything_revealed_or_traded_is_planted_in_the_same_turn(setup: Setup) -> None:
    """Bohnanza (104 and 154), growing: as many cards as lay aside, by whoever had got them."""
    for turn in turns(setup):
        due = [0] * setup.players
        for event in turn.events:
            if isinstance(event, e.TradeMade):
                assert event.active == turn.before.active
                due[event.active] += len(event.partner_cards)
                due[event.partner] += len(event.active_cards)
            elif isinstance(event, e.TradingEnded):
                due[event.seat] += len(event.kept)
            elif isinstance(event, e.AsidePlanted):
                due[event.seat] -= 1
        assert due == [0] * setup.players


@pytest.mark.parametrize("setup", DUELS, ids=str)
def test_every_turn_of_the_bean_duel_takes_its_course(setup: Setup) -> None:
    """Bean duel: the offer, one or two plantings and a discard, three cards and those that join them, two more."""
    for turn in turns(setup):
        player = turn.before.seats[turn.before.active]
        offer = f"[ok]{{{len(turn.before.revealed)}}}"
        hand = "p{1,2}h?" if player.hand else ""
        assert re.fullmatch(f"{offer}{hand}rj?o*d?", turn.course), turn.course
        assert turn.cards(e.CardsRevealed) == 3 or turn.is_last
        assert turn.cards(e.CardsDrawn) == 2 or turn.is_last
        assert not any(isinstance(event, e.TradeMade | e.OfferMade) for event in turn.events)


@pytest.mark.parametrize("setup", DUELS, ids=str)
def test_nobody_sells_in_the_turn_of_the_opponent(setup: Setup) -> None:
    """Bean duel, changes: whoever harvests is the active player; at the end of the game all fields go."""
    for turn in turns(setup):
        sold = [each for each in turn.events if isinstance(each, e.FieldHarvested) and not each.final]
        assert {each.seat for each in sold} <= {turn.before.active}


@pytest.mark.parametrize("setup", DUELS, ids=str)
def test_nothing_is_reshuffled_in_the_bean_duel_and_the_last_card_is_drawn_in_step_4(setup: Setup) -> None:
    """Bean duel, changes: the game ends with the pile; rules of the house: with this deck always while drawing."""
    played = [*turns(setup)]
    assert not any(isinstance(event, e.PileShuffled) for turn in played for event in turn.events)
    assert [turn.is_last for turn in played] == [False] * 26 + [True]
    assert played[-1].cards(e.CardsDrawn) == 1
    assert played[-1].after.draw_pile == ()
