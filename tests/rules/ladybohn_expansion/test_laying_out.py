"""Before the first turn: hands, fans, fields. Sections are those of the Lady Bohn booklet."""

import pytest

from events import domain_events as e
from events.codec import decode_event
from tests.rules.ladybohn_expansion.tables import (
    new_lady_bohn,
)


@pytest.mark.parametrize(("players", "left"), [(3, 111), (4, 106), (5, 101)])
def test_after_the_deal_two_fans_are_laid_out(players: int, left: int) -> None:
    """Preparing the game: hands of five, then six cards and then four from the top of the pile, face up."""
    begun, log = new_lady_bohn(players)
    events = [decode_event(entry) for entry in log]
    dealt = [event for event in events if isinstance(event, e.HandDealt | e.FanLaidOut)]
    assert [len(event.cards) for event in dealt] == [5] * players + [6, 4]
    pile = next(event for event in events if isinstance(event, e.PileShuffled)).order
    assert tuple(card for event in dealt for card in event.cards) == pile[: 5 * players + 10]
    assert len(begun.state.draw_pile) == left
    assert begun.state.lady_bohn is not None
    assert begun.state.lady_bohn.fans == (dealt[-2].cards, dealt[-1].cards)
