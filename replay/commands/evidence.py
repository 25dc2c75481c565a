"""`evidence`: what an arbiter reads before ruling, computed from the whole record."""

import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from replay.commands.shared.options import complete_files, example, record_argument
from replay.commands.shared.reading import exit_if_broken, load_timeline
from replay.exports.evidence.builder import NotWhole, UnknownFormat, build_pack, rebuild_pack
from replay.exports.evidence.case import Dispute
from replay.exports.evidence.html import render_html
from replay.exports.evidence.markdown import render_markdown
from replay.exports.evidence.pack import EvidencePack, pack_bytes, pack_hash, read_pack
from replay.exports.evidence.text import render_text
from replay.platform.exit_status import FINDING
from replay.platform.number_options import WholeRange
from replay.platform.safe_text import safe_json
from replay.timeline.timeline import Timeline

_FORMATS: Final = {"text": render_text, "markdown": render_markdown, "html": render_html}


@click.command(
    epilog=example(
        "fieldbook replay evidence game.ndjson --version 123 --reason not_agreed",
        "fieldbook replay evidence game.ndjson --version 123 --format html > evidence.html",
        "fieldbook replay evidence game.ndjson --check pack.json",
    )
)
@record_argument
@click.option("--version", type=WholeRange(min=1), help="The disputed version.")
@click.option("--reason", default="", help="The reason of the dispute, such as not_agreed.")
@click.option("--text", default="", help="The statement of the party.")
@click.option(
    "--format", "name", type=click.Choice([*_FORMATS, "json"]), default="text", help="The format of the pack."
)
@click.option(
    "--check",
    "pack",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="PACK",
    shell_complete=complete_files,
    help="A pack as JSON: rebuild it from this record and compare every byte.",
)
def evidence(
    record: str, version: int | None, reason: str, text: str, name: str, *, pack: Path | None
) -> None:
    """Build an evidence pack: what the log says about one version.

    It shows the entry, the tables before and after it from every perspective, the events around it,
    the time used, the result of the verifier, and where the game could go back to. It needs a
    record of the scope all. With --check a pack from a service is compared with the record.
    """
    if (version is None) == (pack is None):
        raise click.UsageError("Give the disputed --version, or a pack to --check.")
    timeline = load_timeline(record, None)
    try:
        if pack is not None:
            _check(timeline, pack)
            return
        found = build_pack(
            timeline,
            Dispute(version=version or 0, reason=reason, text=text),
            annotations=timeline.recording.annotations.standing,
        )
    except (NotWhole, UnknownFormat) as error:
        raise click.UsageError(f"{error}.") from error
    _print(found, name)
    exit_if_broken(timeline)


def _print(pack: EvidencePack, name: str) -> None:
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
        raise click.UsageError(f"{path} is not an evidence pack: {error}.") from error
    made = pack_bytes(rebuild_pack(timeline, given))
    if made == content:
        click.echo(f"{given.game}, version {given.dispute.version}: the pack says what the record says")
        click.echo(f"SHA-256 {pack_hash(content)}")
        return
    click.echo("The pack does NOT say what the record says.", err=True)
    sys.exit(FINDING)
