"""What every store promises, as tests. A store's test file says only how to make one."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from events.log.recorded import RecordedEvent
from events.store.errors import (
    CommandIdReused,
    GameNotFound,
    HistoryForked,
    RequirementUnmet,
    VersionConflict,
)
from events.store.event_store import MOST_MISSED, Appended, EventStore, Head
from tests.support.recorded_events import hash_after, recorded_run


def append(
    store: EventStore, game_id: str, after: int, count: int = 1, command_id: str | None = None
) -> Appended:
    """Append `count` events after a version, under a command id of their own."""
    return store.append(
        game_id,
        recorded_run(after, count),
        expected_version=after,
        expected_hash=hash_after(after),
        command_id=command_id or f"command-{after}",
        fingerprint="print",
    )


def everything_about(store: EventStore, game_id: str) -> object:
    """Return all a store tells about a game and its feed."""
    return (
        store.read(game_id),
        store.head(game_id),
        store.private(game_id),
        store.read_feed(store.partition_of(game_id)),
    )


class StoreContract:
    """To be inherited by each store's tests, which provide the fixture `store`."""

    def test_what_is_appended_is_read_back_byte_for_byte(self, store: EventStore) -> None:
        """An event comes back equal, whatever bytes and letters it holds."""
        events = recorded_run(0, 3, note="Grüne Bohne \u2764 \\u0000")

        store.append("game", events, expected_version=0, command_id="c", fingerprint="f")

        assert events == store.read("game")

    def test_an_append_tells_where_the_game_now_stands(self, store: EventStore) -> None:
        """The answer names the versions and the hash, and the head agrees."""
        append(store, "game", 0, 2)

        answer = append(store, "game", 2, 3)

        last = recorded_run(4, 1)[0].hash
        assert Appended(first_version=3, last_version=5, head_hash=last, duplicate=False) == answer
        assert Head(version=5, hash=last) == store.head("game")

    def test_reading_starts_after_a_version_and_stops_at_the_limit(self, store: EventStore) -> None:
        """`after` and `limit` cut the events at exactly the versions named."""
        append(store, "game", 0, 5)

        assert recorded_run(2, 2) == store.read("game", after=2, limit=2)
        assert recorded_run(4, 1) == store.read("game", after=4)
        assert store.read("game", after=5) == ()
        assert store.read("game", after=99) == ()
        assert store.read("game", limit=0) == ()

    @pytest.mark.parametrize("game_id", ["absent", "no game id: {}", ""])
    def test_a_game_that_does_not_exist_is_not_found(self, store: EventStore, game_id: str) -> None:
        """Reading an unknown game, also by an impossible id, says so; asking for its head gives None."""
        for ask in (store.read, store.private):
            with pytest.raises(GameNotFound):
                ask(game_id)
        assert store.head(game_id) is None
        assert store.idempotency_record(game_id, "c") is None

    def test_a_game_cannot_be_continued_before_it_is_created(self, store: EventStore) -> None:
        """An append at a version of a game that does not exist creates nothing."""
        with pytest.raises(GameNotFound):
            append(store, "game", 4)
        assert store.head("game") is None

    def test_a_game_is_created_once(self, store: EventStore) -> None:
        """Expecting version 0 of a game that exists is a conflict."""
        append(store, "game", 0, 2)

        with pytest.raises(VersionConflict) as refused:
            append(store, "game", 0, 1, command_id="another")

        assert (0, 2, recorded_run(0, 2)) == (
            refused.value.expected,
            refused.value.actual,
            refused.value.missed,
        )

    def test_a_conflict_carries_the_events_that_were_missed(self, store: EventStore) -> None:
        """Whoever is too late is told what happened since."""
        append(store, "game", 0, 2)
        append(store, "game", 2, 3)

        with pytest.raises(VersionConflict) as refused:
            append(store, "game", 2, 1, command_id="late")

        assert refused.value.missed == recorded_run(2, 3)

    def test_a_conflict_carries_only_the_first_of_many_missed_events(self, store: EventStore) -> None:
        """The caller reads on from there."""
        append(store, "game", 0, 2)
        for after in range(2, 102, 10):
            append(store, "game", after, 10)

        for expected, is_whole in ((0, False), (2, False), (101, True), (101 - 62, True)):
            with pytest.raises(VersionConflict) as refused:
                append(store, "game", expected, 1, command_id="late")
            assert refused.value.is_whole == is_whole
            assert refused.value.missed == recorded_run(expected, min(MOST_MISSED, 102 - expected))

    def test_an_expected_version_ahead_of_the_game_is_a_conflict(self, store: EventStore) -> None:
        """A version the store has never had leaves no gap behind."""
        append(store, "game", 0, 2)

        with pytest.raises(VersionConflict) as refused:
            append(store, "game", 3)

        assert (refused.value.expected, refused.value.actual, refused.value.missed) == (3, 2, ())

    def test_a_repeated_command_gets_its_first_answer(self, store: EventStore) -> None:
        """Also after further appends, and whatever version it expects by then."""
        first = append(store, "game", 0, 2, command_id="again")
        append(store, "game", 2, 2)
        before = everything_about(store, "game")

        repeated = append(store, "game", 0, 2, command_id="again")
        elsewhere = append(store, "game", 4, 1, command_id="again")

        assert repeated == elsewhere
        assert repeated.duplicate
        assert (first.first_version, first.last_version, first.head_hash) == (
            repeated.first_version,
            repeated.last_version,
            repeated.head_hash,
        )
        assert before == everything_about(store, "game")

    def test_a_command_id_belongs_to_one_request(self, store: EventStore) -> None:
        """The same id with another fingerprint is refused, at the right version too."""
        append(store, "game", 0, command_id="mine")
        before = everything_about(store, "game")

        with pytest.raises(CommandIdReused):
            store.append(
                "game",
                recorded_run(1, 1),
                expected_version=1,
                expected_hash=hash_after(1),
                command_id="mine",
                fingerprint="other",
            )

        assert before == everything_about(store, "game")

    def test_command_ids_of_different_games_do_not_meet(self, store: EventStore) -> None:
        """The same id may be used once in every game."""
        append(store, "one", 0, command_id="same")

        assert not append(store, "two", 0, command_id="same").duplicate

    def test_a_command_can_be_asked_for(self, store: EventStore) -> None:
        """The store tells fingerprint and answer of a known command, and nothing of another."""
        append(store, "game", 0, 2, command_id="known")

        known = store.idempotency_record("game", "known")

        assert known is not None
        assert known.fingerprint == "print"
        assert known.answer == append(store, "game", 0, 2, command_id="known")
        assert store.idempotency_record("game", "unknown") is None

    def test_a_refused_append_leaves_no_trace(self, store: EventStore) -> None:
        """Neither events nor private fields nor the command id of a refused append are kept."""
        append(store, "game", 0, 2)
        before = everything_about(store, "game")

        with pytest.raises(VersionConflict):
            store.append(
                "game",
                recorded_run(1, 1),
                expected_version=1,
                expected_hash=hash_after(1),
                command_id="refused",
                fingerprint="f",
                private={"secret": "x"},
            )

        assert before == everything_about(store, "game")
        assert store.idempotency_record("game", "refused") is None

    def test_private_fields_come_with_the_append_and_are_no_part_of_the_log(self, store: EventStore) -> None:
        """They are set together with the events, replaced one by one, and kept out of every event."""
        store.append(
            "game",
            recorded_run(0, 1),
            expected_version=0,
            command_id="a",
            fingerprint="f",
            private={"secret": "ß", "a": ""},
        )
        store.append(
            "game",
            recorded_run(1, 1),
            expected_version=1,
            expected_hash=hash_after(1),
            command_id="b",
            fingerprint="f",
            private={"a": "2"},
        )

        assert store.private("game") == {"secret": "ß", "a": "2"}
        assert store.read("game") == recorded_run(0, 2)

    @pytest.mark.parametrize(
        ("game_id", "after", "count", "command_id", "fingerprint"),
        [
            ("", 0, 1, "c", "f"),
            ("a:b", 0, 1, "c", "f"),
            ("game", 0, 0, "c", "f"),
            ("game", 0, 1, "", "f"),
            ("game", 0, 1, "c", ""),
            ("game", 0, 1, "c" * 256, "f"),
        ],
    )
    def test_a_senseless_append_is_refused(  # noqa: PLR0917 - the columns of the table
        self, store: EventStore, game_id: str, after: int, count: int, command_id: str, fingerprint: str
    ) -> None:
        """Bad ids, no events and ids that are too long are the caller's mistake."""
        with pytest.raises(ValueError, match=r"\w"):
            store.append(
                game_id,
                recorded_run(after, count),
                expected_version=after,
                command_id=command_id,
                fingerprint=fingerprint,
            )
        assert store.head("game") is None

    @pytest.mark.parametrize("required", [{"seat": "1"}, {"seat": ""}, {"nobody": "0"}])
    def test_an_append_can_require_what_a_private_field_holds(
        self, store: EventStore, required: dict[str, str]
    ) -> None:
        """Where it holds something else nothing is written, and a known command is not answered either."""

        def attempt(after: int, command_id: str, required: dict[str, str]) -> Appended:
            return store.append(
                "game",
                recorded_run(after, 1),
                expected_version=after,
                expected_hash=hash_after(after),
                command_id=command_id,
                fingerprint="f",
                private={"seat": "0", "other": "1"},
                required=required,
            )

        attempt(0, "first", {})
        before = everything_about(store, "game")

        for after, command_id in ((1, "second"), (0, "first")):
            with pytest.raises(RequirementUnmet) as refused:
                attempt(after, command_id, required)
            assert {refused.value.field} == required.keys()
        assert before == everything_about(store, "game")

        both = {"seat": "0", "other": "1"}
        assert not attempt(1, "second", both).duplicate
        assert attempt(1, "second", both).duplicate

    def test_a_look_shows_a_command_and_how_the_log_goes_on(self, store: EventStore) -> None:
        """What is known of a command, and the events from a version on; nothing of a game that does not exist."""
        append(store, "game", 0, 2, command_id="first")
        append(store, "game", 2, 3, command_id="second")

        assert store.read_with_command("game", 2, "unknown") == (None, recorded_run(1, 4))
        assert store.read_with_command("game", 5, "second") == (
            store.idempotency_record("game", "second"),
            recorded_run(4, 1),
        )
        assert store.read_with_command("game", 0, "unknown") == (None, recorded_run(0, 5))
        for nothing in (("game", 6), ("absent", 1), ("no game id: {}", 1)):
            assert store.read_with_command(*nothing, "unknown") == (None, ())

    def test_events_must_be_numbered_on_from_the_expected_version(self, store: EventStore) -> None:
        """A gap inside an append, or before it, is the caller's mistake."""
        first, _, third = recorded_run(0, 3)
        for events in ((first, third), (third,)):
            with pytest.raises(ValueError, match="numbered on"):
                store.append("game", events, expected_version=0, command_id="c", fingerprint="f")

    def test_an_expected_hash_belongs_to_its_version(self, store: EventStore) -> None:
        """The hash before the first event is no event's, and a new game expects no other."""
        for after, expected_hash in ((0, hash_after(1)), (1, hash_after(0))):
            with pytest.raises(ValueError, match="chain hash"):
                store.append(
                    "game",
                    recorded_run(after, 1),
                    expected_version=after,
                    expected_hash=expected_hash,
                    command_id="c",
                    fingerprint="f",
                )

    @pytest.mark.parametrize("after", [1, 2, 3])
    def test_what_does_not_continue_the_chain_is_not_appended(self, store: EventStore, after: int) -> None:
        """Another hash at the expected version is a fork, at the head and before it; nothing is written."""
        append(store, "game", 0, 3)
        before = everything_about(store, "game")

        with pytest.raises(HistoryForked) as forked:
            store.append(
                "game",
                recorded_run(after, 1),
                expected_version=after,
                expected_hash=hash_after(after, "another history"),
                command_id="new",
                fingerprint="f",
                private={"secret": "x"},
            )

        assert (after, 3, hash_after(3)) == (
            forked.value.expected,
            forked.value.actual,
            forked.value.actual_hash,
        )
        assert before == everything_about(store, "game")
        assert store.idempotency_record("game", "new") is None

    def test_a_repeated_command_is_known_whatever_hash_it_expects(self, store: EventStore) -> None:
        """A retry after a fork still gets the answer that was given."""
        append(store, "game", 0, 2, command_id="known")

        answer = store.append(
            "game",
            recorded_run(1, 1),
            expected_version=1,
            expected_hash=hash_after(1, "another history"),
            command_id="known",
            fingerprint="print",
        )

        assert (answer.last_version, answer.duplicate) == (2, True)

    def test_of_many_who_expect_the_same_version_one_wins(self, store: EventStore) -> None:
        """Eight threads race for each version; the game has every event once."""
        append(store, "game", 0)
        start = threading.Barrier(8)

        missed: list[tuple[int, tuple[RecordedEvent, ...]]] = []

        def race(runner: int) -> int:
            won = 0
            for version in range(1, 11):
                start.wait(10)
                try:
                    append(store, "game", version, command_id=f"{runner}-{version}")
                    won += 1
                except VersionConflict as late:
                    missed.append((version, late.missed))
            return won

        with ThreadPoolExecutor(8) as threads:
            assert sum(threads.map(race, range(8))) == 10

        assert len(missed) == 70
        assert all(events == recorded_run(version, 1) for version, events in missed)
        assert store.read("game") == recorded_run(0, 11)
