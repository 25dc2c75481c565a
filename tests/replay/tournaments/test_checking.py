"""An auditor's check of a tournament: what holds is found to hold, and whatever was bent is found."""

from typing import Any

import msgspec
import pytest

from events.commands.clock import PRESETS
from events.log.disclosure import PUBLIC
from events.tournaments import commands as c
from events.tournaments.entries import next_entries
from events.tournaments.events import (
    PlayerRegistered,
    RoundPaired,
    TableFinished,
    TableForfeited,
    TableRuled,
    TournamentEvent,
    TournamentFinished,
)
from events.tournaments.evolve import fold
from events.tournaments.scoring.points import BYE, round_points
from events.tournaments.state import DUPLICATE, SWISS
from replay.tournaments.report import COMPLETE, DEALS, DECIDED, LOG, PLAYERS, RECORDS, RESULTS, RULES
from replay.tournaments.tables import check_table, read_table
from replay.verification.attestations import Trust
from tests.events.tournaments.given import Host, settings
from tests.replay.tournaments.played import Played, announce, check, finish_table, play_table, played


def test_a_tournament_verifies_from_its_log_and_records_alone() -> None:
    """Two rounds with a withdrawal, a late table and a ruling: everything holds, and the table is told."""
    report = played().check()
    assert report.findings == ()
    assert report.ok
    assert (report.rounds, report.tables, report.late, report.records) == (2, 4, 1, 4)
    assert [each.kind for each in report.rulings] == ["annulled"]
    assert report.checks == {
        LOG: report.entries,
        DECIDED: report.entries,
        RECORDS: 4,
        PLAYERS: 4,
        RULES: 4,
        DEALS: 0,
        RESULTS: 4,
        COMPLETE: 4,
    }
    assert len(report.standings) == 5


def test_records_in_the_public_scope_will_do() -> None:
    """Whoever was no player of a table checks it as well."""
    host = announce()
    records = {}
    for table in (1, 2):
        game = play_table(host, table)
        finish_table(host, table, game)
        records[game.table.game] = game.record(PUBLIC)
    report = Played(host, records).check()
    assert report.ok
    assert report.status == "running"


def test_a_table_without_a_record_is_missed() -> None:
    """And one that is still played is not."""
    done = played()
    del done.records["g1-2"]
    finding = done.check().findings[0]
    assert (finding.check, finding.game) == (COMPLETE, "g1-2")
    host = announce()
    host.start(1)
    assert Played(host).check().ok


def test_a_record_of_another_game_is_a_finding() -> None:
    """It would otherwise look as if it had been checked."""
    done = played()
    other = play_table(announce(), 1, game="another")
    done.records["another"] = other.record()
    assert [(each.check, each.game) for each in done.check().findings] == [(RECORDS, "another")]


def test_a_record_that_does_not_verify_is_a_finding() -> None:
    """The verification of records goes first, and says where."""
    done = played()
    done.records["g1-1"] = done.records["g1-1"][:-1]
    report = done.check()
    assert [(each.check, each.game) for each in report.findings] == [(RECORDS, "g1-1")]
    assert "does not verify" in report.findings[0].reason


def bent(done: Played, which: type[TournamentEvent], place: int, **changes: Any) -> Played:
    """The tournament with one event of this kind changed, and its whole chain made anew."""
    places = [n for n, each in enumerate(done.host.happened) if type(each.event) is which]
    record = done.host.happened[places[place]]
    event = msgspec.structs.replace(record.event, **changes)
    done.host.happened[places[place]] = msgspec.structs.replace(record, event=event)
    return done


def first_found(done: Played) -> tuple[str, str]:
    """The check that fails first, and why."""
    report = done.check()
    assert not report.ok
    return report.findings[0].check, report.findings[0].reason


def test_a_bent_pairing_is_found() -> None:
    """Other players at a table, others in its seats, another bye, another seed: none follows from the log."""
    done = played()
    paired = next(each.event for each in done.host.happened if isinstance(each.event, RoundPaired))
    one, other = paired.tables
    for changes, told in (
        ({"tables": (other, one)}, "tables"),
        ({"tables": ((one[1], one[0]), other)}, "tables"),
        ({"tables": ((one[0], other[0]), (one[1], other[1]))}, "tables"),
        ({"seed": "ab" * 32}, "seed"),
        ({"byes": ("p4",)}, "byes"),
    ):
        assert first_found(bent(played(), RoundPaired, 0, **changes)) == (
            DECIDED,
            f"its {told} do not follow from the log up to here",
        )


def test_a_seed_that_was_changed_afterwards_bends_every_pairing() -> None:
    """Players' seeds are bound into the key that all rounds are paired by."""
    assert first_found(bent(played(), PlayerRegistered, 0, seed="luck"))[0] == DECIDED


def test_a_bent_table_of_the_tournament_is_found() -> None:
    """The final table follows from all results, and the one after a ruling from that, too."""
    done = played()
    rows = [each.event for each in done.host.happened if isinstance(each.event, TournamentFinished)]
    better = msgspec.structs.replace(rows[0].standings[-1], place=1, points=9999)
    for place in (0, 1):
        check, reason = first_found(
            bent(played(), TournamentFinished, place, standings=(better, *rows[place].standings[:-1]))
        )
        assert (check, reason) == (DECIDED, "its standings do not follow from the log up to here")
    done.host.happened = done.host.happened[:-1]
    assert first_found(done) == (
        DECIDED,
        "the last entry also brought about tournament_finished, which is missing",
    )


def test_a_ruling_that_nobody_gave_is_not_passed_over() -> None:
    """A ruling that was changed changes the table after it."""
    changed = bent(played(), TableRuled, 0, kind="awarded", winners=(1,))
    assert first_found(changed)[0] == DECIDED


def test_a_wrong_result_is_found_in_the_record() -> None:
    """Where the whole log is made to fit it, the game's own record does not."""
    for changes in ({"scores": (99, 0), "winners": (0,)}, {"reason": "drawn"}, {"left": (0,)}):
        host = announce()
        game = play_table(host, 1)
        finish_table(host, 1, game)
        done = bent(Played(host, {game.table.game: game.record()}), TableFinished, 0, **changes)
        assert first_found(done)[0] == RESULTS


def test_an_end_that_is_not_the_records_is_found() -> None:
    """The log names the hash with which the game's chain ended."""
    host = announce()
    game = play_table(host, 1)
    finish_table(host, 1, game)
    done = bent(Played(host, {game.table.game: game.record()}), TableFinished, 0, hash="ab" * 32)
    assert first_found(done)[0] == RECORDS


@pytest.mark.parametrize(
    ("changes", "check"),
    [({"late": (0,)}, RESULTS), ({"late": (1,)}, RESULTS), ({"hash": "ab" * 32}, RECORDS)],
)
def test_a_late_table_that_waited_for_somebody_else_is_found(changes: dict[str, Any], check: str) -> None:
    """At the version at which it was closed the game waits for just one of the two, at the hash in the log."""
    done = played()
    late = next(each.event for each in done.host.happened if isinstance(each.event, TableForfeited))
    if changes.get("late") == late.late:
        changes = {"late": ()}
    places = [n for n, each in enumerate(done.host.happened) if each.event is late]
    done.host.happened = done.host.happened[: places[0] + 1]
    del done.records["g1-1"]
    found = [each.check for each in bent(done, TableForfeited, 0, **changes).check().findings]
    assert check in found


@pytest.mark.parametrize(
    ("others", "check"),
    [
        ({"names": ["Bot 7", "Bot 8"]}, PLAYERS),
        ({"bots": ["greedy", "greedy"]}, PLAYERS),
        ({"options": {"start_seat": "random"}}, RULES),
    ],
)
def test_a_table_that_others_played_or_by_other_rules_is_found(others: dict[str, Any], check: str) -> None:
    """Whoever sits in a seat has the name, and is the bot, that was paired there."""
    host = announce()
    game = play_table(host, 1, **others)
    finish_table(host, 1, game)
    assert first_found(Played(host, {game.table.game: game.record()}))[0] == check


def test_swapped_seats_are_found() -> None:
    """Both players are there, each in the other's seat."""
    host = announce()
    names = [
        each.name
        for player in reversed(host.round.tables[0].players)
        if (each := host.tournament.find_player(player))
    ]
    game = play_table(host, 1, names=names)
    finish_table(host, 1, game)
    found = Played(host, {game.table.game: game.record()}).check().findings
    assert [each.check for each in found].count(PLAYERS) == 2


def test_a_log_that_was_cut_or_edited_is_found_at_its_entry() -> None:
    """The chain is checked first; nothing after its break is believed."""
    done = played()
    lines = done.log
    report = check([*lines[:5], lines[5].replace(b"p4", b"p9"), *lines[6:]], {})
    assert [(each.check, each.entry) for each in report.findings] == [(LOG, 6)]
    assert [each.check for each in check([], {}).findings] == [LOG]
    assert not check([b"\x00"], done.records).ok


def test_another_deal_at_one_table_of_a_duplicate_round_is_found() -> None:
    """Commitment and seed of each game must be those of the round."""
    host = Host(settings(DUPLICATE, (2,), 1))
    for number in range(4):
        host.do(c.RegisterPlayer(f"p{number}", f"Bot {number}", "greedy"))
    host.begin()
    game = play_table(host, 1)
    found = read_table(game.record(), Trust())
    deal = {"version": 2, "seed": host.round.deal}
    commitment = host.tournament.settings.deals[0]

    def findings(**created: Any) -> list[str]:
        dealt = msgspec.structs.replace(found, created={**found.created, **created})
        players = {each.player: each for each in host.tournament.players}
        differences = check_table(host.tournament.settings, players, host.round, host.round.tables[0], dealt)
        return [check for check, _ in differences]

    assert findings(commitment=commitment, dealing=deal) == []
    assert findings(dealing=deal) == [DEALS]
    assert findings(commitment=commitment) == [DEALS]
    assert findings(commitment=commitment, dealing={**deal, "seed": "another"}) == [DEALS]
    assert findings(commitment=commitment, dealing={**deal, "version": 1}) == [DEALS]


def test_a_table_that_was_played_by_another_clock_is_found() -> None:
    """Or by one where the tournament has none, or by none where it has one."""
    host = announce()
    found = read_table(play_table(host, 1).record(), Trust())
    players = {each.player: each for each in host.tournament.players}
    live, slow = PRESETS["live"], PRESETS["day_a_move"]
    for wanted, had, expected in (
        (None, None, []),
        (live, live, []),
        (live, None, [RULES]),
        (None, live, [RULES]),
        (live, slow, [RULES]),
    ):
        settings = msgspec.structs.replace(host.tournament.settings, clock=wanted)
        created = {**found.created, "clock": None if had is None else msgspec.to_builtins(had)}
        timed = msgspec.structs.replace(found, created=created)
        differences = check_table(settings, players, host.round, host.round.tables[0], timed)
        assert [check for check, _ in differences] == expected


def test_the_annulled_table_counts_the_middle_for_everybody() -> None:
    """As the report says it, computed from the log; what they got in the other round is added."""
    done = played()
    annulled = done.host.happened
    report = done.check()
    tournament = fold(annulled)
    assert tournament is not None
    first, second = tournament.rounds
    later, points = round_points(second, SWISS), {row.player: row.points for row in report.standings}
    for player in first.tables[0].players:
        assert points[player] == BYE + later[player]
    assert next_entries("t", None, annulled)[-1].hash == report.head
