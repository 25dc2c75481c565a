"""What somebody gives on the command line to be trusted: keys, a checkpoint and receipts, as text or in files."""

import os
import time
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from events.transparency.cosignature import WitnessKey
from events.transparency.key_rotation import follow_rotations
from events.transparency.signed_note import LONGEST_NOTE, NoteRefused, VerifierKey, parse_note
from replay.platform.safe_text import reason_of
from replay.verification.attestations import Trust
from replay.verification.witnesses import EarlierCheckpoint

_BLANKS = " \t\r"
_Key = TypeVar("_Key")


signing_keys_option = click.option(
    "--signing-keys",
    metavar="FILE",
    help="The answer of the service's /v1/signing-keys: keys that follow from those of --key count as well.",
)


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
        signing_keys: str | None,
        **given: Any,
    ) -> None:
        if earlier and not witnesses:
            raise click.UsageError("An earlier checkpoint says when it was only by --witness KEY.")
        try:
            trust = Trust(
                keys=read_keys(keys, signing_keys),
                checkpoint=None if checkpoint is None else parse_note(_read_note(checkpoint)),
                receipts=tuple(parse_note(_read_note(receipt)) for receipt in receipts),
                witnesses=_parse_keys(witnesses, WitnessKey.parse),
                earlier=tuple(EarlierCheckpoint.parse(_read_note(each)) for each in earlier),
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
        signing_keys_option,
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


def read_keys(given: Sequence[str], signing_keys: str | None = None) -> tuple[VerifierKey, ...]:
    """Return the public keys given on the command line, as text or in files, and those that they have endorsed.

    `signing_keys` is a file with the answer of `/v1/signing-keys`.

    Raises:
        click.UsageError: a key or file is unreadable, or a file holds no key.
    """
    if signing_keys is not None and not given:
        raise click.UsageError(
            "--signing-keys names keys that follow from one you trust: name that with --key."
        )
    try:
        keys = _parse_keys(given, VerifierKey.parse)
        return keys if signing_keys is None else follow_rotations(keys, _read_published(signing_keys))
    except NoteRefused as refused:
        raise click.UsageError(f"{refused}.") from refused


def _parse_keys(given: Sequence[str], parse: Callable[[str], _Key]) -> tuple[_Key, ...]:
    """Parse the keys of each argument; an argument without a key would demand nothing, so it is refused."""
    found: list[_Key] = []
    for argument in given:
        is_text = "+" in argument and not os.path.exists(argument)  # noqa: PTH110 - False for an overlong name
        lines = [line.strip(_BLANKS) for line in (argument if is_text else _read_text(argument)).split("\n")]
        keys = [parse(line) for line in lines if line]
        if not keys:
            raise click.UsageError(f"{argument} holds no key. Expected one public key on each line.")
        found += keys
    return tuple(found)


class _Published(msgspec.Struct):
    key: str
    endorsement: str = ""


class _SigningKeys(msgspec.Struct):
    keys: tuple[_Published, ...]


def _read_published(path: str) -> list[tuple[str, str]]:
    """Return the keys of an answer of `/v1/signing-keys`, each with its endorsement."""
    try:
        found = msgspec.json.decode(_read_text(path), type=_SigningKeys)
    except (msgspec.DecodeError, RecursionError) as error:
        raise click.UsageError(f"{path} is not an answer of /v1/signing-keys: {error}.") from error
    return [(each.key, each.endorsement) for each in found.keys]


def _read_note(path: str) -> str:
    """Return a signed note as it was sent: blank lines and blanks after its last line are left out."""
    return _read_text(path).rstrip(_BLANKS + "\n") + "\n"


def _read_text(path: str) -> str:
    """Return the text of a file, without a byte order mark and with line feeds as line ends."""
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            text = file.read(LONGEST_NOTE + 1)
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{path} cannot be read: {reason_of(error)}.") from error
    if len(text) > LONGEST_NOTE:
        raise click.UsageError(f"{path} is too long: it has more than {LONGEST_NOTE} characters.")
    return text.replace("\r\n", "\n")
