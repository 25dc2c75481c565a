"""`diff`: what differs between two versions of a game, or where two games part."""

from typing import Any

import click

from events.disclosure import viewer_name
from replay.commands.reading import end, put_json, put_step, step_at, step_json, timeline_of
from replay.commentary import Commentary
from replay.difference_text import difference_lines
from replay.differences import differences
from replay.options import (
    as_option,
    example,
    files,
    json_option,
    language_for,
    language_option,
    record_argument,
)
from replay.parting import parting
from replay.safe_text import safe
from replay.timeline import Timeline


@click.command(
    epilog=example(
        "fieldbook replay diff game.ndjson --from 120 --to 180 --as seat:1",
        "fieldbook replay diff game.ndjson other.ndjson",
    )
)
@record_argument
@click.argument("other", required=False, metavar="[OTHER]", shell_complete=files)
@click.option("--from", "first", type=click.IntRange(min=1), help="The version to compare with.")
@click.option(
    "--to", "last", type=click.IntRange(min=1), help="The version to compare; without it the last one."
)
@as_option
@language_option
@json_option
def diff(
    record: str,
    other: str | None,
    first: int | None,
    last: int | None,
    *,
    viewer: int | None,
    language: str | None,
    as_json: bool,
) -> None:
    """Show what differs between two versions of a game, or where two games part.

    Two games are compared entry by entry; shown are the first entries that differ, and how the
    tables differ after them. That something differs is no finding: the status is 0.
    """
    if (other is None) == (first is None):
        raise click.UsageError("say what to compare: either --from and --to of one game, or two games.")
    if other is not None and last is not None:
        raise click.UsageError("--to belongs to --from; two games are compared as a whole.")
    one = timeline_of(record, viewer)
    tell = Commentary(one.header.catalogue, language_for(language, as_json=as_json))
    if other is None:
        put_versions(one, first or 1, last or one.last, tell, as_json=as_json)
        end(one)
        return
    two = timeline_of(other, viewer)
    if one.viewer != two.viewer:
        raise click.UsageError(
            f"one record is {viewer_name(one.viewer)}'s and the other {viewer_name(two.viewer)}'s; "
            "choose with --as what both hold."
        )
    put_parting(one, two, tell, as_json=as_json)
    end(one)
    end(two)


def put_versions(timeline: Timeline, first: int, last: int, tell: Commentary, *, as_json: bool) -> None:
    """Print what differs between two versions."""
    one, two = step_at(timeline, first, "--from"), step_at(timeline, last, "--to")
    found = differences(one.state, two.state, timeline.viewer)
    game, viewer = timeline.header.game, viewer_name(timeline.viewer)
    if as_json:
        put_json({"game": game, "as": viewer, "from": first, "to": last, "differences": found})
        return
    click.echo(f"{safe(game, 40)}: from version {first} to version {last}, as {viewer}")
    lines = difference_lines(tell, two.state, found)
    click.echo("\n".join(lines or ["Nothing differs."]))


def put_parting(one: Timeline, two: Timeline, tell: Commentary, *, as_json: bool) -> None:
    """Print where two records part."""
    parted = parting(one, two)
    at = parted.play
    if as_json:
        answer: dict[str, Any] = {"parting": parted, "entries": [], "differences": []}
        if at is not None:
            answer["entries"] = [step_json(each, each.at(at), tell) for each in (one, two)]
            answer["differences"] = differences(one.at(at).state, two.at(at).state, one.viewer)
        put_json(answer)
        return
    click.echo(f"chains        {_parts(parted.chain, one, two)}")
    click.echo(f"what happened {_parts(at, one, two)}")
    if at is None:
        return
    for timeline in (one, two):
        put_step(tell, timeline.at(at))
    found = differences(one.at(at).state, two.at(at).state, one.viewer)
    lines = difference_lines(tell, two.at(at).state, found)
    click.echo("\n".join(lines or ["The tables are the same."]))


def _parts(version: int | None, one: Timeline, two: Timeline) -> str:
    if version is not None:
        return f"part at version {version}"
    if one.last == two.last:
        return f"are the same, to version {one.last}"
    return (
        f"are the same to version {min(one.last, two.last)}; one goes on to version {max(one.last, two.last)}"
    )
