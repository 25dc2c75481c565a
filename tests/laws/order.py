"""Laws about the table between two commands: what lies where, what can be kept, and that it goes on."""

from events import commands as c
from events.commands.leaving import LEAVING
from events.rules.definition.rule_system import Rules
from events.rules.legal import legal_commands
from events.rules.table.state import Field, GameState
from events.rules.table.waiting import waiting_for
from tests.laws.particulars import ASIDE_IN, REVEALED_IN, particulars


def the_table_is_in_order(rules: Rules, state: GameState) -> None:
    """Fields hold what they may; cards lie revealed, aside and on offer in their phases only."""
    for seat in state.seats:
        assert len(seat.fields) == rules.setup.fields + seat.third_field
        if particulars(rules.system.key).one_variety_a_field:
            _check_fields(rules, seat.fields)
    if state.status == "running":
        _check_phase(rules, state)


def _check_fields(rules: Rules, fields: tuple[Field, ...]) -> None:
    grown = [{rules.variety[card] for card in field} for field in fields if field]
    assert all(len(varieties) == 1 for varieties in grown), "two varieties on one field"
    if not rules.options.get("duplicate_fields"):
        assert len(set[str]().union(*grown)) == len(grown), "two fields of one variety"


def _check_phase(rules: Rules, state: GameState) -> None:
    assert state.phase in rules.phases
    assert state.phase in ASIDE_IN or not any(seat.aside for seat in state.seats)
    assert state.phase in REVEALED_IN or not state.revealed
    assert state.phase == "trade" or not state.offers
    assert state.planted <= 2
    if state.ladybohn_expansion is not None:
        sizes = tuple(len(fan) for fan in state.ladybohn_expansion.fans)
        assert sizes == rules.setup.fans or state.phase == "fans", "a fan has changed its size"
    if state.duel is not None:
        assert all(len(seat.bonus) <= rules.setup.bonus_hand for seat in state.duel.seats)
        assert not state.duel.gifts or state.phase in {"answer_gift", "give"}


def open_offers_can_be_kept(_rules: Rules, state: GameState) -> None:
    """Every open offer is made from cards that are there, and involves the active player."""
    revealed = {number for number, _ in state.revealed}
    for offer in state.offers:
        held = {number for number, _ in state.seats[offer.seat].hand}
        assert held.issuperset(offer.hand)
        assert revealed.issuperset(offer.revealed + offer.want_revealed)
        assert state.active in (offer.seat, offer.to)
        assert offer.seat != offer.to
        assert offer.seat == state.active or not offer.revealed


def whoever_is_waited_for_can_go_on(rules: Rules, state: GameState) -> None:
    """A running game waits for somebody, who has a command ready to send; a finished one waits for nobody."""
    awaited = waiting_for(state)
    if state.status == "running":
        assert awaited, "nobody is waited for, and the game is not over"
        for seat in awaited:
            choices = legal_commands(rules, state, seat)
            assert any(isinstance(each, c.Command) and not isinstance(each, LEAVING) for each in choices), (
                f"seat {seat} is stuck"
            )
    else:
        assert not awaited
        assert not any(legal_commands(rules, state, seat) for seat in range(rules.players))
