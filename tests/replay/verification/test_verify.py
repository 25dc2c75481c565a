"""What a verification accepts, and what its report says."""

from collections.abc import Iterator

import msgspec
import pytest

from events.game.record import FORMAT, Header
from events.log.disclosure import ALL, PUBLIC, Form, form_for, viewer_name
from replay.records.report import CHECKS, Report
from replay.verification.verify import verify, verify_lines
from tests.support.recorded_games import recorded_game

STRICT = (("bean_protection", "strict"), ("start_seat", "random"))
VIEWERS = (ALL, PUBLIC, 0, 1, 2, 3)


@pytest.mark.parametrize("viewer", VIEWERS, ids=viewer_name)
def test_a_genuine_record_verifies_in_every_scope(viewer: int) -> None:
    """Spectator, seat and auditor all find nothing wrong with a genuine game."""
    game = recorded_game(5, 4, STRICT, 12)

    report = verify_lines(game.record(viewer))

    assert report.ok
    assert report.findings == ()


@pytest.mark.parametrize("viewer", VIEWERS, ids=viewer_name)
def test_every_beginning_of_a_game_verifies(viewer: int) -> None:
    """A record asked for in the middle of a game verifies: after each command, before the secret is open."""
    game = recorded_game(5, 4, STRICT, 12, stop_at=150)
    ends = [entry.version - 1 for entry in game.log if entry.command and entry.actor != "dealer"]

    reports = [verify_lines(game.record(viewer, to)) for to in ends[1::9]]

    assert [report.findings for report in reports] == [()] * len(reports)
    assert {report.status for report in reports} == {"open", "running"}


def test_the_report_names_game_system_head_and_result() -> None:
    """The report says what was verified and how it came out."""
    game = recorded_game(5, 4, STRICT, 12)
    result = game.table.state.result

    report = verify_lines(game.record())

    assert result is not None
    assert (report.game, report.scope, report.system) == ("game-5", "all", "classic")
    assert (report.system_version, report.engine_version) == (1, 1)
    assert (report.entries, report.head) == (len(game.log), game.table.hash)
    assert (report.scores, report.winners, report.reason) == (result.scores, result.winners, result.reason)
    assert report.status == "finished"
    assert not report.stopped_early


def test_a_whole_record_undergoes_every_check() -> None:
    """With everything open, each check is made, the costly ones on every entry."""
    game = recorded_game(5, 4, STRICT, 12)

    report = verify_lines(game.record())

    assert [*report.checks, "annotations", "signature", "log"] == [each for each in CHECKS if each != "clock"]
    for name in ("record", "shape", "chain", "commands", "rules", "state", "cards"):
        assert report.checks[name] == len(game.log)


def test_a_narrow_record_still_proves_the_deal() -> None:
    """With the secret a spectator can check every shuffle and every card that was dealt, without seeing a hand."""
    game = recorded_game(5, 4, STRICT, 12)

    report = verify_lines(game.record(PUBLIC))

    assert not {"rules", "state"} & report.checks.keys()
    assert report.checks["shuffles"] == verify_lines(game.record()).checks["shuffles"]


def test_forms_are_asked_for_one_at_a_time() -> None:
    """A verification streams: it does not need the forms that follow a finding."""
    game = recorded_game(5, 4, STRICT, 12)
    header = Header(FORMAT, "game-5", "all", game.table.rules.catalogue)
    asked = []

    def forms() -> Iterator[Form]:
        for entry in game.log:
            asked.append(entry.version)
            form = form_for(entry, game.table.key, ALL)
            yield msgspec.structs.replace(form, hash="0" * 64) if entry.version == 20 else form

    report = verify(header, forms())

    assert [(finding.check, finding.version) for finding in report.findings] == [("chain", 20)]
    assert asked == list(range(1, 21))
    assert (report.entries, report.stopped_early) == (19, True)


def test_an_error_of_the_source_is_no_finding() -> None:
    """When the store fails while forms are read, that error comes out: it says nothing about the game."""
    game = recorded_game(5, 4, STRICT, 12)
    header = Header(FORMAT, "game-5", "all", game.table.rules.catalogue)

    def forms() -> Iterator[Form]:
        yield form_for(game.log[0], game.table.key, ALL)
        raise ConnectionError("the store is gone")

    with pytest.raises(ConnectionError):
        verify(header, forms())


def test_a_report_is_json() -> None:
    """A report can be stored and read back."""
    report = verify_lines(recorded_game(5, 4, STRICT, 12).record()[:40])

    encoded = msgspec.json.encode(report)

    assert msgspec.json.decode(encoded, type=Report) == report
    assert msgspec.json.decode(encoded)["findings"][0]["version"] == 40


def test_every_check_is_described() -> None:
    """A finding names one of the checks that the report explains."""
    report = verify_lines([b"nonsense"])

    assert {finding.check for finding in report.findings} <= set(CHECKS)
