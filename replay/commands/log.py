"""`log`: what has happened, a line for each entry."""

import click

from replay.commands.shared.annotated import annotations_option, notes_by_version, notes_json, print_notes
from replay.commands.shared.options import (
    View,
    example,
    json_option,
    print_json,
    record_argument,
    view_options,
)
from replay.commands.shared.reading import (
    exit_if_broken,
    find_step,
    follow_game,
    load_timeline,
    print_step,
    step_json,
)
from replay.commentary import Commentary
from replay.platform.number_options import WholeRange
from replay.timeline.timeline import Timeline


@click.command(
    epilog=example(
        "fieldbook replay log game.ndjson --from 120 --to 140 --as seat:1",
        "fieldbook replay log https://example.org/v1/games/GAME --follow",
    )
)
@record_argument
@click.option("--from", "first", type=WholeRange(min=1), default=1, help="The first version to list.")
@click.option("--to", "last", type=WholeRange(min=1), help="The last version to list.")
@click.option("--follow", is_flag=True, help="Follow a live game at its address until it is over.")
@view_options
@annotations_option
@json_option
def log(
    record: str, first: int, last: int | None, *, annotated: str | None, follow: bool, view: View
) -> None:
    """List the events of a game, a line for each entry."""
    if not follow:
        if last is not None and last < first:
            raise click.UsageError(f"--from {first} is behind --to {last}: no entry is between them.")
        timeline = load_timeline(record, view.viewer)
        if first > 1:
            find_step(timeline, first, "--from")
        print_log(timeline, first, last, view.language, annotated, as_json=view.as_json)
        exit_if_broken(timeline)
        return
    if last is not None:
        raise click.UsageError("--to cannot be used with --follow, which ends with the game.")
    if annotated is not None:
        raise click.UsageError(
            "--annotations cannot be used with --follow: a live game has no annotations yet."
        )

    def print_entry(timeline: Timeline, version: int) -> None:
        if version >= first:
            print_log(timeline, version, version, view.language, as_json=view.as_json)

    try:
        timeline = follow_game(record, view.viewer, print_entry)
    except KeyboardInterrupt:
        return
    exit_if_broken(timeline)


def print_log(
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
    notes = notes_by_version(annotated, timeline)
    for step in map(timeline.at, range(1, timeline.last + 1)[first - 1 : last]):
        if as_json:
            said = {"annotations": notes_json(notes[step.version])} if annotated else {}
            print_json(step_json(timeline, step, tell) | said)
        else:
            print_step(tell, step)
            print_notes(notes[step.version])
