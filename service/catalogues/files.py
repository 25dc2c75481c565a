"""Reading an operator's catalogues: a folder is taken whole or refused with everything that is wrong in it."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from events.rules.catalogues.catalogue import (
    LARGEST_FILE,
    SHIPPED,
    Catalogue,
    CatalogueInvalid,
    parse_catalogue,
)
from events.rules.catalogues.faults import Fault
from events.rules.catalogues.toml_lines import TomlLines
from events.rules.definition.playable import unplayable
from events.rules.systems import registry

MOST_FILES = 200
"""Catalogues in a folder at most."""
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")


class CataloguesRefused(Exception):
    """Catalogues cannot be used; the message says file, line and reason, a line for each thing that is wrong."""


def catalogue_files(folder: Path) -> list[Path]:
    """The files `*.toml` in a folder, in the order of their names; hidden ones are not looked at.

    Raises:
        CataloguesRefused: the folder cannot be read, or holds none.
    """
    try:
        files = sorted(
            path for path in folder.iterdir() if path.suffix == ".toml" and not path.name.startswith(".")
        )
    except OSError as error:
        raise CataloguesRefused(f"{folder}: the folder cannot be read: {error.strerror}") from error
    if not 1 <= len(files) <= MOST_FILES:
        raise CataloguesRefused(
            f"{folder}: 1 to {MOST_FILES} catalogues (*.toml) are needed, found {len(files)}"
        )
    return files


def read_files(files: Iterable[Path]) -> tuple[Catalogue, ...]:
    """The catalogues of these files, in order.

    Raises:
        CataloguesRefused: with everything that is wrong in any of them.
    """
    found: dict[str, tuple[Path, Catalogue]] = {}
    wrong: list[str] = []
    for path in files:
        try:
            content = _content(path)
            catalogue = parse_catalogue(content, str(path))
            faults = [*_faults_of_use(catalogue)]
            if catalogue.name in found:
                reason = f"{found[catalogue.name][0]} has the name {catalogue.name} already"
                faults.append(Fault(("name",), reason))
            wrong += _with_lines(faults, content, path)
            found.setdefault(catalogue.name, (path, catalogue))
        except CatalogueInvalid as invalid:
            wrong += invalid.findings
        except OSError as error:
            wrong.append(f"{path}: the file cannot be read: {error.strerror}")
    if wrong:
        raise CataloguesRefused("\n".join(wrong))
    return tuple(catalogue for _, catalogue in found.values())


def systems_for(catalogue: Catalogue) -> tuple[str, ...]:
    """The rule systems that can be played with a catalogue."""
    return tuple(
        key for key, system in registry.BY_KEY.items() if next(unplayable(system, catalogue), None) is None
    )


def _content(path: Path) -> bytes:
    """No more of a file than is needed to see that it is too large.

    Raises:
        CatalogueInvalid: it is no file, and reading it might never end.
    """
    if not path.is_file() and path.exists():
        raise CatalogueInvalid(f"{path}: this is no file")
    with path.open("rb") as file:
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise CatalogueInvalid(f"{path}: a catalogue has at most {LARGEST_FILE} bytes, not {size}")
        return file.read(LARGEST_FILE + 1)


def _faults_of_use(catalogue: Catalogue) -> Iterator[Fault]:
    """A name that cannot be asked for, and a deck with which nothing can be played, or not all that it replaces."""
    if not _NAME.fullmatch(catalogue.name):
        yield Fault(("name",), "a name is 1 to 60 small letters, digits, dots, hyphens and underscores")
    if catalogue.name in SHIPPED:
        for system in registry.BY_KEY.values():
            if system.catalogue == catalogue.name:
                yield from unplayable(system, catalogue)
    elif not systems_for(catalogue):
        for system in registry.BY_KEY.values():
            yield next(unplayable(system, catalogue))


def _with_lines(faults: Iterable[Fault], content: bytes, path: Path) -> list[str]:
    lines = TomlLines(content.decode())
    found = sorted((lines.of(fault.place), fault.reason) for fault in faults)
    return [f"{path}, line {line}: {reason}" for line, reason in found]
