"""The dispute log in a real store: two at once, one request twice, and what a ruling brings about."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.commands import Say
from events.disputes import commands as c
from events.disputes.errors import DisputeRefused
from events.disputes.facts import SERVICE, Person
from events.disputes.state import Case
from events.log.recorded import RecordedEvent
from events.store.errors import CommandIdReused, GameNotFound, PartitionQuarantined, StoreDamaged
from events.store.redis.client.connection import RedisConnection
from events.store.redis.keys import GameKeys
from events.store.redis.redis_store import RedisEventStore
from service.disputes.disputes import Disputes
from service.disputes.queue import DisputeQueue, Wanted
from service.disputes.ruling_application import RulingApplication
from service.disputes.store import Moved
from service.play.tables import LoadedGame, Tables
from tests.service.disputes.disputing import (
    ADA,
    ANN,
    BEN,
    BOB,
    CAT,
    DAY,
    LIMITS,
    NOW,
    REWINDING,
    RUNNING,
    Chamber,
)
from tests.service.in_process import InProcess


@pytest.fixture
def game(api: InProcess) -> str:
    """A running game of four people."""
    return api.stored(stop_at=RUNNING).id


def dump(connection: RedisConnection) -> dict[bytes, bytes]:
    """Every key of the server with its whole content."""
    return {key: connection.command("DUMP", key) for key in connection.command("KEYS", "*")}


def queued(store: RedisEventStore) -> list[tuple[str, int, str, int | None]]:
    """What the queue says."""
    rows, _ = DisputeQueue(store).page(Wanted(), 50)
    return [(row.game, row.dispute, row.status, row.until) for row in rows]


def test_a_case_goes_from_its_opening_to_a_final_ruling(store: RedisEventStore, game: str) -> None:
    """Each step is an entry, and the last one names the game's head."""
    chamber = Chamber(store, game)
    chamber.ruled()
    for person in (ANN, BEN):
        chamber.do(c.Accept(), person)
    answer, _ = chamber.do(c.Accept(), CAT)

    assert chamber.types == [
        "dispute_opened",
        "dispute_claimed",
        "ruling_given",
        *["ruling_accepted"] * 3,
        "ruling_final",
    ]
    assert (answer.status, answer.number, answer.case) == ("final", 7, 1)
    ending, head = chamber.case.ending, store.head(game)
    assert ending is not None
    assert head is not None
    assert (ending.why, ending.applied, ending.game_version, ending.game_hash) == (
        "all_accepted",
        True,
        head.version,
        head.hash,
    )
    assert queued(store) == []


def test_the_same_request_again_is_answered_as_it_was(store: RedisEventStore, game: str) -> None:
    """Whatever has happened since; its key with something else in it is refused, but not that of another person."""
    chamber = Chamber(store, game)
    opening = c.OpenDispute("clock", "It hung.", 110)
    first = chamber.do(opening, ANN, 0, "key-1")
    chamber.do(c.Claim(), ADA)
    assert chamber.do(opening, ANN, 0, "key-1") == (first[0], True)
    with pytest.raises(CommandIdReused):
        chamber.do(c.OpenDispute("other", "It hung.", 110), ANN, 0, "key-1")
    assert chamber.do(c.OpenDispute("other", "?", 111), BEN, 0, "key-1")[0].case == 2
    assert chamber.types == ["dispute_opened", "dispute_claimed", "dispute_opened"]


def test_of_two_arbiters_at_once_one_claims_the_case(store: RedisEventStore, game: str) -> None:
    """The other one is told how it stands."""
    Chamber(store, game).opened()

    def claim(arbiter: Person) -> str:
        try:
            return Chamber(store, game).do(c.Claim(), arbiter)[0].status
        except DisputeRefused as refused:
            return refused.code

    with ThreadPoolExecutor(8) as pool:
        outcomes = sorted(pool.map(claim, [ADA, BOB] * 4))
    assert outcomes == ["claimed", *["wrong_case_status"] * 7]


def test_all_who_write_at_once_get_in(store: RedisEventStore, game: str) -> None:
    """One after the other; the chain holds."""
    Chamber(store, game).opened()

    def add(number: int) -> int:
        return (
            Chamber(store, game).do(c.AddEvidence(f"piece {number}"), (ANN, BEN, CAT)[number % 3])[0].number
        )

    with ThreadPoolExecutor(6) as pool:
        numbers = sorted(pool.map(add, range(12)))
    assert numbers == list(range(2, 14))
    assert Chamber(store, game).case.evidence == 12


def test_a_refused_step_changes_no_key(store: RedisEventStore, game: str) -> None:
    """The whole server is byte for byte the same."""
    chamber = Chamber(store, game)
    chamber.opened()
    before = dump(store.connection)
    for command, by in ((c.Claim(), ANN), (c.Withdraw(), BEN), (c.Accept(), ANN)):
        with pytest.raises(DisputeRefused):
            chamber.do(command, by)
    assert dump(store.connection) == before


def test_a_game_that_does_not_exist_has_no_cases(store: RedisEventStore) -> None:
    """And gets none."""
    before = dump(store.connection)
    for game in ("absent", "no game id: {}"):
        with pytest.raises(GameNotFound):
            Chamber(store, game).opened()
    assert dump(store.connection) == before


def test_a_final_ruling_and_its_entries_in_the_game_are_one_step(store: RedisEventStore, game: str) -> None:
    """The case names the last of them; the feed tells of them, as of any others."""
    chamber, before = Chamber(store, game), store.head(game)
    chamber.ruled(REWINDING)
    for person in (ANN, BEN, CAT):
        chamber.do(c.Accept(), person)
    head, ending = store.head(game), chamber.case.ending
    assert before is not None
    assert head is not None
    assert ending is not None
    assert head.version > before.version
    assert (ending.applied, ending.game_version, ending.game_hash) == (True, head.version, head.hash)
    assert store.read_feed(store.partition_of(game))[-1].last_version == head.version


def test_a_ruling_that_the_game_has_already_is_not_applied_again(store: RedisEventStore, game: str) -> None:
    """A backup can hold the game with it, and its case without: the case is made final, and names the entry."""
    chamber = Chamber(store, game)
    chamber.ruled(REWINDING)
    tables = Tables(store)
    loaded = tables.newest(game)
    case = chamber.case
    entries = RulingApplication(store, tables).entries(loaded, case, case, NOW, is_final=True)
    store.append(
        game,
        entries,
        expected_version=loaded.table.version,
        expected_hash=loaded.table.hash,
        command_id="restored",
        fingerprint="restored",
    )
    chamber.dispute_resolution.pass_deadlines(game, NOW + LIMITS.appeal)
    ending, head = chamber.case.ending, store.head(game)
    assert ending is not None
    assert head is not None
    assert (ending.applied, ending.game_version, ending.game_hash) == (True, head.version, head.hash)
    assert [each.type for each in store.read(game)].count("ruling_made") == 1


def test_two_who_make_a_ruling_final_at_once_apply_it_once(store: RedisEventStore, game: str) -> None:
    """However many workers are knocked at."""
    Chamber(store, game).ruled(REWINDING)

    def knock(_: int) -> None:
        Chamber(store, game).dispute_resolution.pass_deadlines(game, NOW + LIMITS.appeal)

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(knock, range(12)))
    chamber = Chamber(store, game)
    assert chamber.types.count("ruling_final") == 1
    ending, head = chamber.case.ending, store.head(game)
    assert ending is not None
    assert head is not None
    assert (ending.why, ending.game_version) == ("no_appeal", head.version)
    feed = store.read_feed(store.partition_of(game))
    assert len(feed) == 3, "the game, its pause, and the ruling"


def test_a_game_that_moves_on_meanwhile_is_looked_at_again(store: RedisEventStore, game: str) -> None:
    """The entries of the ruling follow what was played in between, or nothing is written."""

    class Interrupted(RulingApplication):
        """Somebody talks at the table while the entries are being made."""

        asked = 0

        def entries(
            self, loaded: LoadedGame, before: Case | None, after: Case, at: int, *, is_final: bool
        ) -> Sequence[RecordedEvent]:
            """What a ruling brings about, when it is too late the first time."""
            self.asked += is_final
            found = super().entries(loaded, before, after, at, is_final=is_final)
            if is_final and self.asked == 1:
                table = loaded.table
                store.append(
                    game,
                    table.submit(0, Say("well"), at)[1],
                    expected_version=table.version,
                    expected_hash=table.hash,
                    command_id="meanwhile",
                    fingerprint="meanwhile",
                )
            return found

    application = Interrupted(store, Tables(store))
    chamber = Chamber(store, game, application)
    chamber.ruled(REWINDING)
    chamber.dispute_resolution.pass_deadlines(game, NOW + LIMITS.appeal)
    assert application.asked == 2
    ending = chamber.case.ending
    assert ending is not None
    assert ending.applied
    assert [each.type for each in store.read(game, RUNNING)][-4:-1].count("talked") == 1


def test_whoever_comes_next_writes_down_what_has_lapsed(store: RedisEventStore, game: str) -> None:
    """Before what they want themselves, and with the time at which they came."""
    chamber = Chamber(store, game)
    chamber.opened()
    chamber.do(c.Claim(), ADA)
    chamber.at += LIMITS.ruling
    chamber.do(c.Claim(), BOB)
    assert chamber.types == ["dispute_opened", "dispute_claimed", "claim_lapsed", "dispute_claimed"]
    entry = chamber.dispute_resolution.disputes.of(game).entries[2]
    assert (entry.happened.by, entry.happened.at) == (SERVICE, chamber.at)


def test_a_late_appeal_finds_the_ruling_final(store: RedisEventStore, game: str) -> None:
    """It was made so by whoever came too late."""
    chamber = Chamber(store, game)
    chamber.ruled()
    chamber.at += LIMITS.appeal
    with pytest.raises(DisputeRefused) as refused:
        chamber.do(c.Appeal("No."), BEN)
    assert refused.value.code == "wrong_case_status"
    assert chamber.types[-1] == "ruling_final"


def test_the_log_never_goes_back_in_time(store: RedisEventStore, game: str) -> None:
    """Though the clocks of two machines differ."""
    chamber = Chamber(store, game)
    chamber.opened()
    chamber.at -= DAY
    chamber.do(c.AddEvidence("earlier"), ANN)
    assert [entry.happened.at for entry in chamber.dispute_resolution.disputes.of(game).entries] == [
        NOW,
        NOW,
    ]


def test_the_queue_has_what_has_not_ended_oldest_first(
    store: RedisEventStore, api: InProcess, game: str
) -> None:
    """With status and deadline of each, across partitions; filtered, and page by page."""
    games = [game, *(api.stored(seed, stop_at=RUNNING).id for seed in (2, 3, 4))]
    for place, each in enumerate(games):
        chamber = Chamber(store, each)
        chamber.at += place
        chamber.opened()
    Chamber(store, games[1]).do(c.Claim(), ADA)
    Chamber(store, games[2]).do(c.Withdraw(), ANN)

    left = [games[0], games[1], games[3]]
    assert [(each[0], each[2]) for each in queued(store)] == list(
        zip(left, ("open", "claimed", "open"), strict=True)
    )
    queue = DisputeQueue(store)
    pages, cursor = [], None
    for _ in range(3):
        rows, cursor = queue.page(Wanted(), 1, cursor)
        pages += [row.game for row in rows]
    assert (pages, cursor) == (left, None)
    found = {
        "claimed": queue.page(Wanted(status="claimed"), 9)[0],
        "of a game": queue.page(Wanted(game=games[3]), 9)[0],
        "old": queue.page(Wanted(opened_before=NOW + 1), 9)[0],
        "of another reason": queue.page(Wanted(reason="clock"), 9)[0],
    }
    assert {what: [row.game for row in rows] for what, rows in found.items()} == {
        "claimed": [games[1]],
        "of a game": [games[3]],
        "old": [games[0]],
        "of another reason": [],
    }
    assert queue.due(NOW + 1 + LIMITS.ruling) == {games[1]: NOW + 1 + LIMITS.ruling}
    assert queue.due(NOW + LIMITS.claim).keys() == {games[0], games[1]}


def test_a_lost_index_and_a_lost_queue_are_made_again(store: RedisEventStore, game: str) -> None:
    """The stream has everything: requests stay known, and the queue says what it said."""
    chamber = Chamber(store, game)
    first, _ = chamber.do(c.OpenDispute("clock", "It hung.", 110), ANN, 0, "key-1")
    chamber.do(c.AddEvidence("Look."), BEN)
    before = queued(store)
    lost = store.connection.command("KEYS", "*:disputes:*")
    assert len(lost) == 4
    store.connection.command("DEL", *lost)
    assert queued(store) == []

    assert Disputes(store).queue_again() == 1
    assert queued(store) == before
    log = Disputes(store).of(game)
    stale = log.__class__(game, log.entries[:1], log.cases, {})
    with pytest.raises(Moved):
        Disputes(store).append(stale, [log.entries[1].happened], "seat:1", "new", "")
    assert Disputes(store).append(stale, [log.entries[0].happened], "seat:0", "key-1", first.fingerprint) == (
        first,
        True,
    )


def test_nothing_is_written_to_a_quarantined_partition(store: RedisEventStore, game: str) -> None:
    """Cases are read all the same."""
    chamber = Chamber(store, game)
    chamber.opened()
    store.quarantine.put(store.partition_of(game), "lost something")
    with pytest.raises(PartitionQuarantined):
        chamber.do(c.AddEvidence("Look."), ANN)
    assert chamber.case.evidence == 0
    assert DisputeQueue(store).due(NOW + LIMITS.claim) == {}


def test_a_changed_log_is_not_read(store: RedisEventStore, game: str) -> None:
    """Nor written to."""
    chamber = Chamber(store, game)
    chamber.opened()
    stream = GameKeys(game, store.partitions).disputes
    ((entry_id, fields),) = store.connection.command("XRANGE", stream, "-", "+")
    store.connection.command("DEL", stream)
    changed = [fields[0], fields[1].replace(b"never", b"newer"), *fields[2:]]
    store.connection.command("XADD", stream, entry_id, *changed)
    with pytest.raises(StoreDamaged):
        chamber.do(c.Claim(), ADA)
