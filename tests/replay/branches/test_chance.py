"""Where the cards of a branch come from: the recorded deck where it is known, else fresh chance that says so."""

from collections import Counter

from events import domain_events as e
from events.game.dealing import shuffled
from replay.branches import Branch, new_branch, play_bots
from replay.branches.chance import branch_key
from tests.replay.branches.recordings import CLASSIC, origin


def played(seed: str = "") -> Branch:
    """A branch that bots have played from the third part of a game to its end."""
    return play_bots(new_branch(origin(CLASSIC, 0.3), seed), ["random"]).branch


def test_the_pile_on_the_table_lies_as_it_was_recorded() -> None:
    """Up to the first shuffle every card that is drawn is the next one of the recorded pile."""
    branch = played()
    pile = list(branch.origin.state.draw_pile)

    drawn: list[str] = []
    for each in branch.events():
        if isinstance(each.event, e.PileShuffled):
            break
        if isinstance(each.event, e.CardsDrawn | e.CardsRevealed):
            assert each.cards == "recorded"
            drawn += each.event.cards
    assert drawn == pile


def test_another_discard_pile_is_shuffled_by_fresh_chance() -> None:
    """The recorded order cannot be taken over, and from there on events with cards say so."""
    branch = played()
    events = list(branch.events())
    place = next(place for place, each in enumerate(events) if isinstance(each.event, e.PileShuffled))
    shuffle = events[place].event
    before = events[place - 1].state

    assert events[place].cards == "fresh"
    assert branch.position.fresh_from == events[place].version
    assert isinstance(shuffle, e.PileShuffled)
    purpose = f"branch/draw/{shuffle.number}"
    assert shuffle.order == shuffled(branch.key, purpose, before.discard_pile)
    later = {each.cards for each in events[place:] if isinstance(each.event, e.CardsDrawn | e.CardsRevealed)}
    assert later == {"fresh"}


def test_another_seed_is_another_future() -> None:
    """The same cards, in another order; without a seed everybody gets the same."""
    one, two = _first_shuffle(""), _first_shuffle("once-more")

    assert one == _first_shuffle("")
    assert one != two


def _first_shuffle(seed: str) -> tuple[str, ...]:
    """The order after the first shuffle when the same cards lie there: bots' own chance depends on the seed too."""
    branch = played()
    events = list(branch.events())
    place = next(place for place, each in enumerate(events) if isinstance(each.event, e.PileShuffled))
    before = events[place - 1].state.discard_pile
    order = shuffled(branch_key(seed, branch.origin.hash), "branch/draw/2", before)
    assert Counter(order) == Counter(before)
    return order
