"""Laws about what lies on the table, in every state of random games."""

from events import domain_events as e
from events.rules.legal import waiting_for
from events.rules.rule_system import Rules
from events.rules.state import Field, GameState
from tests.laws.games import Setup, every_setup, happenings, played, whole_log
from tests.laws.particulars import ASIDE_IN, COIN_LAWS, JOINS_HAND, LEAVES_HAND, REVEALED_IN, particulars


@every_setup
def test_a_hand_keeps_its_order(setup: Setup) -> None:
    """Cards leave a hand only as the event says, and join it at the back with rising numbers."""
    _, log = whole_log(setup)
    for before, event, after in happenings(log):
        leaves = LEAVES_HAND.get(type(event))
        for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
            kept = tuple(card for card in new.hand if card in old.hand)
            joined = new.hand[len(kept) :]
            assert new.hand == kept + joined
            assert [card for card in old.hand if card in kept] == [*kept]
            assert [card for card, _ in joined] == [*range(old.next_number, new.next_number)]
            gone = {card for card, _ in old.hand} - {card for card, _ in kept}
            assert gone == (leaves(event, number, tuple(card for card, _ in old.hand)) if leaves else set())
            if joined:
                assert isinstance(event, JOINS_HAND)


@every_setup
def test_coins_change_by_certain_events_only(setup: Setup) -> None:
    """A coin was the top of a harvested field, by its beanometer; coins are spent for a third field."""
    _, log = whole_log(setup)
    for before, event, after in happenings(log):
        law = COIN_LAWS.get(type(event))
        if law is not None:
            law(setup.rules, before, event, after)
        for number, (old, new) in enumerate(zip(before.seats, after.seats, strict=False)):
            paying = (
                getattr(event, "seat", number),
                getattr(event, "to", None),
                *getattr(event, "payers", ()),
            )
            if law is None or number not in paying:
                assert new.coins == old.coins


@every_setup
def test_the_table_is_never_out_of_order(setup: Setup) -> None:
    """Between two commands fields hold what they may; cards lie revealed, aside and on offer in their phases only."""
    rules = setup.rules
    begun, steps = played(setup)
    for state in [begun.table.state, *(step.after.state for step in steps)]:
        for seat in state.seats:
            assert len(seat.fields) == rules.setup.fields + seat.third_field
            if particulars(setup.system).one_variety_a_field:
                _check_fields(rules, seat.fields)
        if state.status == "running":
            _check_phase(rules, state)


def _check_fields(rules: Rules, fields: tuple[Field, ...]) -> None:
    grown = [{rules.variety[card] for card in field} for field in fields if field]
    assert all(len(varieties) == 1 for varieties in grown)
    if not rules.options.get("duplicate_fields"):
        assert len(set[str]().union(*grown)) == len(grown)


def _check_phase(rules: Rules, state: GameState) -> None:
    assert state.phase in rules.phases
    assert state.phase in ASIDE_IN or not any(seat.aside for seat in state.seats)
    assert state.phase in REVEALED_IN or not state.revealed
    assert state.phase == "trade" or not state.offers
    assert state.planted <= 2


@every_setup
def test_open_offers_can_be_kept_by_who_made_them(setup: Setup) -> None:
    """Between two commands every open offer is made from cards that are there, and involves the active player."""
    for step in played(setup)[1]:
        state = step.after.state
        revealed = {number for number, _ in state.revealed}
        for offer in state.offers:
            held = {number for number, _ in state.seats[offer.seat].hand}
            assert held.issuperset(offer.hand)
            assert revealed.issuperset(offer.revealed + offer.want_revealed)
            assert state.active in (offer.seat, offer.to)
            assert offer.seat != offer.to
            assert offer.seat == state.active or not offer.revealed


@every_setup
def test_turns_go_round_and_the_game_ends_with_the_last_exhaustion(setup: Setup) -> None:
    """Seats take turns clockwise; the pile runs out as often as the game lasts; the best score wins."""
    begun, log = whole_log(setup)
    starts = [event.seat for _, event, _ in happenings(log) if isinstance(event, e.TurnBegan)]
    first = begun.table.state.start_seat
    assert starts == [(first + turn) % setup.players for turn in range(len(starts))]
    exhausted = [event for _, event, _ in happenings(log) if isinstance(event, e.PileExhausted)]
    times = [event.times for event in exhausted if event.pile == "draw"]
    assert times == [*range(1, setup.rules.setup.exhaustions + 1)]
    *_, (before_secret, last, end) = happenings(log)
    assert isinstance(last, e.SecretRevealed)
    assert end.result is not None
    if particulars(setup.system).scores_are_coins:
        assert end.result.scores == tuple(len(seat.coins) for seat in end.seats)
    best = tuple(seat for seat, score in enumerate(end.result.scores) if score == max(end.result.scores))
    assert end.result.winners == (best if len(best) == 1 else setup.rules.system.break_tie(end, best))
    assert not any(field for seat in end.seats for field in seat.fields)
    assert waiting_for(end) == waiting_for(before_secret) == ()
