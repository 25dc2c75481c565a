"""What always holds in `ladybohn`: over random games with a deck half of misses, which mostly pay from the piles."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest

from events import domain_events as e
from events.rules.definition.rule_system import Rules
from events.rules.systems.ladybohn.table import LadybohnTable
from events.rules.table.state import GameState
from tests.support.strategies import bare_game, opening
from tests.support.tables import families_of_different

GAMES = [(players, seed) for players in (3, 4, 5) for seed in range(13)]
every_game = pytest.mark.parametrize(("players", "seed"), GAMES)


def happened(players: int, seed: int) -> Iterator[tuple[Rules, GameState, e.DomainEvent, GameState]]:
    """Every event of a random game, with the table before and after it."""
    deck = families_of_different(families=3, size=28)
    table = opening(f"laws {seed}", players, {}, deck, system="ladybohn").table
    before = table.state
    for move in bare_game(table, f"laws {players} {seed}"):
        for event, (old, new) in zip(move.events, pairwise([before, *move.states]), strict=True):
            yield table.rules, old, event, new
        before = move.state


@every_game
def test_a_miss_is_moved_only_after_a_baby_was_planted_there(players: int, seed: int) -> None:
    """Rapprochement des miss: at most one move, of one or two places, for each baby; all others keep their order."""
    previous: e.DomainEvent | None = None
    for rules, before, event, after in happened(players, seed):
        if isinstance(event, e.MissMoved):
            old = before.seats[event.seat].fields[event.field]
            new = after.seats[event.seat].fields[event.field]
            assert rules.beans[old[event.miss]].sex == "female"
            assert event.places in (1, 2)
            assert new.index(old[event.miss]) == event.miss + event.places
            assert [card for card in new if card != old[event.miss]] == [
                card for card in old if card != old[event.miss]
            ]
            if not event.owed:
                assert isinstance(previous, e.BeanPlanted | e.AsidePlanted)
                assert (previous.seat, previous.field) == (event.seat, event.field)
                assert rules.beans[previous.card].sex == "baby"
        previous = event


@every_game
def test_moves_are_open_only_where_a_trade_has_planted_a_baby(players: int, seed: int) -> None:
    """Négociation des bébés: one for each such baby on a field with a miss, in this turn; nowhere else."""
    owed: Counter[tuple[int, int]] = Counter()
    for rules, before, event, after in happened(players, seed):
        planted_by_trade = isinstance(event, e.AsidePlanted) and before.phase == "trade"
        if isinstance(event, e.AsidePlanted | e.BeanPlanted):
            sex = rules.beans[event.card].sex
            field = before.seats[event.seat].fields[event.field]
            if planted_by_trade:
                assert sex == "baby"
                assert {rules.variety[card] for card in field} == {rules.variety[event.card]}
                owed[event.seat, event.field] += any(rules.beans[card].sex == "female" for card in field)
            elif sex != "baby":
                del owed[event.seat, event.field]
        elif isinstance(event, e.MissMoved) and event.owed:
            owed[event.seat, event.field] -= 1
            assert owed[event.seat, event.field] >= 0
        elif isinstance(event, e.FieldHarvested | e.FieldPaidFromPiles):
            del owed[event.seat, event.field]
        elif isinstance(event, e.TurnBegan):
            owed.clear()
        if isinstance(event, e.PhaseBegan | e.TradingEnded | e.OfferMade | e.CardsRevealed):
            assert Counter((after.ladybohn or LadybohnTable()).moves) == +owed


@every_game
def test_no_baby_lies_aside_while_its_family_grows(players: int, seed: int) -> None:
    """Négociation des bébés: as long as there is trading, only babies without a field wait for phase 3."""
    for rules, _, event, after in happened(players, seed):
        if after.phase == "trade" and isinstance(event, e.OfferMade | e.OfferDeclined | e.OfferWithdrawn):
            for seat in after.seats:
                grown = {rules.variety[card] for field in seat.fields for card in field}
                waiting = {rules.variety[card] for _, card in seat.aside if rules.beans[card].sex == "baby"}
                assert not waiting & grown


@every_game
def test_there_are_never_more_than_two_third_fields(players: int, seed: int) -> None:
    """3ème champ: two for all, each bought by the player whose turn it is."""
    for _, before, event, after in happened(players, seed):
        assert sum(seat.third_field for seat in after.seats) <= 2
        if isinstance(event, e.ThirdFieldBought):
            assert event.seat == before.active


def test_everything_that_can_happen_happens() -> None:
    """In these games every event that only `ladybohn` has occurs, and third fields are bought."""
    kinds = Counter(type(event) for game in GAMES for _, _, event, _ in happened(*game))
    for kind in (e.MissMoved, e.MissMoveOpened, e.MissMovesLapsed, e.FieldPaidFromPiles, e.CoinsShown):
        assert kinds[kind] >= 10, kind
    assert kinds[e.ThirdFieldBought] > 5
