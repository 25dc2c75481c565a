"""`annotate import` and `annotate export`: files of annotations to a service, and from it."""

import os
import re
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import click

from replay.annotations.files import LARGEST_FILE, read_file, write_file
from replay.annotations.on_disk import read_path, write_path
from replay.client import Fieldbook, Problem, Unreachable
from replay.client.annotations import GameAnnotations
from replay.commands.annotated import Finding, findings
from replay.safe_text import safe

PATIENCE: Final = 15.0
_PATH: Final = re.compile(r"(?P<base>.*?)/(?:v1/)?games/(?P<game>[A-Za-z0-9_-]{1,64})/?")
address_argument = click.argument("address", metavar="ADDRESS")
file_option = click.option("--file", "path", required=True, metavar="FILE", help="The file of annotations.")
key_option = click.option(
    "--key-file", metavar="FILE", help="Holds your key, or your seat's token; else FIELDBOOK_KEY does."
)


@click.command(name="import")
@address_argument
@file_option
@key_option
def import_annotations(address: str, path: str, key_file: str | None) -> None:
    """Bring the sets of a file to the game at ADDRESS, such as https://host/v1/games/GAME.

    A set that is there already goes on where it ends. Sets about another game are refused.
    """
    with findings():
        binding, book = read_path(path)
    file = b"".join(write_file(binding, book))
    try:
        added = _game(address, key_file).take_over(file)
    except Problem as problem:
        raise _failed(problem) from problem
    for name, count in added.items():
        click.echo(f"{safe(name, 20)}: {count} new")


@click.command(name="export")
@address_argument
@file_option
@key_option
def export_annotations(address: str, path: str, key_file: str | None) -> None:
    """Write the sets that you may see of the game at ADDRESS into a file, or to - for standard output."""
    try:
        file = _game(address, key_file).exported()
    except Problem as problem:
        raise _failed(problem) from problem
    if len(file) > LARGEST_FILE:
        raise Finding(f"The service sent more than {LARGEST_FILE} bytes.")
    with findings():
        binding, book = read_file(file.splitlines(keepends=True))
        if path == "-":
            sys.stdout.buffer.writelines(write_file(binding, book))
            return
        write_path(path, binding, book)
    click.echo(f"{len(book.sets)} sets in {safe(path, 200)}")


def _game(address: str, key_file: str | None) -> GameAnnotations:
    parts = urlsplit(address)
    named = _PATH.fullmatch(parts.path)
    if parts.scheme not in {"http", "https"} or not parts.hostname or named is None:
        raise click.UsageError(f"{safe(address, 200)} is no address such as https://host/v1/games/GAME.")
    token = os.environ.get("FIELDBOOK_KEY")
    if key_file is not None:
        try:
            token = Path(key_file).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise click.UsageError(f"{safe(key_file, 200)} cannot be read.") from error
    service = f"{parts.scheme}://{parts.netloc}{named['base']}"
    return Fieldbook(service, token, patience=PATIENCE).annotations(named["game"])


def _failed(problem: Problem) -> click.ClickException:
    """Status 1 where the service refuses what the file holds, 2 where it cannot be asked."""
    text = f"The service refused it ({problem.status} {safe(problem.code, 60)}): {safe(problem.detail, 300)}"
    is_content = problem.status in {409, 422} and not isinstance(problem, Unreachable)
    return Finding(text) if is_content else click.UsageError(text)
