"""Type names, field names and private fields ARE the storage format and part of the HTTP interface.

A change here breaks stored games and clients: a changed shape needs a new schema version and an upcaster.
"""

from collections.abc import Mapping
from typing import get_args

import msgspec
import pytest

from events import commands as c
from events import domain_events as e
from events.log.codec import COMMAND_TYPES, EVENT_TYPES
from events.rules.evolving.evolve import EVOLVERS
from events.rules.interventions.leaving import LEAVING
from events.rules.interventions.rulings import ARBITER_DECISIONS
from events.rules.interventions.take_backs import TAKE_BACKS
from events.rules.interventions.time import CLOCK_DECISIONS
from events.rules.phases import standard
from events.rules.systems.registry import ALL

EVENTS = """
aside_planted: seat number field card
bean_planted: seat field card
bluff_paid: seat to
bonus_claimed: seat bonus owner field final
bonus_discarded: seat bonus
bonus_drawn: seat cards*
bonus_kept: seat
cards_drawn: seat cards*
cards_revealed: seat cards
coins_dealt: seat cards*
coins_levied: seat payers coins spared final
coins_shown: seat places cards
dealer_called: task pile purpose seat count
discards_joined: seat cards
end_accepted: seat
end_declined: seat
end_offered: seat kind agreed
fan_laid_out: fan cards
fan_overflowed: seat fan cards
field_barred: seat field
field_harvested: seat field cards coins final
field_paid_from_piles: seat field cards from_discard_pile from_draw_pile* from_field final
field_rotated: seat field card
game_closed: reason
game_created: game system system_version engine_version players options catalogue commitment people_patience program_patience committed_at clock close_after dealing
game_ended: scores winners reason unit
game_paused: case reason
game_resumed: case
game_rewound: to_version shuffles case redeal bonus_shuffles paused_by away bots returns
game_started: fields
gift_accepted: seat variety
gift_given: seat to card revealed hand*
gift_offered: seat variety
hand_card_discarded: seat number* card
hand_dealt: seat cards*
hand_swapped: seat fan hand cards
levy_earned: seat
levy_promised: seat to
miss_move_opened: seat field
miss_moved: seat field miss places owed
miss_moves_lapsed: seat field
offer_declined: offer seat closed
offer_lapsed: offer
offer_made: offer seat to hand* hand_cards revealed want want_revealed counters spare want_spared
offer_withdrawn: offer seat
phase_began: phase
pile_exhausted: pile times
pile_shuffled: pile number order*
quota_field_taken: seat
readiness_declared: seat
readiness_withdrawn: seat
revealed_discarded: seat number card
revealed_planted: seat number field card
revealed_put_on_fan: seat number fan card
ruling_made: case kind arbiter scope reason
seat_resigned: seat
seat_returned: seat
seat_taken: seat name kind bot bot_seed* seed program program_version player
seat_taken_over: seat bot reason
secret_revealed: secret
starting_seat_chosen: seat
take_back_agreed: seat
take_back_asked: seat to_version agreed seen_confirmed
take_back_declined: seat
talked: seat text
third_field_bought: seat paid boxed
third_field_won: seat
time_credited: since until reason
time_expired: seat deadline offer strikes
trade_made: offer active partner active_cards partner_cards active_hand* active_revealed partner_hand*
trading_ended: seat kept
turn_began: seat turn
"""  # noqa: E501 - a line for each type

COMMANDS = """
accept: offer hand* revealed
accept_end:
accept_gift:
agree_take_back:
ask_take_back: to_version seen_confirmed
buy_field:
choose_fan: fan
choose_starting_seat: seat
claim_bonus: bonus owner field
close_game: reason
come_back:
counter: offer hand* revealed want want_revealed spare want_spared
counter_gift: variety
create_game: game system players options catalogue commitment people_patience program_patience committed_at clock close_after dealing
credit_time: since until reason
decline: offer
decline_end:
decline_take_back:
discard: card*
discard_bonus: bonus
discard_revealed: card
draw:
end_trading:
expire_time: seat deadline offer
give_from_hand: card*
give_revealed: card
harvest: field rotate reward
keep_bonus:
levy: seats
move_miss: field miss places
offer: to hand* revealed want want_revealed spare want_spared
offer_end: kind
offer_gift: variety
pause_game: case reason
plant: field miss places
plant_aside: card field miss places
plant_revealed: card field
ready:
resign:
resume_game: case
reveal:
reveal_secret: secret
rule_game: case kind arbiter scope reason to_version seen_confirmed winners scores
say: text
shuffle: pile order*
swap_hand: fan
take_seat: seat name kind bot bot_seed* seed program program_version player
withdraw: offer
"""  # noqa: E501 - a line for each type


def shapes(kinds: Mapping[str, type[e.DomainEvent | c.Command]]) -> str:
    """Every type with its fields; a star marks the private ones."""
    lines = []
    for tag, kind in sorted(kinds.items()):
        names = [name + "*" * (name in kind.private) for name in kind.__struct_fields__]
        lines.append(f"{tag}: {' '.join(names)}".rstrip())
    return "\n" + "\n".join(lines) + "\n"


def test_the_shapes_of_events_are_stable() -> None:
    """Stored games rely on them."""
    assert shapes(EVENT_TYPES) == EVENTS
    assert {kind.schema for kind in EVENT_TYPES.values()} == {1}


def test_the_shapes_of_commands_are_stable() -> None:
    """Clients and the audit of stored games rely on them."""
    assert shapes(COMMAND_TYPES) == COMMANDS


def test_every_event_can_be_folded() -> None:
    """The table of `evolve` has a function for each event type and no other."""
    assert {*EVOLVERS} == {*get_args(e.AnyEvent)}


def test_every_command_is_decided_somewhere() -> None:
    """By arbiters, the clock, beside the turn, by the dealer or the host, or in some rule system."""
    beside: set[type[c.Command]] = {*ARBITER_DECISIONS, *CLOCK_DECISIONS, *TAKE_BACKS, *LEAVING}
    decided = beside | {*standard.DEALER, *standard.HOST}
    for system in ALL:
        decided |= {*system.any_time}
        for phase in system.phases:
            decided |= {*phase.rules}
    assert decided == {*get_args(c.AnyCommand)}


@pytest.mark.parametrize(
    "kind", [*EVENT_TYPES.values(), *COMMAND_TYPES.values()], ids=lambda kind: kind.__name__
)
def test_every_type_is_explained_and_strict(kind: type[msgspec.Struct]) -> None:
    """Each has a sentence for the reference, is frozen, and refuses fields that it does not know."""
    assert kind.__doc__
    assert kind.__struct_config__.frozen
    assert kind.__struct_config__.forbid_unknown_fields
