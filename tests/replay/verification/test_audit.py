"""An audit asks the rules again about every command: those of the game's day, and today's."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from events.log.disclosure import PUBLIC
from events.rules.systems import registry as systems
from replay.verification.attestations import Trust
from replay.verification.audit import AuditReport, audit_lines
from replay.verification.verify import verify_lines
from tests.replay.commands.commands import PUBLIC as PUBLIC_FILE
from tests.replay.commands.commands import WHOLE, run
from tests.replay.verification.forging import GAME, Line, altered, entry_of, parsed, version_of, written
from tests.support import corrected_rules
from tests.support.recorded_games import RecordedGame, recorded_game
from tests.support.signing import Signer


@pytest.fixture
def corrected() -> Iterator[None]:
    """Today's rules of classic are version 2; version 1 stays callable."""
    with corrected_rules.corrected():
        yield


def differing(report: AuditReport) -> dict[str, int]:
    """For each engine, to how many commands it answers otherwise."""
    return {engine.engine: engine.differing for engine in report.engines}


@pytest.mark.parametrize("system", systems.BY_KEY)
def test_both_engines_agree_with_a_genuine_game(system: str) -> None:
    """Every command of a game in each system was asked of both."""
    game = recorded_game(7, systems.BY_KEY[system].players[0], (), 20, system=system)

    report = audit_lines(game.record())

    assert report.ok
    assert differing(report) == {"pinned": 0, "today": 0}
    assert {each.commands for each in report.engines} == {sum(bool(entry.command) for entry in game.log)}


@pytest.mark.usefixtures("corrected")
def test_a_correction_of_the_rules_is_listed_and_changes_no_verdict() -> None:
    """The game stays valid by the rules of its day; every draw would be another one today."""
    draws = [entry.version for entry in GAME.log if b'"type":"draw"' in entry.command]

    report = audit_lines(GAME.record())

    assert report.ok
    pinned, today = report.engines
    assert (pinned.system_version, pinned.differing) == (1, 0)
    assert today.system_version == 2
    assert {each.version for each in today.differences} <= set(draws)
    assert len(today.differences) > len(draws) // 2
    assert {each.command for each in today.differences} == {"draw"}
    assert "the rules answer cards_drawn" in today.differences[0].reason


@pytest.mark.usefixtures("corrected")
def test_a_game_of_the_corrected_rules_is_asked_of_them() -> None:
    """A new game pins the new version; both engines are the same then."""
    report = audit_lines(recorded_game.__wrapped__(5, 3, (), 12).record())

    assert report.ok
    assert {each.system_version for each in report.engines} == {2}


def played_by_rules_of_its_own() -> RecordedGame:
    """A game that pins version 1, by a service whose version 1 draws four cards."""
    with corrected_rules.without_version_one():
        return recorded_game.__wrapped__(5, 3, (), 12)


def test_every_command_that_was_not_played_by_the_rules_is_listed() -> None:
    """Not only the first one; verifying stops there."""
    game = played_by_rules_of_its_own()
    draws = [entry.version for entry in game.log if b'"type":"draw"' in entry.command]

    report = audit_lines(game.record())

    assert not report.ok
    assert report.verification.ok
    assert differing(report)["pinned"] == differing(report)["today"] > len(draws) // 2
    assert {each.version for each in report.engines[0].differences} <= set(draws)
    assert verify_lines(game.record()).findings[0].check == "rules"


@pytest.mark.parametrize(
    ("member", "value"), [("system_version", 9), ("engine_version", 9), ("system", "poker")]
)
def test_rules_that_are_unknown_here_are_named(member: str, value: object) -> None:
    """The version at which the game cannot be read, and what it asks for."""

    def change(lines: list[Line]) -> None:
        lines[1]["entry"]["data"][member] = value

    report = audit_lines(altered(GAME.record(), change))

    assert not report.ok
    assert report.engines == ()
    (finding,) = report.verification.findings
    assert (finding.check, finding.version) == ("pinned", 1)
    assert str(value) in finding.reason


def test_a_record_that_does_not_show_everything_cannot_be_audited() -> None:
    """The rules can only be asked about what lies open."""
    report = audit_lines(GAME.record(PUBLIC))

    assert not report.ok
    assert "scope all" in report.verification.findings[0].reason


def test_an_audit_checks_the_signature_too() -> None:
    """With the same trust as a verification."""
    trust = Trust((Signer().key,))
    assert audit_lines(GAME.record(attachments=Signer().attachments(GAME.head)), trust).ok
    assert not audit_lines(GAME.record(), trust).ok


def test_a_broken_record_is_a_finding() -> None:
    """An unreadable header, a changed entry, a command written in another way."""
    lines = parsed(GAME.record())
    lines[5]["entry"]["at"] += 1

    def reworded(lines: list[Line]) -> None:
        planted = lines[version_of("bean_planted")]["entry"]
        planted["command"]["miss"] = None

    assert not audit_lines([b"nonsense"]).ok
    assert audit_lines(written(lines)).verification.findings[0].version == 5
    assert not audit_lines(altered(GAME.record(), reworded)).ok


def test_the_command_lists_what_each_engine_says() -> None:
    """Status 0 for a game that was played by its rules; as text and as JSON."""
    text, machine = run("audit", WHOLE), run("audit", WHOLE, "--json")

    assert text.returncode == machine.returncode == 0
    assert "pinned rules (rules version 1, engine version 1):" in text.stdout
    report = json.loads(machine.stdout)
    assert report["ok"] is True
    assert [each["engine"] for each in report["engines"]] == ["pinned", "today"]


def test_the_command_ends_with_1_where_something_differs(tmp_path: Path) -> None:
    """And names command and version."""
    path = tmp_path / "lax.ndjson"
    path.write_bytes(b"".join(played_by_rules_of_its_own().record()))

    assert run("audit", PUBLIC_FILE).returncode == 1
    answer = run("audit", path)
    assert answer.returncode == 1
    assert "draw: the rules answer cards_drawn" in answer.stdout


def test_a_table_that_no_game_comes_to_is_a_difference() -> None:
    """After a forged phase the rules cannot be asked any more, and the audit says so instead of breaking off."""

    def change(lines: list[Line]) -> None:
        entry_of(lines, "phase_began", 2)["entry"]["data"]["phase"] = "nowhere"

    report = audit_lines(altered(GAME.record(), change))

    assert not report.ok
    reasons = [each.reason for engine in report.engines for each in engine.differences]
    assert any("cannot be asked on this table" in reason for reason in reasons)
