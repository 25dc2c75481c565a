"""The text of an audit receipt, written in one way."""

import pytest

from events.transparency.audit_receipt import AuditReceipt
from events.transparency.game_head import parse_game_head
from events.transparency.signed_note import NoteRefused

RECEIPT = AuditReceipt("g-1", 474, "ab" * 32, "the-duel", 2, 1, "differs")


def test_a_receipt_has_seven_lines() -> None:
    """Each is ended by a line feed."""
    assert RECEIPT.text().splitlines(keepends=True) == [
        "fieldbook audit v1\n",
        "game g-1\n",
        "version 474\n",
        f"hash {'ab' * 32}\n",
        "system the-duel 2\n",
        "engine 1\n",
        "result differs\n",
    ]


def test_a_receipt_is_never_taken_for_a_head() -> None:
    """Both are signed by the same key; their first lines differ."""
    with pytest.raises(NoteRefused):
        parse_game_head(RECEIPT.text())
