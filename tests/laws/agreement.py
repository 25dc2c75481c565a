"""Laws about all who read a game: what verifiers, timelines and read models say is what those who played it saw."""

from collections.abc import Sequence

from events.game.record import read_record
from events.game.table import open_table
from events.rules.table.player_view import player_view
from replay.records.hidden import parse_viewer
from replay.records.report import ClockReport, Report
from replay.timeline.timeline import read_timeline
from service.projections.listed_games import Summary
from service.projections.summaries import summarize
from tests.laws.moments import Moment
from tests.support.recorded_games import RecordedGame


def the_log_alone_leads_to_the_table(game: RecordedGame, cut: int) -> None:
    """Whoever opens the stored entries, or some and follows the rest, has the table of whoever appended them."""
    rules, secret = game.table.rules, game.table.secret
    assert open_table(game.log, secret, lambda _hash: rules.catalogue) == game.table
    if not any(entry.type == "game_rewound" for entry in game.log[cut:]):
        begun = open_table(game.log[:cut], secret, lambda _hash: rules.catalogue)
        assert begun.follow(game.log[cut:]) == game.table


def the_list_of_games_says_what_the_table_says(game: RecordedGame) -> None:
    """Folded for the list, entry by entry, the log is a game with this status, these seats and this result."""
    summary: Summary | None = None
    for entry in game.log:
        summary = summarize(summary, entry)
    state = game.table.state
    assert summary is not None
    assert state.result is not None
    assert (summary.game, summary.system, summary.version) == (state.game, state.system, game.table.version)
    assert (summary.status, summary.touched) == (state.status, game.log[-1].at)
    assert summary.players == tuple(seat.name for seat in state.seats)
    assert summary.kinds == tuple(seat.kind for seat in state.seats)
    away = tuple(seat.away or None for seat in state.seats)
    assert summary.away == (away if any(away) else ())
    assert (summary.scores, summary.winners) == (state.result.scores, state.result.winners)


def a_timeline_shows_every_moment(record: Sequence[bytes], moments: Sequence[Moment]) -> None:
    """At every version, in whatever scope the record is: what was left to whom, and the table as the scope has it."""
    header, forms = read_record(record)
    timeline = read_timeline(header, forms, parse_viewer(header.scope))
    assert timeline.broken is None
    assert timeline.last == len(moments)
    for step, moment in zip(timeline.steps, moments, strict=True):
        assert step.clock == moment.facts_after.clock, f"version {step.version}"
        seen = player_view(moment.after, timeline.viewer)
        assert player_view(step.state, timeline.viewer) == seen, f"version {step.version}"


def the_report_counts_what_the_clock_did(report: Report, moments: Sequence[Moment]) -> None:
    """Each expiry, and each time that was given back; every move made for a seat is that of the clock's bot."""
    assert report.findings == ()
    assert (report.entries, report.status) == (len(moments), "finished")
    assert report.head == moments[-1].entry.hash
    assert isinstance(report.clock, ClockReport)
    types = [moment.entry.type for moment in moments]
    assert report.clock.expired == types.count("time_expired")
    assert report.clock.credits == types.count("time_credited")
    assert report.clock.recomputed == report.clock.forced
