"""`show`: the table at one version."""

from collections.abc import Mapping
from types import MappingProxyType

import click

from events.log.disclosure import ALL
from events.rules.table.player_view import player_view
from replay.commands.shared.annotated import annotations_option, notes_by_version, notes_json, print_notes
from replay.commands.shared.options import (
    View,
    example,
    json_option,
    print_json,
    record_argument,
    view_options,
)
from replay.commands.shared.reading import exit_if_broken, find_step, load_timeline, step_json
from replay.commentary import Commentary
from replay.platform.number_options import WholeRange
from replay.terminal.clock_text import clock_lines
from replay.terminal.knowledge_text import knowledge_lines
from replay.terminal.screen import print_styled
from replay.terminal.table_text import catalogue_lines, table_lines
from replay.timeline.knowledge import Knowledge, knowledge
from replay.timeline.timeline import Step, Timeline


@click.command(epilog=example("fieldbook replay show game.ndjson --at 140 --as seat:1 --knows"))
@record_argument
@click.option("--at", "version", type=WholeRange(min=1), help="The version to show; by default the last one.")
@view_options
@click.option(
    "--knows", is_flag=True, help="Also show what this seat, or the public, could know for certain."
)
@annotations_option
@json_option
def show(record: str, version: int | None, *, annotated: str | None, knows: bool, view: View) -> None:
    """Show the table at one version."""
    timeline = load_timeline(record, view.viewer)
    if knows and timeline.viewer == ALL:
        raise click.UsageError(
            "--knows needs --as seat:N or --as public: the full view has nothing to derive."
        )
    step = find_step(timeline, timeline.last if version is None else version)
    notes = notes_by_version(annotated, timeline)[step.version]
    said = {"annotations": notes_json(notes)} if annotated and view.as_json else {}
    print_table(timeline, step, view.language, said, knows=knows, as_json=view.as_json)
    if not view.as_json:
        print_notes(notes)
    exit_if_broken(timeline)


def print_table(
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
    known_cards = _derive_knowledge(timeline, step) if knows else None
    if as_json:
        table: dict[str, object] = {"table": player_view(step.state, timeline.viewer)}
        if step.clock is not None:
            table["clock"] = step.clock.as_json()
        if known_cards is not None:
            table["knows"] = known_cards
        print_json(step_json(timeline, step, tell) | {"catalogue": catalogue} | table | dict(said))
    else:
        known = [] if known_cards is None else [[], *knowledge_lines(catalogue, step.state, known_cards)]
        shown = [*table_lines(timeline, step, language), *clock_lines(tell, step)]
        print_styled([*shown, *known, [], *catalogue_lines(tell, catalogue)])


def _derive_knowledge(timeline: Timeline, step: Step) -> Knowledge:
    known = timeline.recording.at(step.version).moment.known
    return knowledge(timeline.header.catalogue, step.state, known, timeline.viewer)
