"""`annotate import` and `annotate export`: exchange files of annotations with a service."""

from io import BytesIO
from pathlib import Path
from urllib.parse import quote

import click

from replay.annotations.files import LARGEST_FILE, read_file, write_file
from replay.annotations.on_disk import read_path, write_path
from replay.client import Fieldbook, Problem
from replay.client.annotations import GameAnnotations
from replay.client.game_address import PATIENCE, SourceUnreadable, parse_address
from replay.commands.shared.annotated import file_option, findings
from replay.commands.shared.options import CheckFailed, key_file_option, problem_exit, read_token
from replay.commands.shared.written import force_option, require_output
from replay.platform.output_file import ANNOTATIONS
from replay.platform.safe_text import safe

address_argument = click.argument("address", metavar="ADDRESS")


@click.command(name="import")
@address_argument
@file_option
@key_file_option
def import_annotations(address: str, path: str) -> None:
    """Import the sets of a file into the game at ADDRESS, such as https://host/v1/games/GAME.

    A set that the service has already is continued. Sets about another game are refused.
    """
    with findings():
        binding, book = read_path(path)
    file = b"".join(write_file(binding, book))
    try:
        added = _annotations(address).import_file(file)
    except Problem as problem:
        raise problem_exit(problem, "refused it") from problem
    for name, count in added.items():
        click.echo(f"{safe(name, 20)}: {count} new")


@click.command(name="export")
@address_argument
@file_option
@key_file_option
@force_option
def export_annotations(address: str, path: str, *, force: bool) -> None:
    """Write the sets of the game at ADDRESS that you may see to a file, or to - for standard output."""
    require_output(Path(path), ANNOTATIONS, force=force)
    try:
        file = _annotations(address).export_file()
    except Problem as problem:
        raise problem_exit(problem, "refused it") from problem
    if len(file) > LARGEST_FILE:
        raise CheckFailed(f"The service sent more than {LARGEST_FILE} bytes.")
    with findings():
        binding, book = read_file(BytesIO(file))
        write_path(path, binding, book, force=force)
    click.echo(f"{len(book.sets)} sets in {safe(path, 200)}", err=path == "-")


def _annotations(address: str) -> GameAnnotations:
    """The annotations of the game at an address; ends the program where it is no address of one."""
    try:
        game = parse_address(address)
    except SourceUnreadable as error:
        raise click.UsageError(str(error)) from error
    if game is None:
        raise click.UsageError(f"{safe(address, 200)} is not an address such as https://host/v1/games/GAME.")
    return Fieldbook(game.service, read_token(), patience=PATIENCE).annotations(quote(game.game, safe=""))
