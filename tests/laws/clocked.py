"""A game of the sweep that is played by a clock: every law holds, and all who can read it read the same."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from events.log.disclosure import ALL, PUBLIC
from events.rules.table.waiting import is_held_up
from replay.verification.audit import audit_lines
from replay.verification.verify import verify_lines
from tests.laws.agreement import (
    a_timeline_shows_every_moment,
    the_list_of_games_says_what_the_table_says,
    the_log_alone_leads_to_the_table,
    the_report_counts_what_the_clock_did,
)
from tests.laws.book import EVENT_LAWS, STATE_LAWS
from tests.laws.clocks import TIME_LAWS, nobody_loses_time_by_an_outage
from tests.laws.exactness import what_is_listed_and_nothing_else_is_accepted
from tests.laws.finishing import the_game_ends_as_it_may
from tests.laws.moments import Moment, moments_of
from tests.laws.order import whoever_is_waited_for_can_go_on
from tests.laws.swept import SHARES, Game, Outcome
from tests.support.counting import what_counts
from tests.support.recorded_games import RecordedGame
from tests.support.second_verifier import SecondVerifier, check_agreement
from tests.support.strategies import Dice
from tests.support.watched_games import WatchedGame


def check_clocked(game: Game, outcome: Outcome, second: SecondVerifier) -> None:
    """Play a game by the clock to its end and check it.

    Raises:
        Exception: whatever goes wrong; `outcome` says how far it came.
    """
    played = WatchedGame(game.seed, game.system, game.players, game.options)
    try:
        recorded = played.play_whole()
    finally:
        outcome.events = len(played.log)
        outcome.commands = sum(bool(entry.command) for entry in played.log)
    dice, moments = Dice(f"examine {game}"), moments_of(recorded.log)
    records = [recorded.record(viewer) for viewer in _viewers(game, dice)]
    with ThreadPoolExecutor(1) as beside:
        asked = [beside.submit(second.report, record) for record in records]
        _check_laws(recorded, moments, dice, outcome)
        for law in TIME_LAWS:
            law(moments)
        nobody_loses_time_by_an_outage(moments, played.gaps)
        the_log_alone_leads_to_the_table(recorded, 1 + dice.below(len(moments)))
        the_list_of_games_says_what_the_table_says(recorded)
        audited = audit_lines(records[0])
        assert audited.ok, audited
        the_report_counts_what_the_clock_did(audited.verification, moments)
        a_timeline_shows_every_moment(records[-1], moments)
        reports = [audited.verification, *map(verify_lines, records[1:])]
        for report, answer in zip(reports, asked, strict=True):
            check_agreement(report, answer.result())


def _viewers(game: Game, dice: Dice) -> tuple[int, ...]:
    """For whom records are made: for all, and in every second game for one seat or the public, too."""
    return (ALL, dice.pick((PUBLIC, *range(game.players)))) if game.seed % 2 else (ALL,)


def _check_laws(game: RecordedGame, moments: Sequence[Moment], dice: Dice, outcome: Outcome) -> None:
    """The laws of every game; those of whole states between any two commands, once it has begun."""
    rules, end = game.table.rules, game.table.state
    for place, moment in enumerate(moments):
        for event_law in EVENT_LAWS:
            event_law(rules, moment.before, moment.event, moment.after)
        following = moments[place + 1].entry if place + 1 < len(moments) else None
        state = moment.after
        if state.status == "open" or state.due is not None or (following and not following.command):
            continue
        outcome.states += 1
        for state_law in STATE_LAWS:
            state_law(rules, state)
        if dice.below(1000) < SHARES["clocked"] and not is_held_up(state):
            outcome.examined += 1
            whoever_is_waited_for_can_go_on(rules, state)
            for seat in range(rules.players):
                what_is_listed_and_nothing_else_is_accepted(rules, state, seat, dice)
    the_game_ends_as_it_may(rules, what_counts(moment.event for moment in moments), end)
