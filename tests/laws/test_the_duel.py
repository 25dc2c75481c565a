"""Laws of `the-duel` over games with decks that make its rare moments common.

Short sequences make claims frequent, few bonus cards let their pile run out again and again, and other numbers of
beans let the bean pile run out in phase 4.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import chain, product

import pytest

from events import commands as c
from events import domain_events as e
from events.game.record import header_for, read_record, write_record
from events.log.codec import decode_event
from events.log.disclosure import ALL, PUBLIC, form_for
from events.log.redacted import event_in
from events.rules.evolving.evolve import evolve
from events.rules.legal import legal_commands
from events.rules.table.player_view import player_view
from events.rules.table.state import INITIAL_STATE, GameState
from events.rules.table.waiting import waiting_for
from replay.verification.verify import verify
from tests.laws.decks import EASY_DUELS, easy_deck
from tests.laws.exactness import accepted
from tests.support.strategies import Dice, Opening, Step, opening, play_on

GAMES = EASY_DUELS
every_game = pytest.mark.parametrize(("bonus", "blue"), GAMES)


@cache
def played(bonus: int, blue: int) -> tuple[Opening, list[Step]]:
    """The random game with this deck."""
    seed = f"duel {bonus} {blue}"
    begun = opening(seed, 2, {"start_seat": "random"}, easy_deck(bonus, blue), system="the-duel")
    return begun, list(play_on(begun.table, Dice(seed)))


def everything(state: GameState, begun: Opening) -> Iterator[c.Command]:
    """Every command of this game that there is, with every argument that could be legal, and some that cannot."""
    varieties, bonus = begun.table.rules.rising, begun.table.rules.bonus
    cards = range(40)
    yield from map(c.OfferGift, varieties)
    yield from map(c.CounterGift, varieties)
    yield from (c.AcceptGift(), c.KeepBonus(), c.Reveal(), c.Draw(), c.BuyField())
    yield from map(c.DiscardBonus, bonus)
    yield from (c.ClaimBonus(*way) for way in product(bonus, range(2), range(3)))
    yield from chain(map(c.Harvest, range(4)), map(c.Plant, range(4)))
    yield from chain(
        map(c.GiveFromHand, cards), map(c.GiveRevealed, range(60)), map(c.DiscardRevealed, range(60))
    )
    lying = {number for number, _ in chain(state.revealed, *(seat.aside for seat in state.seats))}
    for kind in (c.PlantAside, c.PlantRevealed):
        yield from (kind(*way) for way in product(lying | {99}, range(3)))


@every_game
def test_of_all_commands_there_are_exactly_those_listed_are_accepted(bonus: int, blue: int) -> None:
    """For both seats, in some states of every phase."""
    begun, steps = played(bonus, blue)
    dice, phases = Dice("everything"), set()
    for step in steps:
        state = step.after.state
        if state.status != "running" or not (dice.chance(5) or state.phase == "give"):
            continue
        phases.add(state.phase)
        for seat in range(2):
            legal = legal_commands(step.after.rules, state, seat)
            for command in everything(state, begun):
                assert accepted(step.after.rules, state, seat, command) == (command in legal), command
    assert "answer_gift" in phases


@every_game
def test_bonus_cards_are_conserved_and_hands_never_exceed_three(bonus: int, blue: int) -> None:
    """In pile, discards, hands and before who claimed them; after every command."""
    begun, steps = played(bonus, blue)
    deck = Counter(begun.table.rules.bonus_deck)
    for step in steps:
        duel = step.after.state.duel
        assert duel is not None
        assert (
            Counter(chain(duel.pile, duel.discards, *(seat.bonus + seat.claimed for seat in duel.seats)))
            == deck
        )
        assert all(len(seat.bonus) <= 3 for seat in duel.seats)
        for seat, own in zip(step.after.state.seats, duel.seats, strict=True):
            assert set(own.unseen) <= set(range(len(seat.coins)))
        assert not duel.gifts or step.after.state.phase in {"answer_gift", "give"}
        assert waiting_for(step.after.state) or step.after.state.status != "running"


@every_game
def test_the_number_of_unseen_coins_never_changes(bonus: int, blue: int) -> None:
    """Six coins were never seen; they change their owner by bluffs, and nobody ever sees them."""
    _, steps = played(bonus, blue)
    for step in steps:
        assert step.after.state.duel is not None
        assert sum(len(seat.unseen) for seat in step.after.state.duel.seats) == 6


@every_game
def test_views_follow_from_forms_and_records_verify_in_every_scope(bonus: int, blue: int) -> None:
    """At every version the filtered log folds to the viewer's view; spectators prove the deal as well."""
    begun, steps = played(bonus, blue)
    table = steps[-1].after
    log = begun.log + [entry for step in steps for entry in step.entries]
    for viewer in (PUBLIC, ALL, 0, 1):
        whole = filtered = INITIAL_STATE
        forms = [form_for(entry, table.key, viewer) for entry in log]
        for entry, form in zip(log, forms, strict=True):
            whole, filtered = evolve(whole, decode_event(entry)), evolve(filtered, event_in(form.entry))
            assert player_view(whole, viewer) == player_view(filtered, viewer), f"version {entry.version}"
        header = header_for(table, viewer)
        report = verify(*read_record(write_record(header, forms)))
        assert report.findings == ()
        assert report.scores == (table.state.result.scores if table.state.result else ())


def test_the_rare_moments_have_come_up() -> None:
    """Claims in and at the end of the game, reshuffled bonus piles, bluffs paid, choices, a run-out in phase 4."""
    events = [decode_event(entry) for game in GAMES for step in played(*game)[1] for entry in step.entries]
    found = Counter(type(event).__name__ for event in events)
    assert found["BluffPaid"] > 20
    assert {event.final for event in events if isinstance(event, e.BonusClaimed)} == {True, False}
    assert any(
        event.purpose == "refill" and event.count for event in events if isinstance(event, e.DealerCalled)
    )
    assert e.PhaseBegan("give") in events
    phases = {step.before.state.phase for game in GAMES for step in played(*game)[1] if _ran_out(step)}
    assert phases >= {"draw"}
    assert len(phases) > 1


def _ran_out(step: Step) -> bool:
    return any(entry.type == "pile_exhausted" for entry in step.entries)
