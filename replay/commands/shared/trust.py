"""What somebody gives on the command line to be trusted: keys, a checkpoint and receipts, as text or in files."""

import time
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any

import click

from events.transparency.cosignature import WitnessKey
from events.transparency.signed_note import LONGEST_NOTE, NoteRefused, VerifierKey, parse_note
from replay.verification.attestations import Trust
from replay.verification.witnesses import EarlierCheckpoint


def trust_options(command: Callable[..., None]) -> Callable[..., None]:
    """The options that say what to trust; the command gets them as `trust`.

    Ends the program with status 2 where what they name cannot be read.
    """

    @wraps(command)
    def with_trust(
        *,
        keys: tuple[str, ...],
        checkpoint: str | None,
        receipts: tuple[str, ...],
        witnesses: tuple[str, ...],
        earlier: tuple[str, ...],
        **given: Any,
    ) -> None:
        if earlier and not witnesses:
            raise click.UsageError("An earlier checkpoint says when it was only by --witness KEY.")
        try:
            trust = Trust(
                keys=read_keys(keys),
                checkpoint=None if checkpoint is None else parse_note(_text(checkpoint)),
                receipts=tuple(parse_note(_text(receipt)) for receipt in receipts),
                witnesses=tuple(WitnessKey.parse(line) for each in witnesses for line in _lines(each)),
                earlier=tuple(EarlierCheckpoint.parse(_text(each)) for each in earlier),
                now=time.time_ns() // 1_000_000,
            )
        except NoteRefused as refused:
            raise click.UsageError(f"{refused}.") from refused
        command(**given, trust=trust)

    options: Callable[..., None] = with_trust
    for option in (
        click.option(
            "--earlier",
            multiple=True,
            metavar="FILE",
            help="A checkpoint that these witnesses co-signed before the game, from which a seed comes, or before "
            "it was logged; repeatable.",
        ),
        click.option(
            "--witness",
            "witnesses",
            multiple=True,
            metavar="KEY|FILE",
            help="A public key of a witness, or a file with one on each line: one of them must have co-signed the "
            "log with the game in it; repeatable.",
        ),
        click.option(
            "--receipt",
            "receipts",
            multiple=True,
            metavar="FILE",
            help="A signed head of this game, or the commitment to it, that you kept; repeatable.",
        ),
        click.option("--checkpoint", metavar="FILE", help="A checkpoint of the service's log that you kept."),
        click.option(
            "--key",
            "keys",
            multiple=True,
            metavar="KEY|FILE",
            help="A public key of the service, or a file with one key on each line; repeatable.",
        ),
    ):
        options = option(options)
    return options


def read_keys(given: Sequence[str]) -> tuple[VerifierKey, ...]:
    """The public keys that were given on the command line, as text or in files.

    Raises:
        click.UsageError: one cannot be read.
    """
    try:
        return tuple(VerifierKey.parse(line) for each in given for line in _lines(each))
    except NoteRefused as refused:
        raise click.UsageError(f"{refused}.") from refused


def _lines(given: str) -> list[str]:
    lines = [given] if "+" in given and not Path(given).exists() else _text(given).splitlines()
    return [line for line in lines if line.strip()]


def _text(path: str) -> str:
    try:
        with Path(path).open(encoding="utf-8", newline="") as file:
            return file.read(LONGEST_NOTE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path} cannot be read: {error}.") from error
