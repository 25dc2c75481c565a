"""`export`: a game written down for others."""

import sys
from pathlib import Path

import click

from replay.commands.annotated import annotations_option, book_beside, findings
from replay.commands.reading import end, timeline_of
from replay.exports import FORMATS
from replay.needed import NotInstalled
from replay.options import as_option, example, language_for, language_option, record_argument
from replay.whole_files import written_whole


@click.command(
    epilog=example(
        "fieldbook replay export game.ndjson --to markdown --output game.md",
        "fieldbook replay export game.ndjson --to html --as seat:1 --output game.html",
    )
)
@record_argument
@click.option("--to", "name", type=click.Choice([*FORMATS]), required=True, help="What to write.")
@click.option("--output", metavar="FILE", help="The file to write; without it standard output.")
@as_option
@language_option
@annotations_option
def export(
    record: str,
    name: str,
    output: str | None,
    *,
    viewer: int | None,
    language: str | None,
    annotated: str | None,
) -> None:
    """Write a game down: a report in Markdown, its events as CSV or Parquet, or a page to walk through it."""
    chosen = FORMATS[name]
    if annotated is not None and not chosen.shows_annotations:
        raise click.UsageError(f"--annotations is of no use with --to {name}: only html shows them.")
    if output is None and not chosen.is_text and sys.stdout.isatty():
        raise click.UsageError(f"{name} is nothing for a terminal; give a file with --output.")
    timeline = timeline_of(record, viewer)
    if annotated is not None and timeline.last:
        beside = book_beside(annotated, timeline)
        with findings():
            timeline.recording.annotations = timeline.recording.annotations.joined(beside)
    # What is written is for others: its language hangs on no environment.
    told_in = language_for(language, as_json=True)
    try:
        if output is None:
            chosen.write(timeline, told_in, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            with written_whole(Path(output)) as file:
                chosen.write(timeline, told_in, file)
    except BrokenPipeError:
        raise  # whoever reads has had enough, which click knows to take quietly
    except NotInstalled as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        where = output or "standard output"
        raise click.UsageError(f"{where} cannot be written: {error.strerror}") from error
    end(timeline)
