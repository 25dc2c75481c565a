"""`log`: what has happened, a line for each entry."""

import click

from replay.commands.annotated import annotations_option, notes_beside, notes_json, put_notes
from replay.commands.reading import end, followed, put_json, put_step, step_json, timeline_of
from replay.commentary import Commentary
from replay.options import as_option, example, json_option, language_for, language_option, record_argument
from replay.timeline import Timeline


@click.command(
    epilog=example(
        "fieldbook replay log game.ndjson --from 120 --to 140 --as seat:1",
        "fieldbook replay log https://example.org/v1/games/GAME --follow",
    )
)
@record_argument
@click.option("--from", "first", type=click.IntRange(min=1), default=1, help="First version to list.")
@click.option("--to", "last", type=click.IntRange(min=1), help="Last version to list.")
@click.option(
    "--follow", is_flag=True, help="Go on with what happens in a game at its address, until it is over."
)
@as_option
@language_option
@annotations_option
@json_option
def log(
    record: str,
    first: int,
    last: int | None,
    viewer: int | None,
    *,
    language: str | None,
    annotated: str | None,
    follow: bool,
    as_json: bool,
) -> None:
    """List what has happened, a line for each entry."""
    told_in = language_for(language, as_json=as_json)
    if not follow:
        timeline = timeline_of(record, viewer)
        put_log(timeline, first, last, told_in, annotated, as_json=as_json)
        end(timeline)
        return
    if last is not None:
        raise click.UsageError("--to makes no sense with --follow, which ends with the game.")
    if annotated is not None:
        raise click.UsageError("--annotations makes no sense with --follow: they come when the game is over.")

    def told(timeline: Timeline, version: int) -> None:
        if version >= first:
            put_log(timeline, version, version, told_in, as_json=as_json)

    try:
        timeline = followed(record, viewer, told)
    except KeyboardInterrupt:
        return
    end(timeline)


def put_log(
    timeline: Timeline,
    first: int,
    last: int | None,
    language: str,
    annotated: str | None = None,
    *,
    as_json: bool,
) -> None:
    """Print these entries with what a file of annotations says of them, a line for each, or a JSON object."""
    tell = Commentary(timeline.header.catalogue, language)
    notes = notes_beside(annotated, timeline)
    for step in timeline.steps[first - 1 : last]:
        if as_json:
            said = {"annotations": notes_json(notes[step.version])} if annotated else {}
            put_json(step_json(timeline, step, tell) | said)
        else:
            put_step(tell, step)
            put_notes(notes[step.version])
