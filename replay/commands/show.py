"""`show`: the table at one version."""

from collections.abc import Mapping
from types import MappingProxyType

import click

from events.disclosure import ALL
from events.rules.player_view import player_view
from replay.commands.annotated import annotations_option, notes_beside, notes_json, put_notes
from replay.commands.reading import end, put_json, step_at, step_json, timeline_of
from replay.commentary import Commentary
from replay.knowledge import Knowledge, knowledge
from replay.knowledge_text import knowledge_lines
from replay.options import as_option, example, json_option, language_for, language_option, record_argument
from replay.screen import put
from replay.table_text import catalogue_lines, table_lines
from replay.timeline import Step, Timeline


@click.command(epilog=example("fieldbook replay show game.ndjson --at 140 --as seat:1 --knows"))
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), help="Version to show; without it the last one.")
@as_option
@click.option(
    "--knows", is_flag=True, help="Show also what this seat, or the public, could know for certain."
)
@language_option
@annotations_option
@json_option
def show(
    record: str,
    version: int | None,
    viewer: int | None,
    *,
    language: str | None,
    annotated: str | None,
    knows: bool,
    as_json: bool,
) -> None:
    """Show the table at one version."""
    timeline = timeline_of(record, viewer)
    if knows and timeline.viewer == ALL:
        raise click.UsageError(
            "--knows needs --as seat:N or --as public: who sees all has nothing to derive."
        )
    step = step_at(timeline, timeline.last if version is None else version)
    notes = notes_beside(annotated, timeline)[step.version]
    said = {"annotations": notes_json(notes)} if annotated and as_json else {}
    put_table(timeline, step, language_for(language, as_json=as_json), said, knows=knows, as_json=as_json)
    if not as_json:
        put_notes(notes)
    end(timeline)


def put_table(
    timeline: Timeline,
    step: Step,
    language: str,
    said: Mapping[str, object] = MappingProxyType({}),
    *,
    knows: bool,
    as_json: bool,
) -> None:
    """Print the table at a step as text, or as JSON with what is `said` of it."""
    catalogue = timeline.header.catalogue
    tell = Commentary(catalogue, language)
    told = _told(timeline, step) if knows else None
    if as_json:
        table: dict[str, object] = {"table": player_view(step.state, timeline.viewer)}
        if told is not None:
            table["knows"] = told
        put_json(step_json(timeline, step, tell) | {"catalogue": catalogue} | table | dict(said))
    else:
        known = [] if told is None else [[], *knowledge_lines(catalogue, step.state, told)]
        put([*table_lines(timeline, step, language), *known, [], *catalogue_lines(tell, catalogue)])


def _told(timeline: Timeline, step: Step) -> Knowledge:
    known = timeline.recording.at(step.version).moment.known
    return knowledge(timeline.header.catalogue, step.state, known, timeline.viewer)
