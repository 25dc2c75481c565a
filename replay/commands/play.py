"""`play`: the terminal player."""

import gc
import os
import sys
from threading import Event

import click

from replay.commands.shared.annotated import annotations_option, findings
from replay.commands.shared.options import View, example, record_argument, view_options
from replay.commands.shared.reading import (
    exit_if_broken,
    find_address,
    find_step,
    load_timeline,
    open_live_game,
    require_viewer,
)
from replay.platform.number_options import WholeRange
from replay.terminal.player.live_reader import LiveReader
from replay.timeline.timeline import Timeline

_INSTEAD = "`step` reads keys from a pipe, `log` and `show` print text."


@click.command(
    epilog=example(
        "fieldbook replay play game.ndjson --at 140 --as seat:1",
        "fieldbook replay play https://example.org/v1/games/GAME",
    )
)
@record_argument
@click.option(
    "--at", "version", type=WholeRange(min=1), help="The version to start at; by default the first one."
)
@click.option(
    "--follow/--no-follow",
    default=None,
    help="Follow a live game at its address; done without being asked unless annotations are named.",
)
@annotations_option
@click.option("--author", metavar="NAME", help="Add to the file of annotations as this author.")
@click.option(
    "--branch",
    "tokens",
    multiple=True,
    metavar="TOKEN",
    help="The token of a variation to step through; repeatable.",
)
@view_options
def play(
    record: str,
    *,
    version: int | None,
    follow: bool | None,
    annotated: str | None,
    author: str | None,
    tokens: tuple[str, ...],
    view: View,
) -> None:
    """Step through a game on the whole screen, with single keys.

    Shows table, hands, fields, offers and log, with search, perspectives, annotations and
    variations. Press ? for the keys. Needs a terminal of at least 60 columns and 18 lines.
    """
    if record == "-":
        raise click.UsageError("play reads keys from standard input: name the record as a file.")
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError(f"play needs a terminal. {_INSTEAD}")
    if os.environ.get("TERM") == "dumb":
        raise click.UsageError(
            f"play needs a terminal that can move its cursor, and TERM is dumb. {_INSTEAD}"
        )
    if author is not None and annotated is None:
        raise click.UsageError("--author writes to a file: name it with --annotations.")
    if follow and annotated is not None:
        raise click.UsageError(
            "--annotations cannot be used with --follow: a live game has no annotations yet."
        )
    # Only the player needs Textual, which takes long to import.
    from replay.terminal.player.application import Opening, open_player  # noqa: PLC0415

    def run(timeline: Timeline, start: int, live_reader: LiveReader | None = None) -> None:
        start = find_step(timeline, start).version
        with findings():
            opening = Opening(start, view.language, tokens, annotated, author, live_reader)
            player = open_player(timeline, opening)
        # What was read stays. The player collects other garbage when nobody waits for it.
        gc.freeze()
        gc.disable()
        player.run(mouse=False)  # text can be marked and copied as everywhere else
        exit_if_broken(timeline)

    if follow is None:
        follow = annotated is None and find_address(record) is not None
    if not follow:
        run(load_timeline(record, view.viewer), version or 1)
        return
    caught_up = Event()
    with open_live_game(record, view.viewer, caught_up.set) as (timeline, entries):
        if timeline.header.secret:  # it is over
            timeline.recording.read(entries)
            require_viewer(timeline)
            run(timeline, version or 1)
            return
        live_reader = LiveReader(timeline, caught_up)
        live_reader.start(entries)
        caught_up.wait()
        require_viewer(timeline)
        run(timeline, version or timeline.last, live_reader)
