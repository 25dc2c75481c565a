"""Times never decrease: both verifiers check that, in every scope.

And a commitment is not younger than its game.
"""

from contextlib import nullcontext
from dataclasses import replace

import pytest

from events import commands as c
from events.game.record import header_for, write_record
from events.game.table import Table, new_table
from events.log.disclosure import ALL, PUBLIC, form_for
from events.log.recorded import RecordedEvent
from events.rules.catalogues.catalogue import shipped_catalogue
from events.rules.move import HOST
from events.transparency.game_commitment import GameCommitment
from events.transparency.signed_note import parse_note
from replay.records.report import Discrepancy
from replay.verification.attestations import AttestationChecks, Trust
from replay.verification.verify import Verifier, verify_lines
from tests.support.second_verifier import SecondVerifier
from tests.support.signing import Signer
from tests.support.tables import SECRET, STARTED


def opened(committed_at: int | None = None) -> tuple[Table, list[RecordedEvent]]:
    """A game in which nobody sits yet."""
    return new_table(
        "game",
        "classic",
        3,
        options={},
        catalogue=shipped_catalogue("bohnanza-104"),
        secret=SECRET,
        at=STARTED,
        committed_at=committed_at,
    )


def game() -> tuple[Table, list[RecordedEvent]]:
    """A game whose third message arrived before the second one, by the clock of another machine."""
    table, log = opened()
    for seat in range(3):
        taking = c.TakeSeat(seat, f"player {seat}", "human", seed=f"seed-{seat}")
        table, entries = table.submit(HOST, taking, STARTED)
        log += entries
    for later in (10, 30, 20):
        table, entries = table.submit(0, c.Say("hello"), STARTED + later)
        log += entries
    return table, log


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 0])
def test_times_that_go_back_do_not_verify(second_verifier: SecondVerifier, viewer: int) -> None:
    """docs/record-format.md, `at`: both verifiers report the entry whose time is before that of the one before it."""
    table, log = game()
    forms = [form_for(entry, table.key, viewer) for entry in log]
    record = b"".join(write_record(header_for(table, viewer), forms))

    (finding,) = verify_lines(record.splitlines(keepends=True)).findings
    (other,) = second_verifier.report(record)["findings"]

    assert (finding.check, finding.version) == ("shape", table.version)
    assert "lies before" in finding.reason
    assert (other["check"], other["version"]) == ("shape", table.version)


def test_no_commitment_was_given_out_after_its_game(second_verifier: SecondVerifier) -> None:
    """docs/record-format.md, Dealing: what `committed_at` says lies at or before the first entry."""
    for committed_at, is_good in ((STARTED, True), (0, True), (STARTED + 1, False)):
        table, log = opened(committed_at)
        record = b"".join(
            write_record(header_for(table, ALL), [form_for(each, table.key, ALL) for each in log])
        )
        report, second = verify_lines(record.splitlines(keepends=True)), second_verifier.report(record)
        assert report.ok is second["ok"] is is_good
        assert [(each.check, each.version) for each in report.findings] == [("shape", 1)] * (not is_good)
        assert [(each["check"], each["version"]) for each in second["findings"]] == [("shape", 1)] * (
            not is_good
        )


def test_a_game_with_another_commitment_than_was_given_out_does_not_verify() -> None:
    """A signed commitment is a receipt: it is about one game, came before it, and names its secret's hash."""
    table, log = game()
    first = next(Verifier(header_for(table, PUBLIC)).iterate_verified([form_for(log[0], table.key, PUBLIC)]))
    signer = Signer()
    good = GameCommitment("game", table.state.commitment, STARTED)
    for promised, reason in (
        (good, ""),
        (replace(good, commitment="0" * 64), "another commitment"),
        (replace(good, at=STARTED + 1), "after the game was set up"),
        (replace(good, game="other"), "about the game other"),
    ):
        checks = AttestationChecks(Trust(receipts=(parse_note(signer.signed(promised)),)))
        with nullcontext() if not reason else pytest.raises(Discrepancy, match=reason):
            checks.begin("game")
            checks.follow(first)
        assert checks.has_shown is not bool(reason)
