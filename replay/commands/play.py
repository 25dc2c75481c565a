"""`play`: the terminal player."""

import gc
import os
import sys

import click

from replay.commands.annotated import annotations_option, findings
from replay.commands.reading import end, step_at, timeline_of
from replay.options import as_option, example, language_for, language_option, record_argument

_INSTEAD = "`step` reads its keys from a pipe, `log` and `show` print text."


@click.command(epilog=example("fieldbook replay play game.ndjson --at 140 --as seat:1"))
@record_argument
@click.option("--at", "version", type=click.IntRange(min=1), default=1, help="Version to begin with.")
@annotations_option
@click.option("--author", metavar="NAME", help="Write into the file of annotations, as this author.")
@click.option("--branch", "tokens", multiple=True, metavar="TOKEN", help="A variation to walk through.")
@as_option
@language_option
def play(
    record: str,
    *,
    version: int,
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
    # Only the player pays for loading Textual.
    from replay.player.opening import Opening, player_of  # noqa: PLC0415

    timeline = timeline_of(record, viewer)
    begin = step_at(timeline, version).version
    with findings():
        opening = Opening(begin, language_for(language), tokens, annotated, author)
        player = player_of(timeline, opening)
    gc.freeze()  # what was read stays; looking through it for garbage would hold up a key now and then
    player.run(mouse=False)  # text can be marked and copied as everywhere else
    end(timeline)
