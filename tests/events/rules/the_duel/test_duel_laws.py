"""The Duel: what the booklet says, worked out anew from the events of random games, event by event.

Nothing here asks the rules what is allowed: fields, gifts, bluffs, claims and the score follow from the table alone.
"""

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import pytest

from events import domain_events as e
from events.game.table import Table
from events.rules.catalogues.catalogue import BonusCard, Catalogue, shipped_catalogue
from events.rules.systems.the_duel.table import DuelState, Gift
from events.rules.table.state import GameState
from tests.events.rules.the_duel.tables import EIGHT
from tests.laws.decks import easy_deck
from tests.support.strategies import bare_game, opening

Happening = tuple[GameState, e.DomainEvent, GameState]
"""The table before an event, the event, the table after it."""
every_game = pytest.mark.parametrize("seed", range(8))


def deck(seed: int) -> Catalogue:
    """What the random game of this seed is played with; in every second one bonus cards are easily claimed."""
    return easy_deck(15, 20) if seed % 2 else shipped_catalogue("the-duel")


def bonus_cards(seed: int) -> dict[str, BonusCard]:
    """The bonus cards of that game."""
    return {each.card: each for each in deck(seed).bonus}


@cache
def happenings(seed: int) -> tuple[Happening, ...]:
    """All events of that game."""
    options = {"start_seat": seed // 2 % 2}
    return tuple(_happenings(opening(f"laws {seed}", 2, options, deck(seed), system="the-duel").table, seed))


def _happenings(begun: Table, seed: int) -> Iterator[Happening]:
    state = begun.state
    for move in bare_game(begun, f"laws {seed}"):
        for event, after in zip(move.events, move.states, strict=True):
            yield state, event, after
            state = after


def duel(state: GameState) -> DuelState:
    """What this game has besides beans."""
    assert state.duel is not None
    return state.duel


def held(state: GameState, gift: Gift) -> bool:
    """Whether who pushed a gift card holds such a bean: in hand, or revealed if they are active."""
    free = state.revealed if gift.seat == state.active else ()
    return any(card == gift.variety for _, card in (*state.seats[gift.seat].hand, *free))


@every_game
def test_fields_never_fall_and_never_skip_a_variety(seed: int) -> None:
    """Règles de plantation: from bottom to top each card is of the same or the next higher variety."""
    for _, _, state in happenings(seed):
        for field in (field for seat in state.seats for field in seat.fields):
            places = [EIGHT.index(card) for card in field]
            assert {upper - lower for lower, upper in pairwise(places)} <= {0, 1}


@every_game
def test_gift_cards_alternate_and_each_is_pushed_once_in_a_phase(seed: int) -> None:
    """Offrir des cartes haricots: the active player begins; nobody pushes without a bean or a coin."""
    for before, event, after in happenings(seed):
        pushed = duel(after).gifts
        assert [gift.seat for gift in pushed] == [(after.active + n) % 2 for n in range(len(pushed))]
        assert len({gift.variety for gift in pushed}) == len(pushed)
        if isinstance(event, e.GiftOffered):
            assert held(before, Gift(event.seat, event.variety)) or before.seats[event.seat].coins
        if isinstance(event, e.TurnBegan):
            assert pushed == ()


@every_game
def test_a_gift_is_a_bean_exactly_when_its_giver_holds_one_and_else_a_coin(seed: int) -> None:
    """Bluff !: the last gift pushed is the one accepted; it moves one bean or one coin, and nothing else does."""
    happened = happenings(seed)
    kinds = (e.GiftGiven, e.BluffPaid)
    for before, event, after in happened:
        if not isinstance(event, kinds):
            continue
        gift = duel(before).gifts[-1]
        assert (event.seat, event.to) == (gift.seat, 1 - gift.seat)
        assert isinstance(event, e.GiftGiven) == held(before, gift)
        old, new = before.seats[event.to], after.seats[event.to]
        if isinstance(event, e.GiftGiven):
            assert event.card == gift.variety
            assert [card for _, card in new.aside] == [gift.variety]
            assert [seat.coins for seat in after.seats] == [seat.coins for seat in before.seats]
        else:
            assert len(new.coins) == len(old.coins) + 1
            assert [seat.hand for seat in after.seats] == [seat.hand for seat in before.seats]
    offered = [event for _, event, _ in happened if isinstance(event, e.GiftOffered)]
    accepted = [event for _, event, _ in happened if isinstance(event, e.GiftAccepted)]
    moved = [event for _, event, _ in happened if isinstance(event, kinds)]
    assert len(offered) > len(accepted) == len(moved)


@every_game
def test_at_most_one_revealed_card_is_discarded_in_a_turn_and_none_that_was_given(seed: int) -> None:
    """Planter les cartes piochées et reçues."""
    discarded = 0
    for before, event, _ in happenings(seed):
        if isinstance(event, e.TurnBegan):
            discarded = 0
        if isinstance(event, e.RevealedDiscarded):
            discarded += 1
            assert (event.number, event.card) in before.revealed
            assert event.seat == before.active
        assert discarded <= 1


@every_game
def test_claims_lie_on_top_and_bonus_hands_are_full_after_phase_4(seed: int) -> None:
    """Les cartes Bohnus: the last symbols of a field; three in every hand, unless pile and discards are empty."""
    for before, event, after in happenings(seed):
        if isinstance(event, e.BonusClaimed):
            sequence = bonus_cards(seed)[event.bonus].sequence
            assert before.seats[event.owner].fields[event.field][-len(sequence) :] == sequence
            assert event.bonus in duel(before).seats[event.seat].bonus
            assert after.seats == before.seats
        if isinstance(event, e.TurnBegan):
            short = any(len(seat.bonus) < 3 for seat in duel(before).seats)
            assert not short or not (duel(before).pile or duel(before).discards)
        if not isinstance(event, e.PileShuffled | e.DealerCalled) and duel(after).discards:
            assert duel(after).pile or after.phase == "bonus"


@every_game
def test_nothing_that_could_be_claimed_is_left_at_the_end(seed: int) -> None:
    """Fin de la partie: when the first field is harvested, no bonus card in hand is on top of any field."""
    before = next(
        before
        for before, event, _ in happenings(seed)
        if isinstance(event, e.FieldHarvested | e.GameEnded) and getattr(event, "final", True)
    )
    fields = [field for seat in before.seats for field in seat.fields]
    for bonus in (bonus for seat in duel(before).seats for bonus in seat.bonus):
        sequence = bonus_cards(seed)[bonus].sequence
        assert not any(field[-len(sequence) :] == sequence for field in fields)


def test_these_games_have_bluffs_choices_and_claims() -> None:
    """So the laws above are about something: payments by both, given cards from both places, claims of both kinds."""
    events = [event for seed in range(8) for _, event, _ in happenings(seed)]
    assert {event.seat for event in events if isinstance(event, e.BluffPaid)} == {0, 1}
    assert {bool(event.hand) for event in events if isinstance(event, e.GiftGiven)} == {True, False}
    assert {event.final for event in events if isinstance(event, e.BonusClaimed)} == {True, False}
    assert {event.owner == event.seat for event in events if isinstance(event, e.BonusClaimed)} == {
        True,
        False,
    }


@every_game
def test_the_game_ends_in_the_turn_in_which_the_pile_ran_out_or_the_next_one(seed: int) -> None:
    """Fin de la partie: after phase 3; the score is coins and claimed bonus cards, in whole cents."""
    happened = happenings(seed)
    ((ran_out, _, _),) = [each for each in happened if isinstance(each[1], e.PileExhausted)]
    ((table, ended, _),) = [each for each in happened if isinstance(each[1], e.GameEnded)]
    assert table.turn == ran_out.turn + (ran_out.phase == "draw")
    assert not table.revealed
    assert not any(seat.aside for seat in table.seats)
    scores = tuple(
        100 * len(seat.coins) + sum(100 + bonus_cards(seed)[bonus].cents for bonus in own.claimed)
        for seat, own in zip(table.seats, duel(table).seats, strict=True)
    )
    assert isinstance(ended, e.GameEnded)
    assert ended.scores == scores
    best = [seat for seat in range(2) if scores[seat] == max(scores)]
    assert ended.winners == ((1 - table.start_seat,) if len(best) == 2 else (best[0],))
