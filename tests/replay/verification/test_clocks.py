"""Games with clocks: both verifiers compute each deadline again, and refuse what a host has recorded against them."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

import events.game.table
from events import commands as c
from events.game.clock import SECOND, Clock, Wait
from events.game.forcing import next_forced
from events.game.timekeeping import expiry_of
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.rules.legal import legal_commands
from events.rules.move import CLOCK
from events.rules.table.waiting import waiting_for
from replay.commands.shared.report_text import print_report
from replay.records.report import ClockReport, Report
from replay.verification.verify import verify_lines
from tests.laws.games import TABLES
from tests.replay.verification.forging import Line, altered, entry_of
from tests.support.clocked_disputes import InterruptedGame, interrupted_game
from tests.support.clocked_games import QUICK, clocked_game
from tests.support.depth import depth
from tests.support.recorded_games import RecordedGame
from tests.support.second_verifier import SecondVerifier

Found = tuple[str, int]
GAME = clocked_game(2, "classic", 3, silent=2)
"""A genuine game in which time is over again and again."""


@pytest.fixture(scope="module")
def second() -> Iterator[SecondVerifier]:
    """Run the second verifier for the tests of this file."""
    with SecondVerifier() as running:
        yield running


def clock_of(report: Report) -> ClockReport:
    """What a report says of the clock."""
    assert isinstance(report.clock, ClockReport)
    return report.clock


def check_genuine(second: SecondVerifier, game: RecordedGame) -> None:
    """Both verify a game in every scope, and say the same of its clock."""
    types = [entry.type for entry in game.log]
    for viewer in game.scopes:
        record = game.record(viewer)
        report, other = verify_lines(record), second.report(record)
        assert report.findings == ()
        assert other["findings"] == []
        clock = clock_of(report)
        assert (clock.expired, clock.credits) == (types.count("time_expired"), types.count("time_credited"))
        assert other["clock"] == {
            name: value
            for name, value in msgspec.to_builtins(clock).items()
            if name not in {"recomputed", "reasons"}
        }
        assert clock.recomputed == (clock.forced if viewer == ALL else 0)
        assert ("clock" in {each.about for each in report.unknown}) == (viewer != ALL and clock.forced > 0)


def findings_in(second: SecondVerifier, record: list[bytes]) -> list[Found]:
    """What both verifiers find: the check and the version."""
    first, other = verify_lines(record), second.report(record)
    return [
        *((each.check, each.version) for each in first.findings),
        *((each["check"], each["version"]) for each in other["findings"]),
    ]


# --- genuine games -------------------------------------------------------------------------------------------


@pytest.mark.deep
@pytest.mark.parametrize(("system", "players"), TABLES)
def test_games_with_clocks_verify(second: SecondVerifier, system: str, players: int) -> None:
    """Of every system with every number of players, in every scope, with silent seats and bots."""
    for seed in range(depth(1, 12)):
        silent = (players + seed) % 3
        check_genuine(second, clocked_game(seed, system, players, bots=seed % 2, silent=silent))


@pytest.mark.parametrize(("system", "players"), [("classic", 3), ("the-duel", 2), ("bean-duel", 2)])
def test_games_that_were_held_up_verify(second: SecondVerifier, system: str, players: int) -> None:
    """What a take-back, a pause and going back do to the clock follows from what everybody sees."""
    game = interrupted_game(1, system, players)

    assert {"take_back_declined", "game_rewound", "game_paused", "time_expired"} <= {e.type for e in game.log}
    check_genuine(second, game)


def test_records_of_running_games_verify(second: SecondVerifier) -> None:
    """In the middle nobody knows the secret: then it is said that the moves made for seats were not checked."""
    game = GAME
    ends = [
        before.version
        for before, entry in zip(game.log, game.log[1:], strict=False)
        if entry.at != before.at and entry.command
    ]
    for end in ends[::15]:
        for viewer in (ALL, PUBLIC, 1):
            record = game.record(viewer, end)
            assert findings_in(second, record) == [], (end, viewer)
            report = verify_lines(record)
            assert clock_of(report).recomputed == 0
            about = {each.about for each in report.unknown}
            assert ("clock" in about) == (clock_of(report).forced > 0)


def test_a_game_without_a_clock_has_no_word_of_it(second: SecondVerifier) -> None:
    """Neither in the report nor among the checks."""
    record = altered(GAME.record(PUBLIC, 6), _without_clock)

    report = verify_lines(record)

    assert (report.ok, report.clock, "clock" in report.checks) == (True, msgspec.UNSET, False)
    assert b'"clock"' not in msgspec.json.encode(report)
    assert "clock" not in second.report(record)


def test_the_report_says_what_the_clock_is_and_did(capsys: pytest.CaptureFixture[str]) -> None:
    """In words, and for machines with every setting."""
    report = verify_lines(GAME.record())
    clock = clock_of(report)

    print_report(report)

    said = capsys.readouterr().out
    assert "clock         60 s, 5 s more for each turn up to 90 s; 10 s for an answer; grace 2 s\n" in said
    assert f"time was over {clock.expired} times; {clock.forced} moves made by the bot greedy" in said
    assert f"given back: {clock.credited} ms in {clock.credits} spans" in said
    assert set(msgspec.to_builtins(report)["clock"]["settings"]) == {*QUICK.__struct_fields__}


# --- what a host recorded against the clock ------------------------------------------------------------------

Forgery = Callable[[InterruptedGame], tuple[int, c.Command]]
"""Who sends what at the moment that the game has then: its host takes it, whose check of time is switched off."""


def _a_wait(game: InterruptedGame, kind: str = "bank") -> Wait:
    """Play on until the game waits for somebody like this."""
    for _ in range(400):
        found = [each for each in game.clock.waits if each.awaited.kind == kind]
        if found and (kind == "bank" or found[0].awaited.offer is not None):
            return found[0]
        game.play_for(1)
    raise AssertionError("the game never waited so")


def _early(game: InterruptedGame) -> tuple[int, c.Command]:
    wait = _a_wait(game)
    game.at = game.clock.over_at(wait) - 1
    return CLOCK, expiry_of(wait)


def _early_answer(game: InterruptedGame) -> tuple[int, c.Command]:
    wait = _a_wait(game, "answer")
    game.at = game.clock.over_at(wait) - 1
    return CLOCK, expiry_of(wait)


def _another_deadline(game: InterruptedGame) -> tuple[int, c.Command]:
    wait = _a_wait(game)
    game.at = game.clock.over_at(wait)
    return CLOCK, msgspec.structs.replace(expiry_of(wait), deadline=wait.deadline - 1)


def _late(game: InterruptedGame) -> tuple[int, c.Command]:
    """The seat moves after its time, and nothing is said of it."""
    wait = _a_wait(game)
    game.at = game.clock.over_at(wait)
    legal = legal_commands(game.table.rules, game.table.state, wait.awaited.seat)
    return wait.awaited.seat, next(each for each in legal if isinstance(each, c.Command))


def _credit_twice(game: InterruptedGame) -> tuple[int, c.Command]:
    game.at += 9 * SECOND
    game.send(CLOCK, c.CreditTime(game.at - 8 * SECOND, game.at, "outage"))
    return CLOCK, c.CreditTime(game.at - 1, game.at, "outage")


def _credit_to_come(game: InterruptedGame) -> tuple[int, c.Command]:
    return CLOCK, c.CreditTime(game.clock.credited_until, game.at + 1, "outage")


HOSTS: dict[str, Forgery] = {
    "an expiry a millisecond too early": _early,
    "an answer that expires a millisecond too early": _early_answer,
    "an expiry with another deadline": _another_deadline,
    "an expiry left out before a late command": _late,
    "time given back twice": _credit_twice,
    "time given back that is yet to come": _credit_to_come,
}


@pytest.mark.parametrize("what", HOSTS)
def test_what_breaks_the_clock_is_found(
    monkeypatch: pytest.MonkeyPatch, second: SecondVerifier, what: str
) -> None:
    """By both verifiers in every scope, of the finished game and of the running one, at that very entry."""
    game = InterruptedGame(4, "classic", 3)
    game.play_for(60)
    actor, command = HOSTS[what](game)
    with monkeypatch.context() as patched:
        patched.setattr(events.game.table, "check_time", lambda *_: None)
        wrong = game.send(actor, command)[0].version
    running = RecordedGame(game.table, tuple(game.log))
    game.play()
    finished = RecordedGame(game.table, tuple(game.log))

    for viewer in finished.scopes:
        for record in (finished.record(viewer), running.record(viewer)):
            assert findings_in(second, record) == [("clock", wrong)] * 2, viewer_name(viewer)


# --- moves that the clock forces -----------------------------------------------------------------------------


def _forced_otherwise(monkeypatch: pytest.MonkeyPatch, other: Callable[..., Any]) -> tuple[RecordedGame, int]:
    """A finished game in which another move was forced once, or none; and its version."""
    game = InterruptedGame(5, "classic", 4)
    game.play_for(40)
    changed: list[int] = []

    def forced(rules: Any, state: Any, forcing: Any, key: bytes, version: int) -> c.Command | None:
        genuine = next_forced(rules, state, forcing, key, version)
        found = None if genuine is None or changed else other(rules, state, forcing, genuine)
        if found is None:
            return genuine
        changed.append(version + 1)
        return None if found == "nothing" else found

    with monkeypatch.context() as patched:
        patched.setattr(events.game.table, "next_forced", forced)
        while not changed and game.table.state.status == "running":
            game.play_for(1, frozenset({0, 1}))
    assert changed, "no move was forced"
    game.play()
    return RecordedGame(game.table, tuple(game.log)), changed[0]


def _another_move(rules: Any, state: Any, forcing: Any, genuine: c.Command) -> c.Command | None:
    legal = legal_commands(rules, state, forcing.seat)
    return next((each for each in legal if type(each) is type(genuine) and each != genuine), None)


def test_another_move_than_the_bots_is_found(monkeypatch: pytest.MonkeyPatch, second: SecondVerifier) -> None:
    """It is legal, so only the rules, all hands and the secret tell; who has less says what is not known."""
    game, version = _forced_otherwise(monkeypatch, _another_move)

    report = verify_lines(game.record())
    public = verify_lines(game.record(PUBLIC))

    assert [(each.check, each.version) for each in report.findings] == [("clock", version)]
    assert (public.ok, "clock" in {each.about for each in public.unknown}) == (True, True)
    unknown = second.report(game.record())["unknown"]
    assert "clock" in {each["about"] for each in unknown}


def test_a_move_left_out_is_found(monkeypatch: pytest.MonkeyPatch, second: SecondVerifier) -> None:
    """Everybody sees that the game still waited for the seat."""
    game, version = _forced_otherwise(monkeypatch, lambda *_: "nothing")

    for viewer in game.scopes:
        assert findings_in(second, game.record(viewer)) == [("clock", version)] * 2
    # The record ends there: cut off so it is in no scope that shows everything.
    assert findings_in(second, game.record(ALL, version - 1)) == [("end", version)] * 2
    assert findings_in(second, game.record(PUBLIC, version - 1)) == []


def test_a_move_for_another_seat_or_at_another_moment_is_found(second: SecondVerifier) -> None:
    """What is forced is done by the seat, at the moment of the expiry."""
    expired = next(
        entry.version
        for entry, following in zip(GAME.log, GAME.log[1:], strict=False)
        if entry.type == "time_expired" and following.command and following.actor != "dealer"
    )

    def later(lines: list[Line]) -> None:
        for line in lines[expired + 1 : -1]:
            line["entry"]["at"] += 1

    assert findings_in(second, altered(GAME.record(PUBLIC), later)) == [("clock", expired + 1)] * 2


# --- what was changed in a record that was sealed again -------------------------------------------------------


def _without_clock(lines: list[Line]) -> None:
    created = lines[1]["entry"]
    for part in (created["data"], created["command"]):
        part.pop("clock", None)


def _with_clock(**changed: Any) -> Callable[[list[Line]], None]:
    def change(lines: list[Line]) -> None:
        created = lines[1]["entry"]
        for part in (created["data"], created["command"]):
            part["clock"].update(changed)

    return change


def _of_a_bot(lines: list[Line]) -> None:
    seated = entry_of(lines, "seat_taken", 0)["entry"]
    for part in (seated["data"], seated["command"]):
        part.update(kind="bot", bot="greedy")


def _version_of(event_type: str, place: int = 0, **having: Any) -> int:
    return [
        entry.version
        for entry in GAME.log
        if entry.type == event_type and having.items() <= msgspec.json.decode(entry.data).items()
    ][place]


def _in_both(version: int, **changed: Any) -> Callable[[list[Line]], None]:
    def change(lines: list[Line]) -> None:
        for part in ("data", "command"):
            lines[version]["entry"][part].update(changed)

    return change


def _by_a_seat(lines: list[Line]) -> None:
    lines[FIRST]["entry"]["actor"] = "seat:0"


def _with_strikes(lines: list[Line]) -> None:
    lines[FIRST]["entry"]["data"]["strikes"] += 1


def _declined_by_nobody(lines: list[Line]) -> None:
    lines[ANSWER + 1]["entry"].update(type="talked", data={"seat": 0, "text": "So?"})


FIRST = next(e.version for e in GAME.log if e.type == "time_expired" and b'"strikes"' in e.data)
ANY = _version_of("time_expired")
OF_0 = _version_of("time_expired", seat=0)
ANSWER = next(e.version for e in GAME.log if e.type == "time_expired" and b'"offer"' in e.data)
CREDIT = _version_of("time_credited")
CHANGED: dict[str, tuple[Callable[[list[Line]], None], int]] = {
    "a bank that was larger": (_with_clock(bank=80), FIRST),
    "more time for an answer": (_with_clock(answer=12), _version_of("time_expired", 1)),
    "a longer grace": (_with_clock(grace=300), ANY),
    "a cap below the bank": (_with_clock(cap=5), 1),
    "time for an answer that nobody can keep": (_with_clock(answer=1), 1),
    "no clock at all": (_without_clock, min(ANY, CREDIT)),
    "a bot whose time is over": (_of_a_bot, OF_0),
    "a seat that does the clock's work": (_by_a_seat, FIRST),
    "another number of strikes": (_with_strikes, FIRST),
    "an answer that is not declined then": (_declined_by_nobody, ANSWER + 1),
    "time given back for no reason": (_in_both(CREDIT, reason="weather"), CREDIT),
    "time given back before there was any": (_in_both(CREDIT, since=-5), CREDIT),
    "the time of another seat": (_in_both(FIRST, seat=2), FIRST),
}


@pytest.mark.parametrize("what", CHANGED)
@pytest.mark.parametrize("viewer", [PUBLIC, 2], ids=viewer_name)
def test_a_changed_record_is_found(second: SecondVerifier, what: str, viewer: int) -> None:
    """Sealed again as well as can be, it is refused by both at the same entry."""
    change, version = CHANGED[what]

    found = findings_in(second, altered(GAME.record(viewer), change))

    assert found == [("clock", version)] * 2


@pytest.mark.parametrize("what", CHANGED)
def test_a_changed_whole_record_is_found(what: str) -> None:
    """There the rules, which are asked again, may find it first."""
    change, version = CHANGED[what]

    report = verify_lines(altered(GAME.record(ALL), change))

    assert report.findings[0].version <= version
    assert report.findings[0].check in {"clock", "rules"}


def test_the_clock_is_folded_alike_by_everybody() -> None:
    """Whom the game waits for follows from what is open to all: no scope gives another clock."""
    clocks: list[Clock] = []
    game = clocked_game(1, "the-duel", 2, silent=2)
    for viewer in game.scopes:
        report = clock_of(verify_lines(game.record(viewer)))
        clocks.append(msgspec.structs.replace(report, recomputed=0))  # type: ignore[arg-type]
    assert all(each == clocks[0] for each in clocks)
    assert waiting_for(game.table.state) == ()
