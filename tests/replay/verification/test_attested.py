"""Signatures, the log and what a reader kept: who swaps a game is caught, whatever else fits together."""

from pathlib import Path

import msgspec
import pytest

from events.game.record import Attachment
from events.log.disclosure import ALL, PUBLIC, viewer_name
from events.transparency.game_head import GameHead
from events.transparency.signed_note import Note, parse_note
from replay.records.report import Report
from replay.verification.attestations import Trust
from replay.verification.verify import verify_lines
from tests.replay.commands.commands import run
from tests.replay.verification.forging import GAME, parsed, written
from tests.support.recorded_games import RecordedGame, recorded_game
from tests.support.signing import Signer

OTHER_GAME = GameHead("another", 7, "ab" * 32, "finished")
REPLAYED = recorded_game(6, 4, (("bean_protection", "strict"), ("start_seat", "random")), 12)


def logged(game: RecordedGame = GAME, *, before: int = 3, after: int = 4) -> tuple[Signer, int]:
    """A service that logged the game among others; with the game's index."""
    signer = Signer()
    for _ in range(before):
        signer.log(OTHER_GAME)
    index = signer.log(game.head)
    for _ in range(after):
        signer.log(OTHER_GAME)
    return signer, index


def finding(report: Report) -> tuple[str, str]:
    """The check that does not hold, and why."""
    assert not report.ok
    return report.findings[0].check, report.findings[0].reason


@pytest.mark.parametrize("viewer", [ALL, PUBLIC, 1], ids=viewer_name)
def test_a_signed_and_logged_record_verifies_against_the_trusted_key(viewer: int) -> None:
    """In every scope, since all have the same chain; the report says who signed and where it was logged."""
    signer, index = logged()

    report = verify_lines(
        GAME.record(viewer, None, signer.attachments(GAME.head, index)), Trust((signer.key,))
    )

    assert report.ok
    assert (report.signed_by, report.trusted, report.logged) == (str(signer.key), True, "entry 3 of 8")
    assert (report.checks["signature"], report.checks["log"]) == (1, 1)


def test_without_trusted_keys_the_attached_one_is_used_and_said_so() -> None:
    """It finds accidents; it can't say who signed."""
    report = verify_lines(GAME.record(attachments=Signer().attachments(GAME.head)))

    assert report.ok
    assert not report.trusted
    assert report.signed_by == str(Signer().key)


def test_a_record_without_a_signature_does_not_satisfy_a_reader_who_asks_for_one() -> None:
    """Taking the signature away is noticed by whoever trusts a key."""
    assert finding(verify_lines(GAME.record(), Trust((Signer().key,)))) == (
        "signature",
        "the record is not signed",
    )


def test_a_foreign_signature_is_found() -> None:
    """Signed by another key of the same name, with that key attached: not by the one that is trusted."""
    record = GAME.record(attachments=Signer(2).attachments(GAME.head))

    check, reason = finding(verify_lines(record, Trust((Signer().key,))))

    assert check == "signature"
    assert "none of the keys given" in reason


def test_a_signature_on_another_head_is_found() -> None:
    """The signature of another game, or of an earlier version, is not one of this record."""
    for other in (OTHER_GAME, GameHead(GAME.head.game, 5, GAME.head.hash, "running")):
        record = GAME.record(attachments=Signer().attachments(other))
        assert finding(verify_lines(record))[1] == "what is signed is not the head of this record"


def test_a_record_cut_off_between_commands_does_not_fit_its_signature() -> None:
    """With a new end it would read like the beginning of a game."""
    end = [entry.version for entry in GAME.log if entry.command and entry.actor != "dealer"][20] - 1

    assert verify_lines(GAME.record(to=end)).ok
    assert not verify_lines(GAME.record(to=end, attachments=Signer().attachments(GAME.head))).ok


def test_a_receipt_kept_from_a_running_game_lies_on_the_chain() -> None:
    """Receipts of several versions, in a record of the finished game."""
    signer = Signer()
    receipts = tuple(
        parse_note(signer.signed(GameHead(GAME.table.game, entry.version, entry.hash, "running")))
        for entry in GAME.log[20:200:30]
    )

    report = verify_lines(
        GAME.record(attachments=signer.attachments(GAME.head)), Trust((signer.key,), None, receipts)
    )

    assert report.ok
    assert report.checks["signature"] == len(receipts) + 1


def receipt(head: GameHead, signer: Signer | None = None) -> Note:
    """A receipt as somebody kept it."""
    return parse_note((signer or Signer()).signed(head))


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        (GameHead("game-5", 30, "ab" * 32, "running"), "names the chain hash abababab"),
        (GameHead("game-5", 9999, "ab" * 32, "running"), "ends before version 9999"),
        (GameHead("another", 30, "ab" * 32, "running"), "about the game another"),
    ],
)
def test_a_receipt_that_the_chain_does_not_pass_is_found(kept: GameHead, reason: str) -> None:
    """Another hash at that version, a record that ends earlier, another game."""
    assert reason in finding(verify_lines(GAME.record(), Trust((), None, (receipt(kept),))))[1]


def test_a_receipt_signed_by_nobody_trusted_proves_nothing() -> None:
    """And two that contradict each other prove that the service lied."""
    head = GameHead("game-5", 30, GAME.log[29].hash, "running")
    lying = GameHead("game-5", 30, "ab" * 32, "running")
    assert (
        "none of the keys"
        in finding(verify_lines(GAME.record(), Trust((Signer().key,), None, (receipt(head, Signer(2)),))))[1]
    )
    assert (
        "two receipts"
        in finding(verify_lines(GAME.record(), Trust((), None, (receipt(head), receipt(lying)))))[1]
    )


def test_a_kept_checkpoint_shows_that_the_log_only_grew() -> None:
    """The checkpoint of a day after the game, the record of much later."""
    signer, index = logged()
    kept = signer.kept()
    for _ in range(9):
        signer.log(OTHER_GAME)

    record = GAME.record(attachments=signer.attachments(GAME.head, index, since=8))
    report = verify_lines(record, Trust((signer.key,), kept))

    assert report.ok
    assert report.checks["log"] == 2
    same_day, index = logged()
    assert verify_lines(
        GAME.record(attachments=same_day.attachments(GAME.head, index)), Trust((signer.key,), kept)
    ).ok


def rewritten(grown: int) -> tuple[Signer, list[bytes]]:
    """An operator's log in which another game stands in the place of the one that was played, signed anew."""
    signer, index = logged(REPLAYED)
    signer.heads += [OTHER_GAME.text()] * grown
    return signer, REPLAYED.record(
        attachments=signer.attachments(REPLAYED.head, index, since=8 if grown else 0)
    )


@pytest.mark.parametrize(("grown", "reason"), [(0, "two different states of 8"), (5, "does not begin with")])
def test_an_operator_who_rewrites_a_finished_game_is_caught_by_a_kept_checkpoint(
    grown: int, reason: str
) -> None:
    """New chain, new signature, new log, all consistent; only the kept checkpoint knows better."""
    kept = logged()[0].kept()
    signer, record = rewritten(grown)

    assert verify_lines(record, Trust((signer.key,))).ok
    check, found = finding(verify_lines(record, Trust((signer.key,), kept)))

    assert check == "log"
    assert reason in found


def test_a_game_that_was_logged_again_later_is_caught_by_a_kept_checkpoint() -> None:
    """The log only grew, but the rewritten game was not in it when the checkpoint was made."""
    signer, _ = logged()
    kept = signer.kept()
    index = signer.log(REPLAYED.head)

    record = REPLAYED.record(attachments=signer.attachments(REPLAYED.head, index, since=8))

    assert verify_lines(record, Trust((signer.key,))).ok
    assert "after the checkpoint of 8" in finding(verify_lines(record, Trust((signer.key,), kept)))[1]


def test_a_record_that_cannot_answer_a_kept_checkpoint_is_refused() -> None:
    """No proof, no consistency proof, a checkpoint of another log."""
    signer, index = logged()
    trust = Trust((signer.key,), logged(after=9)[0].kept())
    strange = Trust((signer.key, Signer(2, "elsewhere").key), Signer(2, "elsewhere").kept())

    assert (
        "no proof" in finding(verify_lines(GAME.record(attachments=signer.attachments(GAME.head)), trust))[1]
    )
    proven = GAME.record(attachments=signer.attachments(GAME.head, index))
    assert "no consistency proof from 8 to 13" in finding(verify_lines(proven, trust))[1]
    assert "of the log elsewhere" in finding(verify_lines(proven, strange))[1]


def test_a_proof_of_another_head_is_found() -> None:
    """An entry of the log, but not this game's."""
    signer, _ = logged()

    assert (
        "not entry 2" in finding(verify_lines(GAME.record(attachments=signer.attachments(GAME.head, 2))))[1]
    )


@pytest.mark.parametrize("kind", ["key", "head", "inclusion", "consistency"])
def test_attachments_that_make_no_sense_are_findings(kind: str) -> None:
    """Nothing in them makes a verification fail."""
    signer, index = logged()
    kept = signer.kept()
    signer.log(OTHER_GAME)
    attachments = signer.attachments(GAME.head, index, since=8)
    for content in ("", "nonsense", "\n\n— a b\n", "\u0000", "x" * 200_000):
        changed = [
            msgspec.structs.replace(each, content=content) if each.attached == kind else each
            for each in attachments
        ]
        assert not verify_lines(GAME.record(attachments=changed), Trust((), kept)).ok


def test_taking_an_attachment_away_or_moving_it_is_noticed() -> None:
    """The header says what is attached, and in which order."""
    signer, index = logged()
    record = GAME.record(attachments=signer.attachments(GAME.head, index))
    for changed in (
        [*record[:-3], *record[-2:]],
        [*record[:-3], record[-2], record[-3], record[-1]],
        [*record[:-4], record[-2], record[-4], record[-3], record[-1]],
        [*record[:-1], record[-2], record[-1]],
        [record[0], record[-2], *record[1:-2], record[-1]],
        [*record, record[-2]],
    ):
        assert finding(verify_lines(changed))[0] == "record"


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("attached", ["beans"]),
        ("attached", ["head", "key"]),
        ("secret", "ab" * 32),
        ("secret", "x"),
        ("secret", ""),
    ],
)
def test_a_header_that_says_something_else_is_found(member: str, value: object) -> None:
    """Unknown kinds, another order, another secret, or one that is named and empty."""
    lines = parsed(GAME.record())
    lines[0][member] = value

    assert not verify_lines(written(lines)).ok


def test_a_header_that_does_not_name_the_secret_is_found() -> None:
    """It names what the last entry opens, so that one reading suffices, in any scope and within bounds."""
    lines = parsed(GAME.record())
    del lines[0]["secret"]

    check, reason = finding(verify_lines(written(lines)))

    assert (check, reason) == ("commitments", "the header does not name the secret that this entry opens")


def test_an_attached_key_must_have_signed_the_head() -> None:
    """A reader who trusts keys uses none that is attached, but a record that shows a strange key is not as it was."""
    attached = [Attachment("key", str(Signer(2).key)), *Signer().attachments(GAME.head)[1:]]
    trust = Trust((Signer().key,))

    assert finding(verify_lines(GAME.record(attachments=attached), trust))[0] == "signature"


def test_an_attached_key_is_written_in_one_way() -> None:
    """White space around it would be forgiven on a command line, not in a record."""
    attached = [Attachment("key", f"{Signer().key}\n"), *Signer().attachments(GAME.head)[1:]]

    assert finding(verify_lines(GAME.record(attachments=attached)))[0] == "signature"


def test_nothing_extra_stands_in_an_attached_proof() -> None:
    """C2SP allows a line of other data in a proof; nobody vouches for it, so a record has none."""
    signer = Signer()
    attached = signer.attachments(GAME.head, signer.log(GAME.head))
    extra = attached[2].content.replace("index", "extra AAAA\nindex")

    record = GAME.record(attachments=[*attached[:2], Attachment("inclusion", extra)])

    assert "nothing extra" in finding(verify_lines(record))[1]


def test_a_header_must_not_open_a_secret_before_the_game_does() -> None:
    """In a running game the secret is the dealer's alone."""
    lines = parsed(recorded_game(5, 4, (), 12, stop_at=60).record())
    lines[0]["secret"] = recorded_game(5, 4, (), 12).table.secret

    assert finding(verify_lines(written(lines)))[1] == "the header holds a secret that no entry opens"


def test_attachments_are_bounded() -> None:
    """A record is hostile input."""
    record = GAME.record(attachments=[Attachment("head", "x" * 900_000)] * 12)

    assert "bytes are attached" in finding(verify_lines(record))[1]


@pytest.fixture
def kept(tmp_path: Path) -> dict[str, Path]:
    """The files that somebody has: a signed record, the published key, a checkpoint and a receipt."""
    signer, index = logged()
    files = {
        "record": b"".join(GAME.record(attachments=signer.attachments(GAME.head, index))),
        "keys": f"{Signer(2).key}\n{signer.key}\n".encode(),
        "checkpoint": signer.checkpoint().encode(),
        "receipt": signer.signed(GameHead("game-5", 30, GAME.log[29].hash, "running")).encode(),
        "broken": b"beans",
    }
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in files}


def test_the_command_takes_what_its_reader_trusts(kept: dict[str, Path]) -> None:
    """A key as text or in a file, a checkpoint, a receipt."""
    trust = ("--checkpoint", str(kept["checkpoint"]), "--receipt", str(kept["receipt"]))
    for key in (str(Signer().key), str(kept["keys"])):
        answer = run("verify", kept["record"], "--key", key, *trust)
        assert answer.returncode == 0, answer.stdout + answer.stderr
        assert f"signed by     {Signer().key}\n" in answer.stdout
        assert "in the log    entry 3 of 8 entries" in answer.stdout
    assert "attached, not one of yours" in run("verify", kept["record"]).stdout
    assert run("verify", kept["record"], "--key", str(Signer(2).key)).returncode == 1


@pytest.mark.parametrize(
    "option",
    [("--key", "broken"), ("--key", "missing"), ("--checkpoint", "broken"), ("--receipt", "missing")],
)
def test_the_command_refuses_trust_that_cannot_be_read(
    kept: dict[str, Path], option: tuple[str, str]
) -> None:
    """That is wrong use, with status 2, and nothing that the record did."""
    name, file = option
    answer = run("verify", kept["record"], name, str(kept["record"].parent / file))

    assert answer.returncode == 2
    assert answer.stderr
    assert "Traceback" not in answer.stderr
