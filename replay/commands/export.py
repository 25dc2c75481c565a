"""`export`: a game as a report, a table of events or a page."""

import sys
from functools import partial
from pathlib import Path

import click

from replay.commands.shared.annotated import annotations_option, findings, read_book
from replay.commands.shared.options import as_option, example, language_for, language_option, record_argument
from replay.commands.shared.reading import exit_if_broken, load_timeline
from replay.commands.shared.written import force_option, require_output, write_output
from replay.exports.formats import FORMATS
from replay.platform.optional_libraries import NotInstalled


@click.command(
    epilog=example(
        "fieldbook replay export game.ndjson --to markdown --output game.md",
        "fieldbook replay export game.ndjson --to html --as seat:1 --output game.html",
    )
)
@record_argument
@click.option("--to", "name", type=click.Choice([*FORMATS]), required=True, help="The format.")
@click.option("--output", metavar="FILE", help="The file to write; by default standard output.")
@force_option
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
    force: bool,
) -> None:
    """Export a game: a report in Markdown, its events as CSV or Parquet, or an interactive page."""
    chosen = FORMATS[name]
    inputs = [record] if annotated is None else [record, annotated]
    if output is not None:
        require_output(Path(output), chosen.kind, inputs, force=force)
    if annotated is not None and not chosen.shows_annotations:
        raise click.UsageError(f"--annotations cannot be used with --to {name}: only html shows them.")
    if output is None and not chosen.is_text and sys.stdout.isatty():
        raise click.UsageError(f"{name} is not text: name a file with --output.")
    # What is written is for others: its language hangs on no environment.
    chosen_language = language_for(language, as_json=True)
    page = None if chosen.draw is None else chosen.draw(chosen_language)
    timeline = load_timeline(record, viewer, None if page is None else page.begin)
    write = partial(chosen.write, timeline, chosen_language) if page is None else page.write
    if annotated is not None and timeline.last:
        beside = read_book(annotated, timeline)
        with findings():
            timeline.recording.annotations = timeline.recording.annotations.merge(beside)
    try:
        if output is None:
            write(sys.stdout.buffer)
            sys.stdout.buffer.flush()
        else:
            with write_output(Path(output), chosen.kind, inputs, force=force) as file:
                write(file)
    except NotInstalled as error:
        raise click.UsageError(str(error)) from error
    exit_if_broken(timeline)
