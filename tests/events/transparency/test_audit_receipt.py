"""The text of an audit receipt: written in one way, and nothing else is read as one."""

import pytest

from events.transparency.audit_receipt import AuditReceipt, parse_audit_receipt
from events.transparency.game_head import GameHead, parse_game_head
from events.transparency.signed_note import NoteRefused

RECEIPT = AuditReceipt("g-1", 474, "ab" * 32, "the-duel", 2, 1, "differs")


@pytest.mark.parametrize("result", ["agrees", "differs", "invalid"])
@pytest.mark.parametrize("rules", [("classic", 1), ("unknown", 0)])
def test_a_receipt_is_read_as_it_was_written(result: str, rules: tuple[str, int]) -> None:
    """Seven lines, each ended by a line feed."""
    receipt = AuditReceipt("g-1", 474, "ab" * 32, *rules, 1, result)

    assert parse_audit_receipt(receipt.text()) == receipt
    assert receipt.text().count("\n") == 7


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("audit v1", "audit v2"),
        ("g-1", "g 1"),
        ("version 474", "version 0474"),
        ("ab", "AB"),
        ("the-duel 2", "the-duel"),
        ("the-duel 2", "the-duel 02"),
        ("engine 1", "engine 0"),
        ("differs", "agreed"),
        ("differs\n", "differs"),
        ("differs\n", "differs\nmore\n"),
    ],
)
def test_another_text_is_refused(old: str, new: str) -> None:
    """There is no second way to say the same."""
    text = RECEIPT.text()
    assert old in text

    with pytest.raises(NoteRefused, match="no audit receipt"):
        parse_audit_receipt(text.replace(old, new, 1))


def test_a_receipt_and_a_head_are_never_taken_for_each_other() -> None:
    """Both are signed by the same key; their first lines differ."""
    with pytest.raises(NoteRefused):
        parse_audit_receipt(GameHead("g-1", 474, "ab" * 32, "finished").text())
    with pytest.raises(NoteRefused):
        parse_game_head(RECEIPT.text())
