"""`evidence`: what an arbiter reads before ruling, worked out from the whole record."""

import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from replay.commands.reading import end, timeline_of
from replay.evidence import (
    Dispute,
    EvidencePack,
    NotWhole,
    html_of,
    markdown_of,
    pack_bytes,
    pack_hash,
    pack_of,
    read_pack,
    rebuilt,
    text_of,
)
from replay.options import FINDING, example, files, record_argument
from replay.safe_text import safe_json
from replay.timeline import Timeline

_FORMATS: Final = {"text": text_of, "markdown": markdown_of, "html": html_of}


@click.command(
    epilog=example(
        "fieldbook replay evidence game.ndjson --version 123 --reason not_agreed",
        "fieldbook replay evidence game.ndjson --version 123 --format html > evidence.html",
        "fieldbook replay evidence game.ndjson --check pack.json",
    )
)
@record_argument
@click.option("--version", type=click.IntRange(min=1), help="The version that is disputed.")
@click.option("--reason", default="", help="What the dispute is about, such as not_agreed.")
@click.option("--text", default="", help="What is said of it.")
@click.option(
    "--format", "name", type=click.Choice([*_FORMATS, "json"]), default="text", help="What to write."
)
@click.option(
    "--check",
    "pack",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="PACK",
    shell_complete=files,
    help="A pack as JSON: build it again from this record, and compare every byte.",
)
def evidence(
    record: str, version: int | None, reason: str, text: str, name: str, *, pack: Path | None
) -> None:
    """Put together what the log says about one version: an evidence pack.

    It shows the entry, the tables before and after it from every perspective, what happened around
    it, the time used, what the verifier says, and where the game could go back to. It needs a
    record of the scope all. With --check a pack that a service made is held against the record.
    """
    if (version is None) == (pack is None):
        raise click.UsageError("Say which --version is disputed, or which pack to --check.")
    timeline = timeline_of(record, None)
    try:
        if pack is not None:
            _check(timeline, pack)
            return
        found = pack_of(
            timeline,
            Dispute(version=version or 0, reason=reason, text=text),
            annotations=timeline.recording.annotations.standing,
        )
    except NotWhole as error:
        raise click.UsageError(f"{error}.") from error
    _put(found, name)
    end(timeline)


def _put(pack: EvidencePack, name: str) -> None:
    """Print a pack; as JSON it is exactly what its hash is over, where no terminal would obey it."""
    if name in _FORMATS:
        click.echo(_FORMATS[name](pack), nl=False)
    elif sys.stdout.isatty():
        click.echo(safe_json(pack_bytes(pack)))
    else:
        click.echo(pack_bytes(pack), nl=False)


def _check(timeline: Timeline, path: Path) -> None:
    """Say whether a pack is what this record gives; ends the program with a finding where it is not."""
    content = path.read_bytes()
    try:
        given = read_pack(content)
    except (msgspec.DecodeError, RecursionError) as error:
        raise click.UsageError(f"{path} is no evidence pack: {error}.") from error
    made = pack_bytes(rebuilt(timeline, given))
    if made == content:
        click.echo(f"{given.game}, version {given.dispute.version}: the pack says what the record says")
        click.echo(f"SHA-256 {pack_hash(content)}")
        return
    click.echo("The pack does NOT say what the record says.", err=True)
    sys.exit(FINDING)
