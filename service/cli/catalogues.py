"""`fieldbook catalogues`: look at an operator's catalogues before the service is started with them."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from events.rules.catalogues.catalogue import SHIPPED, Catalogue, shipped_catalogue
from replay.platform.exit_status import FINDING, WRONG_USE
from replay.platform.safe_text import safe
from service.catalogues.catalogues import Catalogues
from service.catalogues.files import CataloguesRefused, catalogue_files, read_files, systems_for


@click.group()
def catalogues() -> None:
    """Check custom catalogues, and show those that games can be created with.

    Exit status: 0 fine, 1 a file that would be refused, 2 wrong use.
    """


@catalogues.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=click.Path(path_type=Path))
def check(files: tuple[Path, ...]) -> None:
    """Check files, or folders of files, exactly as the service does when it starts."""
    try:
        found = read_files(
            path for each in files for path in (catalogue_files(each) if each.is_dir() else [each])
        )
    except CataloguesRefused as refused:
        click.echo(_safe_lines(str(refused)), err=True)
        sys.exit(FINDING)
    for catalogue in found:
        click.echo(f"{catalogue.name}: fine")
        for line in _describe(catalogue):
            click.echo(f"  {line}")


@catalogues.command()
def show() -> None:
    """Show the catalogues that new games can be set up with, those of FIELDBOOK_CATALOGUES included."""
    try:
        found = Catalogues.from_environment().by_name
    except CataloguesRefused as refused:
        click.echo(_safe_lines(str(refused)), err=True)
        sys.exit(WRONG_USE)
    for catalogue in found.values():
        own = catalogue.name not in SHIPPED or catalogue.hash() != shipped_catalogue(catalogue.name).hash()
        click.echo(f"{catalogue.name}: {'your own' if own else 'shipped'}")
        for line in _describe(catalogue):
            click.echo(f"  {line}")


def _describe(catalogue: Catalogue) -> Iterator[str]:
    varieties = len({bean.variety for bean in catalogue.beans})
    bonus = f", {catalogue.bonus_total} bonus cards" if catalogue.bonus else ""
    yield safe(catalogue.title, 100)
    yield f"{catalogue.total} cards of {varieties} varieties{bonus}, for {', '.join(systems_for(catalogue))}"
    yield f"figures from: {', '.join(catalogue.kinds_of_provenance)} ({safe(catalogue.source, 300)})"
    yield f"hash {catalogue.hash()}"


def _safe_lines(text: str) -> str:
    """A text that may quote a file, safe for a terminal line by line."""
    return "\n".join(safe(line, 500) for line in text.split("\n"))
