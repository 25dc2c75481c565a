"""What somebody gives on the command line to be trusted: keys, a checkpoint and receipts, as text or in files."""

from collections.abc import Iterable
from pathlib import Path

from events.transparency.signed_note import LONGEST_NOTE, NoteRefused, VerifierKey, parse_note
from replay.verification.attestations import Trust


class TrustUnreadable(Exception):
    """What was given cannot be read; the message says what and why."""


def read_trust(keys: Iterable[str], checkpoint: str | None, receipts: Iterable[str]) -> Trust:
    """Read keys (as published, or files with one a line), the file of a checkpoint and those of receipts.

    Raises:
        TrustUnreadable: a file or what it holds cannot be read.
    """
    try:
        return Trust(
            keys=tuple(key for text in keys for key in _keys(text)),
            checkpoint=None if checkpoint is None else parse_note(_text(checkpoint)),
            receipts=tuple(parse_note(_text(receipt)) for receipt in receipts),
        )
    except NoteRefused as refused:
        raise TrustUnreadable(f"{refused}.") from refused


def _keys(given: str) -> list[VerifierKey]:
    lines = [given] if "+" in given and not Path(given).exists() else _text(given).splitlines()
    return [VerifierKey.parse(line) for line in lines if line.strip()]


def _text(path: str) -> str:
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            return file.read(LONGEST_NOTE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise TrustUnreadable(f"{path} cannot be read: {error}.") from error
