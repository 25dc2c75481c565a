"""The errors as a whole: codes are stable, and each is provoked by some test of the rules."""

import re
from pathlib import Path

import pytest

from events.rules import errors
from events.rules.errors import RuleViolation

CODES = """
agreed_already bad_amount bad_clock bad_closing bad_credit bad_dealing bad_end_offer bad_move bad_name
bad_option bad_reward bad_ruling bad_text bean_protected bonus_not_in_hand bots_decline cannot_be_levied
cannot_bluff cannot_rotate card_named_twice choice_due contradicts_log deal_must_stay dealer_must_act
decided_already declined_already discarded_already end_offer_open end_trading_instead field_empty
field_holds_other_bean game_is_paused game_not_paused game_not_started game_over game_started_already
gift_card_used hand_does_not_fit hand_empty left_already must_plant_first no_clock no_end_offer no_move_open
no_such_fan no_such_field no_such_gift_card no_such_offer no_such_seat no_such_variety no_take_back
no_third_field_left not_a_baby not_a_miss not_a_permutation not_addressed_to_you not_aside not_away
not_enough_coins not_in_hand not_in_this_game not_revealed not_the_gift not_wanted not_your_gift not_your_offer
not_your_turn nothing_due nothing_expired offer_empty own_gift own_offer paused_already payment_mismatch
people_only planted_enough promise_binds ready_already revealed_not_yours rules_mismatch same_field_twice
seat_named_twice seat_occupied seed_not_taken seen_unconfirmed sequence_not_there take_back_open
third_field_not_for_sale third_field_owned time_over too_many_offers too_many_payers too_many_returns
unknown_command unknown_option unknown_system variety_grows_elsewhere wrong_addressee wrong_catalogue
wrong_phase wrong_players wrong_secret
""".split()  # noqa: SIM905 - as a list it would be three times as long
"""Codes are part of the HTTP interface: a new one is added here, none is ever changed."""

VIOLATIONS = sorted(
    (each for each in RuleViolation.__subclasses__() if each.__module__.startswith("events.")),
    key=lambda violation: violation.code,
)
"""Those of the rules; what a service's budgets refuse besides is tested where they are."""


def test_the_codes_are_stable() -> None:
    """Clients rely on codes; this list changes only by growing."""
    assert [violation.code for violation in VIOLATIONS] == CODES


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda violation: violation.code)
def test_every_error_is_provoked_by_a_test(violation: type[RuleViolation]) -> None:
    """Some test in this folder or below expects exactly this error."""
    expected = re.compile(rf"(then_refused|raises)\(\s*(errors\.)?{violation.__name__}\s*\)")
    assert any(expected.search(path.read_text("utf-8")) for path in Path(__file__).parent.rglob("test_*.py"))


@pytest.mark.parametrize("violation", VIOLATIONS, ids=lambda violation: violation.code)
def test_every_error_is_explained(violation: type[RuleViolation]) -> None:
    """Each says what it means; a shared one stands in the overview and among the exports of its package."""
    assert violation.__doc__
    if ".systems." not in violation.__module__:
        assert getattr(errors, violation.__name__) is violation
        assert violation.__name__ in (errors.__doc__ or "")


def test_a_code_is_the_name_in_snake_case() -> None:
    """So the class can be found from the code."""
    assert errors.FieldHoldsOtherBean.code == "field_holds_other_bean"
    assert errors.NotAPermutation.code == "not_a_permutation"
