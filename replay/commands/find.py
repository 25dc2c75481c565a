"""`find`: the entries for which a predicate holds, or that touched one card."""

from collections.abc import Iterator, Mapping

import click

from replay.commands.shared.options import (
    View,
    example,
    json_option,
    print_json,
    record_argument,
    view_options,
)
from replay.commands.shared.reading import exit_if_broken, load_timeline, print_step, step_json
from replay.commentary import Commentary
from replay.platform.safe_text import safe
from replay.timeline.search.fields import SearchedEntry, fields_for
from replay.timeline.search.life_line import LOST, SHUFFLED, LifeLine, NoSuchCard, life_line
from replay.timeline.search.predicate import LONGEST, NotUnderstood, Predicate, parse
from replay.timeline.timeline import Step, Timeline

_ENDS: Mapping[str, str] = {
    SHUFFLED: "was shuffled into the draw pile with version {}",
    LOST: "cannot be followed after version {}: which card it was then is not shown",
}


@click.command(
    epilog=example(
        "fieldbook replay find game.ndjson 'seat=2 and type=trade_made and card=chili'",
        "fieldbook replay find game.ndjson --card 37",
    )
)
@record_argument
@click.argument("predicate", required=False)
@click.option(
    "--card", metavar="NUMBER", help="The history of one card: 37, or seat:1/7 for card 7 of a hand."
)
@view_options
@json_option
def find(record: str, predicate: str | None, card: str | None, *, view: View) -> None:
    """Find the entries that match a predicate, or all that moved one card.

    A card that the viewer may not see matches nothing. The status is 0 even without a match.
    """
    if (predicate is None) == (card is None):
        raise click.UsageError("name what to find: either a predicate, or --card with a number.")
    timeline = load_timeline(record, view.viewer)
    tell = Commentary(timeline.header.catalogue, view.language)
    if card is not None:
        print_life_line(timeline, card, tell, as_json=view.as_json)
    else:
        print_matches(timeline, predicate or "", tell, as_json=view.as_json)
    exit_if_broken(timeline)


def print_matches(timeline: Timeline, predicate: str, tell: Commentary, *, as_json: bool) -> None:
    """Print the entries for which a predicate holds; ends the program with status 2 where it says nothing."""
    for step in _matching(timeline, _predicate(timeline, predicate)):
        _print(timeline, step, tell, as_json=as_json)


def print_life_line(timeline: Timeline, card: str, tell: Commentary, *, as_json: bool) -> None:
    """Print the entries that touched a card; ends the program with status 2 where there is no such card."""
    try:
        found = life_line(timeline, card)
    except NoSuchCard as error:
        raise click.UsageError(str(error)) from error
    for version in found.versions:
        _print(timeline, timeline.at(version), tell, as_json=as_json)
    _print_end(found, as_json=as_json)


def _predicate(timeline: Timeline, text: str) -> Predicate:
    try:
        return parse(text, fields_for(timeline.header.catalogue))
    except NotUnderstood as error:
        shown = safe(text, LONGEST)
        pointer = f"\n  {shown}\n  {' ' * error.position}^" if shown == text else ""
        raise click.UsageError(safe(str(error), LONGEST) + pointer) from error


def _matching(timeline: Timeline, predicate: Predicate) -> Iterator[Step]:
    command = ""
    for step in timeline.steps:
        if step.command is not None:
            command = str(step.form.entry["command"]["type"])
        if predicate(SearchedEntry(step, command)):
            yield step


def _print_end(found: LifeLine, *, as_json: bool) -> None:
    if as_json:
        print_json({"card": found.card, "ends": found.ends, "until": found.until})
    elif found.ends in _ENDS:
        click.echo(f"Card {found.card} {_ENDS[found.ends].format(found.until)}.")


def _print(timeline: Timeline, step: Step, tell: Commentary, *, as_json: bool) -> None:
    if as_json:
        print_json(step_json(timeline, step, tell))
    else:
        print_step(tell, step)
