"""`diff`: what differs between two versions of a game, or where two games diverge."""

from typing import Any

import click

from events.log.disclosure import viewer_name
from replay.commands.shared.options import (
    View,
    complete_files,
    example,
    json_option,
    print_json,
    record_argument,
    view_options,
)
from replay.commands.shared.reading import (
    exit_if_broken,
    find_step,
    load_timeline,
    print_step,
    step_json,
)
from replay.commentary import Commentary
from replay.platform.number_options import WholeRange
from replay.platform.safe_text import safe
from replay.terminal.difference_text import difference_lines
from replay.timeline.differences import differences, find_divergence
from replay.timeline.timeline import Timeline


@click.command(
    epilog=example(
        "fieldbook replay diff game.ndjson --from 120 --to 180 --as seat:1",
        "fieldbook replay diff game.ndjson other.ndjson",
    )
)
@record_argument
@click.argument("other", required=False, metavar="[OTHER]", shell_complete=complete_files)
@click.option("--from", "first", type=WholeRange(min=1), help="The version to compare with.")
@click.option("--to", "last", type=WholeRange(min=1), help="The version to compare; by default the last one.")
@view_options
@json_option
def diff(record: str, other: str | None, first: int | None, last: int | None, *, view: View) -> None:
    """Show what differs between two versions of a game, or where two games diverge.

    Two games are compared entry by entry; the first entries that differ are shown, and how the
    tables differ after them. A difference is not a finding: the status is 0.
    """
    if (other is None) == (first is None):
        raise click.UsageError("name what to compare: either --from and --to of one game, or two games.")
    if other is not None and last is not None:
        raise click.UsageError("--to belongs to --from; two games are compared as a whole.")
    one = load_timeline(record, view.viewer)
    tell = Commentary(one.header.catalogue, view.language)
    if other is None:
        print_versions(one, first or 1, last or one.last, tell, as_json=view.as_json)
        exit_if_broken(one)
        return
    two = load_timeline(other, view.viewer)
    if one.viewer != two.viewer:
        raise click.UsageError(
            f"one record is {viewer_name(one.viewer)}'s and the other {viewer_name(two.viewer)}'s; "
            "choose a perspective that both hold with --as."
        )
    print_divergence(one, two, tell, as_json=view.as_json)
    exit_if_broken(one)
    exit_if_broken(two)


def print_versions(timeline: Timeline, first: int, last: int, tell: Commentary, *, as_json: bool) -> None:
    """Print what differs between two versions."""
    one, two = find_step(timeline, first, "--from"), find_step(timeline, last, "--to")
    found = differences(one.state, two.state, timeline.viewer)
    game, viewer = timeline.header.game, viewer_name(timeline.viewer)
    if as_json:
        print_json({"game": game, "as": viewer, "from": first, "to": last, "differences": found})
        return
    click.echo(f"{safe(game, 40)}: from version {first} to version {last}, as {viewer}")
    lines = difference_lines(tell, two.state, found)
    click.echo("\n".join(lines or ["Nothing differs."]))


def print_divergence(one: Timeline, two: Timeline, tell: Commentary, *, as_json: bool) -> None:
    """Print where two records diverge."""
    divergence = find_divergence(one, two)
    at = divergence.play
    if as_json:
        answer: dict[str, Any] = {"parting": divergence, "entries": [], "differences": []}
        if at is not None:
            answer["entries"] = [step_json(each, each.at(at), tell) for each in (one, two)]
            answer["differences"] = differences(one.at(at).state, two.at(at).state, one.viewer)
        print_json(answer)
        return
    click.echo(f"chains        {_parts(divergence.chain, one, two)}")
    click.echo(f"what happened {_parts(at, one, two)}")
    if at is None:
        return
    for timeline in (one, two):
        print_step(tell, timeline.at(at))
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
