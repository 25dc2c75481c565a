"""What drives tournaments: from registration to the final table, each thing once, whoever is killed when."""

import json
from collections import Counter
from threading import Event, Thread
from typing import Any

import pytest

from events.commands import AskTakeBack, CloseGame, PauseGame, Plant, Resign
from events.commands.clock import PRESETS
from events.game.dealing import commitment_to
from events.rules.move import ARBITER, HOST
from events.rules.table.waiting import waiting_for
from events.store.redis.redis_store import RedisEventStore
from events.tournaments import commands as c
from events.tournaments.entries import next_entries
from events.tournaments.events import TableFinished, TableStarted
from events.tournaments.state import FINISHED, GIVEN_UP, LATE, PLAYED, RUNNING, Outcome
from replay.verification.deals import compare_tables, read_table
from service.access.game_access import GameAccess
from service.access.tokens import token_field
from service.catalogues.catalogues import Catalogues
from service.platform.clock import now_milliseconds
from service.play.command_handling import CommandHandling
from service.play.deciding import Request
from service.play.tables import Tables
from service.tournaments.driving import MOST_STEPS
from service.tournaments.promises import game_id, table_of
from service.tournaments.running import ENDINGS, TournamentRunner
from service.tournaments.store import Listed, Moved, TournamentNotFound
from service.tournaments.tournaments import Tournaments
from tests.service.projections.listing import differences, project
from tests.service.tournaments.bots_tournaments import CLUB, NAME, Hall, bots_playing, record_of
from tests.support.servers import eventually


@pytest.fixture
def hall(store: RedisEventStore) -> Hall:
    """A hall on a fresh store."""
    return Hall(store)


class Killed(Exception):
    """The process has ended here."""


def killed_after(hall: Hall, writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Move the tournament on in a process that is killed before its next write; games that it set up stay."""
    driver, done = hall.another_driver(), Counter[str]()
    append = driver.tournaments.records.append

    def append_or_die(*arguments: Any) -> None:
        if done["writes"] == writes:
            raise Killed
        done["writes"] += 1
        append(*arguments)

    monkeypatch.setattr(driver.tournaments.records, "append", append_or_die)
    with pytest.raises(Killed):
        hall.move_on(driver)


def test_every_table_of_a_duplicate_round_has_the_same_cards(hall: Hall) -> None:
    """Its secret is open in all of them once the last has ended, and an auditor finds nothing."""
    secrets = [hall.promises.deal_secret(NAME, number) for number in (1, 2)]
    hall.announce(format="duplicate", deals=tuple(map(commitment_to, secrets)))
    hall.begin()
    hall.play()

    report = hall.check()
    assert report.ok, report.findings
    for secret, played in zip(secrets, hall.tournament.rounds, strict=True):
        read = [read_table(each.game, record_of(hall.store, each.game)) for each in played.tables]
        compared = compare_tables(read)
        assert (compared.proven, compared.alike, len(read)) == (True, True, 2), compared.findings
        logs = [[*hall.store.read(each.game)] for each in played.tables]
        assert [json.loads(log[-1].data) for log in logs] == [{"secret": secret}] * 2


def test_a_late_table_of_a_duplicate_round_does_not_make_the_others_late(hall: Hall) -> None:
    """They have ended and waited for it with the round's secret; without it the secret is opened, and they count."""
    deals = (commitment_to(hall.promises.deal_secret(NAME, 1)),)
    hall.announce(("random",) * 3, format="duplicate", rounds=1, deals=deals, late_after=4)
    hall.send(c.RegisterPlayer("idle", "Idle"))
    hall.begin()
    hall.play()

    (played,) = hall.tournament.rounds
    kinds = {
        "idle" in table.players: table.outcome.kind for table in played.tables if table.outcome is not None
    }
    assert kinds == {True: "late", False: "played"}
    report = hall.check()
    assert report.ok, report.findings


def test_a_game_that_plays_on_after_its_duplicate_round_is_opened_when_it_ends(hall: Hall) -> None:
    """Nobody else plays its deal any more: its record opens, even though the tournament has ended by then."""
    deals = (commitment_to(hall.promises.deal_secret(NAME, 1)),)
    hall.announce(("random",) * 3, format="duplicate", rounds=1, deals=deals, late_after=4)
    hall.send(c.RegisterPlayer("idle", "Idle"))
    hall.begin()
    hall.move_on()
    project(hall.store)
    hall.play()
    (late,) = (each for each in hall.tournament.rounds[0].tables if "idle" in each.players)
    tables, log = Tables(hall.store), hall.log
    project(hall.store)
    assert GameAccess(hall.store).policy(late.game).delay == 0
    assert differences(hall.store) == []
    assert tables.newest(late.game).table.state.status == "running"

    seat = late.players.index("idle")
    leaving = Request(seat, (Resign(),), now_milliseconds(), "leave", "leave")
    CommandHandling(hall.store, tables).send(late.game, leaving)
    with bots_playing(hall.store):
        eventually(lambda: tables.newest(late.game).table.state.status == "ended", seconds=60)
    assert [*hall.store.read(late.game)][-1].type in ENDINGS
    hall.move_on()
    assert tables.newest(late.game).table.state.status == "finished"
    assert hall.log.last == log.last
    project(hall.store)
    assert differences(hall.store) == []
    report = hall.check()
    assert report.ok, report.findings


def test_bots_play_a_tournament_to_its_end_and_it_verifies(hall: Hall) -> None:
    """Five bots, two rounds, one has withdrawn; an auditor finds nothing."""
    hall.announce(("random",) * 5)
    hall.send(c.WithdrawPlayer("p3"))
    hall.begin()
    hall.play()
    assert hall.tournament.status == FINISHED
    report = hall.check()
    assert report.ok, report.findings
    assert (report.rounds, report.tables, report.records) == (2, 4, 4)
    assert [row.player for row in report.standings if row.withdrew] == ["p3"]


def test_every_table_is_played_by_the_clock_of_the_tournament(hall: Hall) -> None:
    """It is pinned in the first event of each game, which an auditor compares."""
    hall.announce(rounds=1, clock=PRESETS["live"])
    hall.begin()
    hall.play()
    report = hall.check()
    assert report.ok, report.findings
    for table in hall.tournament.rounds[0].tables:
        created, *_ = hall.store.read(table.game)
        assert json.loads(created.data)["clock"]["bank"] == PRESETS["live"].bank


def test_whoever_is_killed_at_any_write_leaves_nothing_double_or_missing(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before pairing, after setting a game up and before noting it, and so on: each table is started once."""
    hall.announce()
    hall.begin()
    for writes in (0, 1, 1):
        killed_after(hall, writes, monkeypatch)
    hall.move_on()
    started = [
        each.happened.event for each in hall.log.entries if isinstance(each.happened.event, TableStarted)
    ]
    assert [each.table for each in started] == [1, 2]
    feeds = [each for number in range(hall.store.partitions) for each in hall.store.read_feed(number)]
    assert Counter(each.game_id for each in feeds) == Counter(each.game for each in started)
    hall.play()
    assert hall.check().ok


def test_two_drivers_at_once_do_everything_once(hall: Hall) -> None:
    """Each takes what the other has done as done."""
    hall.announce()
    hall.begin()
    drivers = [hall.another_driver() for _ in range(3)]
    threads = [Thread(target=hall.move_on, args=(driver,)) for driver in drivers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    hall.play()
    ended = [
        each.happened.event for each in hall.log.entries if isinstance(each.happened.event, TableFinished)
    ]
    assert Counter((each.round, each.table) for each in ended) == Counter([(1, 1), (1, 2), (2, 1), (2, 2)])
    assert hall.check().ok


def test_a_late_table_is_closed_with_whom_it_waits_for(hall: Hall) -> None:
    """People who never come: the one whose turn it is gets nothing, the other what a bye is worth."""
    hall.announce(("", ""), rounds=1, late_after=60)
    hall.begin()
    hall.move_on()
    now = now_milliseconds()
    assert not hall.driver.move_on(NAME, now)
    assert hall.tournament.status == RUNNING
    while hall.driver.move_on(NAME, now + 61_000):
        pass
    assert hall.tournament.status == FINISHED
    assert [row.points for row in hall.tournament.standings or ()] == [1260, 0]
    assert hall.check().ok
    assert hall.check().late == 1


def test_a_game_that_is_closed_untouched_counts_against_whom_it_waited_for(hall: Hall) -> None:
    """As a late table does: nobody gets half a point by not playing on."""
    hall.announce(("", ""), rounds=1)
    hall.begin()
    hall.move_on()
    (table,) = hall.tournament.rounds[0].tables
    waited_for = waiting_for(Tables(hall.store).newest(table.game).table.state)
    closing = Request(HOST, (CloseGame("untouched"),), now_milliseconds() + 15 * 86_400_000, "close", "close")
    CommandHandling(hall.store, Tables(hall.store)).send(table.game, closing)
    hall.move_on()
    assert hall.tournament.status == FINISHED
    outcome = hall.tournament.rounds[0].tables[0].outcome
    assert outcome is not None
    assert (outcome.kind, outcome.winners, outcome.last) == (PLAYED, (), waited_for)
    assert [row.points for row in hall.tournament.standings or ()] == [1260, 0]
    report = hall.check()
    assert report.ok, report.findings


@pytest.mark.parametrize("what", ["a case", "a question"])
def test_what_holds_up_a_game_that_is_closed_untouched_changes_nothing(hall: Hall, what: str) -> None:
    """The seat on turn ranks last: neither a pause nor an open take-back moves that to another seat."""
    hall.announce(("", ""), rounds=1)
    hall.begin()
    hall.move_on()
    (table,) = hall.tournament.rounds[0].tables
    handling, now = CommandHandling(hall.store, Tables(hall.store)), now_milliseconds()
    state = Tables(hall.store).newest(table.game).table.state
    (on_turn,) = waiting_for(state)
    if what == "a case":
        handling.send(table.game, Request(ARBITER, (PauseGame(1, "wrong_rule"),), now, "pause", "pause"))
    else:
        before = Tables(hall.store).newest(table.game).table.version
        handling.send(table.game, Request(on_turn, (Plant(0),), now, "plant", "plant"))
        asking = AskTakeBack(before, seen_confirmed=True)
        handling.send(table.game, Request(on_turn, (asking,), now, "ask", "ask"))
        assert waiting_for(Tables(hall.store).newest(table.game).table.state) == (1 - on_turn,)
    closing = Request(HOST, (CloseGame("untouched"),), now + 15 * 86_400_000, "close", "close")
    handling.send(table.game, closing)
    hall.move_on()
    outcome = hall.tournament.rounds[0].tables[0].outcome
    assert outcome is not None
    assert outcome.last == (on_turn,)
    report = hall.check()
    assert report.ok, report.findings


def test_a_table_that_cannot_be_set_up_ends_with_a_stated_reason(hall: Hall) -> None:
    """It holds nothing up: the round closes, the players get the middle, and an auditor finds nothing wrong."""
    hall.announce(("random",) * 3, options={"start_seat": "moon"})
    hall.begin()
    hall.move_on()
    assert hall.tournament.status == FINISHED
    for played in hall.tournament.rounds:
        (outcome,) = (each.outcome for each in played.tables)
        assert outcome is not None
        assert outcome.kind == GIVEN_UP
        assert "start_seat" in outcome.reason
    assert {row.points for row in hall.tournament.standings or ()} == {2520}
    report = hall.check()
    assert report.ok, report.findings
    assert [(each.round, each.table) for each in report.given_up] == [(1, 1), (2, 1)]


def test_a_table_that_a_case_holds_up_until_it_is_late_waits_for_nobody(hall: Hall) -> None:
    """Its round is not held up; everybody at the table gets the middle, until a ruling says otherwise."""
    hall.announce(("", ""), rounds=1, late_after=60)
    hall.begin()
    hall.move_on()
    (table,) = hall.tournament.rounds[0].tables
    now = now_milliseconds()
    paused = Request(ARBITER, (PauseGame(1, "wrong_rule"),), now, "pause", "pause")
    CommandHandling(hall.store, Tables(hall.store)).send(table.game, paused)
    while hall.driver.move_on(NAME, now + 61_000):
        pass
    assert hall.tournament.rounds[0].tables[0].outcome == Outcome(LATE)
    assert [row.points for row in hall.tournament.standings or ()] == [1260, 1260]
    report = hall.check()
    assert (report.ok, report.late) == (True, 1), report.findings


def test_a_large_round_is_set_up_a_part_at_a_time(hall: Hall) -> None:
    """Others, and whoever wants to stop, wait for so many steps at most."""
    hall.announce(("random",) * 44)
    hall.begin()
    before = len(hall.log.entries)
    assert hall.driver.move_on(NAME, now_milliseconds())
    assert len(hall.log.entries) - before == MOST_STEPS
    hall.move_on()
    assert all(table.game for table in hall.tournament.rounds[0].tables)


def test_a_player_without_a_bot_gets_the_token_of_their_seat(hall: Hall) -> None:
    """The one that the game's own list of tokens knows."""
    hall.announce(("", ""), rounds=1)
    hall.begin()
    hall.move_on()
    game = hall.tournament.rounds[0].tables[0].game
    assert game == game_id(NAME, 1, 1)
    assert table_of(game) == (NAME, 1, 1)
    assert table_of("fruehling") is None
    token = hall.driver.games.seat_token(game, 1)
    assert "1" in [seat for field, seat in hall.store.private(game).items() if field == token_field(token)]


def test_the_runner_drives_by_itself_what_has_begun(hall: Hall) -> None:
    """As the projector runs it, beside the bots; it stops when it is told to."""
    hall.announce()
    runner, stopping = TournamentRunner(hall.store, Catalogues()), Event()
    running = Thread(target=runner.run, args=(stopping,))
    running.start()
    with bots_playing(hall.store):
        hall.begin()
        eventually(lambda: hall.tournament.status == FINISHED, seconds=60)
    stopping.set()
    running.join(10)
    assert not running.is_alive()
    assert hall.check().ok


def test_what_cannot_be_driven_is_left_alone_and_holds_up_no_other(hall: Hall) -> None:
    """A tournament that is not there, as after a restored backup."""
    runner = TournamentRunner(hall.store, Catalogues())
    hall.announce()
    hall.begin()
    hall.store.connection.command(
        "ZADD", f"{{p{hall.store.partition_of('gone'):02}}}:tournaments:due", 1, "gone"
    )
    runner.perform(now_milliseconds())
    assert hall.tournament.rounds


def test_a_log_is_written_by_one_after_the_other(hall: Hall) -> None:
    """Whoever saw an older log is told, and nothing is written."""
    hall.announce()
    old = hall.log
    hall.send(c.WithdrawPlayer("p0"))
    records = Tournaments(hall.store).records
    with pytest.raises(Moved):
        records.append(
            NAME,
            (old.last.number, old.last.hash),
            next_entries(NAME, old.last, [old.last.happened]),
            Listed(1, None),
        )
    with pytest.raises(TournamentNotFound):
        hall.driver.tournaments.of("nothing")


def test_the_lists_are_computed_again_from_the_logs(hall: Hall) -> None:
    """As after a backup was restored, of which they are no part."""
    hall.announce()
    hall.begin()
    partition = hall.store.partition_of(NAME)
    for part in ("list", "due"):
        hall.store.connection.command("DEL", f"{{p{partition:02}}}:tournaments:{part}")
    tournaments = Tournaments(hall.store)
    assert tournaments.list_again(5) == 1
    assert [name for _, name in tournaments.records.listed(partition, 2**53, 10)] == [NAME]
    assert tournaments.records.moments().due(5) == {NAME: 5}
    assert hall.log.entries[0].happened.by == CLUB
