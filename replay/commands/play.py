"""`play`: the terminal player."""

import gc
import os
import sys
from threading import Event

import click

from replay.commands.annotated import annotations_option, findings
from replay.commands.reading import check, end, growing, step_at, timeline_of
from replay.options import as_option, example, language_for, language_option, record_argument
from replay.player.growth import Growth
from replay.timeline import Timeline

_INSTEAD = "`step` reads its keys from a pipe, `log` and `show` print text."


@click.command(
    epilog=example(
        "fieldbook replay play game.ndjson --at 140 --as seat:1",
        "fieldbook replay play https://example.org/v1/games/GAME --follow",
    )
)
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), help="Version to begin with.")
@click.option("--follow", is_flag=True, help="Go on with a game that is being played at its address.")
@annotations_option
@click.option("--author", metavar="NAME", help="Write into the file of annotations, as this author.")
@click.option("--branch", "tokens", multiple=True, metavar="TOKEN", help="A variation to walk through.")
@as_option
@language_option
def play(
    record: str,
    *,
    version: int | None,
    follow: bool,
    annotated: str | None,
    author: str | None,
    tokens: tuple[str, ...],
    viewer: int | None,
    language: str | None,
) -> None:
    """Walk through a game on the whole screen, with single keys.

    Table, hands, fields, offers and log; search, perspectives, annotations and variations. Press ?
    for the keys. Needs a terminal of at least 60 columns and 18 lines.
    """
    if record == "-":
        raise click.UsageError("play reads its keys from standard input; give the record as a file.")
    if not all(stream.isatty() for stream in (sys.stdin, sys.stdout, sys.stderr)):
        raise click.UsageError(f"play needs a terminal. {_INSTEAD}")
    if os.environ.get("TERM") == "dumb":
        raise click.UsageError(
            f"play needs a terminal that can move its cursor, and TERM is dumb. {_INSTEAD}"
        )
    if author is not None and annotated is None:
        raise click.UsageError("--author writes into a file: name it with --annotations.")
    if follow and annotated is not None:
        raise click.UsageError("--annotations makes no sense with --follow: they come when the game is over.")
    # Only the player pays for loading Textual.
    from replay.player.opening import Opening, player_of  # noqa: PLC0415

    def played(timeline: Timeline, begin: int, growth: Growth | None = None) -> None:
        begin = step_at(timeline, begin).version
        with findings():
            opening = Opening(begin, language_for(language), tokens, annotated, author, growth)
            player = player_of(timeline, opening)
        # What was read stays. For the rest the player looks for garbage when nobody waits for it.
        gc.freeze()
        gc.disable()
        player.run(mouse=False)  # text can be marked and copied as everywhere else
        end(timeline)

    if not follow:
        played(timeline_of(record, viewer), version or 1)
        return
    caught_up = Event()
    with growing(record, viewer, caught_up.set) as (timeline, entries):
        growth = Growth(timeline, caught_up)
        growth.begin(entries)
        caught_up.wait()
        check(timeline)
        played(timeline, version or timeline.last, growth)
