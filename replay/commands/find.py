"""`find`: the entries for which a predicate holds, or that touched one card."""

from collections.abc import Iterator, Mapping

import click

from events.domain_events import Card
from replay.commands.reading import end, put_json, put_step, step_json, timeline_of
from replay.commentary import Commentary
from replay.finding.fields import Seen, fields_for
from replay.finding.life_line import LOST, SHUFFLED, LifeLine, NoSuchCard, life_line
from replay.finding.predicate import LONGEST, NotUnderstood, Predicate, parsed
from replay.options import as_option, example, json_option, language_for, language_option, record_argument
from replay.safe_text import safe
from replay.timeline import Step, Timeline

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
    "--card", metavar="NUMBER", help="The life-line of one card: 37, or seat:1/7 for a hand's card 7."
)
@as_option
@language_option
@json_option
def find(
    record: str,
    predicate: str | None,
    card: str | None,
    viewer: int | None,
    language: str | None,
    *,
    as_json: bool,
) -> None:
    """Find the entries for which a predicate holds, or all that touched one card.

    A card that the viewer may not see matches nothing. Nothing found is status 0.
    """
    if (predicate is None) == (card is None):
        raise click.UsageError("say what to find: either a predicate, or --card with a number.")
    timeline = timeline_of(record, viewer)
    tell = Commentary(timeline.header.catalogue, language_for(language, as_json=as_json))
    if card is not None:
        put_life_line(timeline, card, tell, as_json=as_json)
    else:
        put_found(timeline, predicate or "", tell, as_json=as_json)
    end(timeline)


def put_found(timeline: Timeline, predicate: str, tell: Commentary, *, as_json: bool) -> None:
    """Print the entries for which a predicate holds; ends the program with status 2 where it says nothing."""
    for step in _matching(timeline, _predicate(timeline, predicate)):
        _put(timeline, step, tell, as_json=as_json)


def put_life_line(timeline: Timeline, card: str, tell: Commentary, *, as_json: bool) -> None:
    """Print the entries that touched a card; ends the program with status 2 where there is no such card."""
    try:
        found = life_line(timeline, card)
    except NoSuchCard as error:
        raise click.UsageError(str(error)) from error
    for version in found.versions:
        _put(timeline, timeline.at(version), tell, as_json=as_json)
    _put_end(found, as_json=as_json)


def _predicate(timeline: Timeline, text: str) -> Predicate:
    try:
        return parsed(text, fields_for(timeline.header.catalogue))
    except NotUnderstood as error:
        shown = safe(text, LONGEST)
        pointer = f"\n  {shown}\n  {' ' * error.position}^" if shown == text else ""
        raise click.UsageError(safe(str(error), LONGEST) + pointer) from error


def _matching(timeline: Timeline, predicate: Predicate) -> Iterator[Step]:
    varieties: dict[Card, str] = {bean.card: bean.variety for bean in timeline.header.catalogue.beans}
    command = ""
    for step in timeline.steps:
        if step.command is not None:
            command = str(step.form.entry["command"]["type"])
        if predicate(Seen(step, command, varieties)):
            yield step


def _put_end(found: LifeLine, *, as_json: bool) -> None:
    if as_json:
        put_json({"card": found.card, "ends": found.ends, "until": found.until})
    elif found.ends in _ENDS:
        click.echo(f"Card {found.card} {_ENDS[found.ends].format(found.until)}.")


def _put(timeline: Timeline, step: Step, tell: Commentary, *, as_json: bool) -> None:
    if as_json:
        put_json(step_json(timeline, step, tell))
    else:
        put_step(tell, step)
